// Message boxes at Nostr relays, which strangers run: a message is an ephemeral event, which relays pass on and do not store.

import { AbstractRelay } from "nostr-tools/abstract-relay";
import { finalizeEvent, generateSecretKey, verifyEvent, type NostrEvent } from "nostr-tools/pure";
import { jitter } from "../retry.ts";
import { linkedSignal } from "./linkedSignal.ts";
import type { BoxMessage, MessageBoxes } from "./messageBoxes.ts";

const KIND = 24_287; // of the ephemeral kinds, 20000 to 29999
const BOX_TAG = "x"; // relays find events by tags of one letter
const MOST_LETTERS = 4096; // the limits of a rendezvous: of a message,
const KEPT_SECONDS = 600; // of its age,
const MOST_WAITING = 32; // and of a box
const MOST_SEEN = 256;
const CONNECT_TIMEOUT = 5000;
const IDLE_TIMEOUT = 30_000; // a connection that is not used any more is closed
const FIRST_WAIT = 500;
const LONGEST_WAIT = 8000;

const seconds = (): number => Math.floor(Date.now() / 1000);

const isAcceptable = (event: NostrEvent): boolean =>
  event.content.length <= MOST_LETTERS && Math.abs(seconds() - event.created_at) <= KEPT_SECONDS && verifyEvent(event);

export class RelayBoxes implements MessageBoxes {
  readonly #connections: RelayConnection[];
  readonly #key = generateSecretKey(); // says nothing about who it is: relays require signatures

  constructor(urls: string[]) {
    this.#connections = urls.map((url) => new RelayConnection(url));
  }

  /** Send a message to all relays. Resolve with the first, without its acknowledgement: relays do not store the answer, so its box must be
   *  read before the answer can come. Throw if no relay can be reached. */
  async put(box: string, body: string): Promise<void> {
    const event = finalizeEvent({ kind: KIND, created_at: seconds(), tags: [[BOX_TAG, box]], content: body }, this.#key);
    await Promise.any(
      this.#connections.map(async (connection) => {
        const relay = await connection.open();
        relay.publish(event).catch(() => undefined); // refused, or the connection has broken: the sender tries again
      }),
    );
  }

  /** Yield the messages of a box from all relays, each once. Connect again when a connection breaks. */
  async *take(box: string, signal: AbortSignal): AsyncGenerator<BoxMessage> {
    const inbox = new Inbox();
    const reading = linkedSignal(signal);
    for (const connection of this.#connections) void connection.follow(box, inbox, reading.signal);
    try {
      yield* inbox.read(reading.signal);
    } finally {
      reading.end();
    }
  }
}

/** The messages of a box that were not taken yet. */
class Inbox {
  readonly #waiting: BoxMessage[] = [];
  readonly #seen = new Set<string>();
  #arrived = (): void => undefined;

  has(id: string): boolean {
    return this.#seen.has(id);
  }

  add(id: string, message: BoxMessage): void {
    if (this.has(id)) return;
    this.#seen.add(id);
    for (const oldest of this.#seen) if (this.#seen.size > MOST_SEEN) this.#seen.delete(oldest);
    if (this.#waiting.push(message) > MOST_WAITING) this.#waiting.shift();
    this.#arrived();
  }

  async *read(signal: AbortSignal): AsyncGenerator<BoxMessage> {
    signal.addEventListener("abort", () => this.#arrived());
    for (;;) {
      signal.throwIfAborted();
      const message = this.#waiting.shift();
      if (message) yield message;
      else await new Promise<void>((resolve) => (this.#arrived = resolve));
    }
  }
}

/** One relay. After a failure the next attempt waits, each time for longer. */
class RelayConnection {
  readonly #relay: AbstractRelay;
  #opening: Promise<AbstractRelay> | undefined;
  #openedAt: number | undefined;
  #wait = FIRST_WAIT;
  #nextAttempt = 0;

  constructor(url: string) {
    // its own way to reconnect would ask for messages after the last only, by the clocks of their senders
    this.#relay = new AbstractRelay(url, { verifyEvent: isAcceptable, enablePing: true, idleTimeout: IDLE_TIMEOUT });
    this.#relay.onclose = () => this.#closed();
    this.#relay.onnotice = () => undefined;
  }

  open(): Promise<AbstractRelay> {
    if (this.#relay.connected) return Promise.resolve(this.#relay);
    return (this.#opening ??= this.#open().finally(() => (this.#opening = undefined)));
  }

  async #open(): Promise<AbstractRelay> {
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, this.#nextAttempt - performance.now())));
    try {
      await this.#relay.connect({ timeout: CONNECT_TIMEOUT });
    } catch (error) {
      this.#backOff();
      throw error;
    }
    this.#openedAt = performance.now();
    return this.#relay;
  }

  #closed(): void {
    if (this.#openedAt === undefined) return; // the attempt has failed
    if (performance.now() - this.#openedAt > LONGEST_WAIT) this.#wait = FIRST_WAIT;
    this.#openedAt = undefined;
    this.#backOff();
  }

  #backOff(): void {
    this.#nextAttempt = performance.now() + jitter(this.#wait);
    this.#wait = Math.min(this.#wait * 2, LONGEST_WAIT);
  }

  /** Put the messages of a box into the inbox until the signal. */
  async follow(box: string, inbox: Inbox, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const relay = await this.open().catch(() => null);
      if (!relay || signal.aborted) continue;
      await subscribe(relay, box, inbox, signal);
      if (!signal.aborted && relay.connected) relay.close(); // it has refused the subscription only
    }
  }
}

/** Put the messages of a box into the inbox. Resolve when the subscription ends: by the signal, by the relay, or with the connection. */
function subscribe(relay: AbstractRelay, box: string, inbox: Inbox, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    let stored = true; // relays send at first what they have stored, though they should store none of these
    const stop = (): void => subscription.close();
    const subscription = relay.subscribe([{ kinds: [KIND], [`#${BOX_TAG}`]: [box], since: seconds() - KEPT_SECONDS, limit: MOST_WAITING }], {
      alreadyHaveEvent: (id) => inbox.has(id),
      onevent: ({ id, created_at, content }) => inbox.add(id, { age: stored ? Math.max(0, seconds() - created_at) : 0, body: content }), // clocks differ
      oneose: () => (stored = false),
      onclose: () => {
        signal.removeEventListener("abort", stop);
        resolve();
      },
    });
    signal.addEventListener("abort", stop);
  });
}
