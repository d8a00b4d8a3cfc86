// Nostr relays behind a WebSocket class: they pass on events by their tag `x` and check nothing.

import type { NostrEvent } from "nostr-tools/pure";

type Frame = ["EVENT", NostrEvent] | ["REQ", string, Record<string, unknown>] | ["CLOSE", string];

/** A network of relays. `Socket` takes the place of WebSocket. */
export class FakeRelays {
  readonly #relays = new Map<string, FakeRelay>();
  readonly Socket: typeof WebSocket;

  constructor(...urls: string[]) {
    const relays = this.#relays;
    for (const url of urls) relays.set(url, new FakeRelay());
    class Socket extends FakeSocket {
      constructor(url: string | URL) {
        super(relays.get(String(url).replace(/\/$/, ""))!);
      }
    }
    this.Socket = Socket as unknown as typeof WebSocket;
  }

  at(url: string): FakeRelay {
    return this.#relays.get(url)!;
  }
}

export class FakeRelay {
  reachable = true;
  refuses = false; // subscriptions
  acknowledges = true;
  attempts: number[] = []; // when clients have tried to connect
  frames: Frame[] = [];
  stored: NostrEvent[] = [];
  readonly sockets = new Set<FakeSocket>();

  get events(): NostrEvent[] {
    return this.frames.flatMap((frame) => (frame[0] === "EVENT" ? [frame[1]] : []));
  }

  disconnect(): void {
    for (const socket of this.sockets) socket.end();
  }

  /** Pass an event on to all who have asked for its box. */
  deliver(event: NostrEvent): void {
    const boxes = event.tags.filter(([name]) => name === "x").map(([, box]) => box);
    for (const socket of this.sockets)
      for (const [id, filter] of socket.subscriptions) if ((filter["#x"] as string[]).some((box) => boxes.includes(box))) socket.receive(["EVENT", id, event]);
  }
}

/** The client's end of a connection to a relay. */
class FakeSocket {
  static readonly OPEN = 1;
  static readonly CLOSING = 2;
  static readonly CLOSED = 3;
  readyState = 0;
  onopen: (() => void) | null = null;
  onerror: (() => void) | null = null;
  onclose: ((event: object) => void) | null = null;
  onmessage: ((event: { data: string }) => void) | null = null;
  readonly subscriptions = new Map<string, Record<string, unknown>>();
  readonly #relay: FakeRelay;

  constructor(relay: FakeRelay) {
    this.#relay = relay;
    relay.attempts.push(Date.now());
    setTimeout(() => (relay.reachable ? this.#open() : this.onerror?.()), 1);
  }

  #open(): void {
    this.readyState = FakeSocket.OPEN;
    this.#relay.sockets.add(this);
    this.onopen?.();
  }

  send(text: string): void {
    if (this.readyState !== FakeSocket.OPEN) throw new Error("not open");
    const frame = JSON.parse(text) as Frame;
    this.#relay.frames.push(frame);
    switch (frame[0]) {
      case "EVENT":
        if (this.#relay.acknowledges) this.receive(["OK", frame[1].id, true, ""]);
        return this.#relay.deliver(frame[1]);
      case "REQ":
        return this.#subscribe(frame[1], frame[2]);
      case "CLOSE":
        this.subscriptions.delete(frame[1]);
    }
  }

  #subscribe(id: string, filter: Record<string, unknown>): void {
    if (this.#relay.refuses) return this.receive(["CLOSED", id, "restricted: not here"]);
    if (filter["#x"]) this.subscriptions.set(id, filter);
    for (const event of this.#relay.stored) this.receive(["EVENT", id, event]);
    this.receive(["EOSE", id]);
  }

  receive(frame: unknown[]): void {
    setTimeout(() => this.readyState === FakeSocket.OPEN && this.onmessage?.({ data: JSON.stringify(frame) }), 1);
  }

  /** The relay ends the connection. */
  end(): void {
    this.close();
    this.onclose?.({});
  }

  close(): void {
    this.readyState = FakeSocket.CLOSED;
    this.#relay.sockets.delete(this);
  }
}
