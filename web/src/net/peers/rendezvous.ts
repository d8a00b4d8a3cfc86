// Where two browsers leave sealed messages for each other until they are connected: boxes over HTTP with long polling
// (src/notahat/server/http/rendezvous.py). The rendezvous cannot read the messages.

import { pause } from "../retry.ts";
import type { SealedMessages } from "../../made/wire.ts";
import { rendezvousUrl } from "./peerTables.svelte.ts";
import { Seal } from "./tableKey.ts";

const READ = "notahat.read.";
const MOST_TRIES = 3;
const TAKE_TIMEOUT = 30_000; // a rendezvous answers within 20 seconds, also without a message

interface Received {
  age: number; // seconds since it was sent
  message: unknown;
}

/** The boxes of one table. */
export class Rendezvous {
  readonly #seal: Seal;
  readonly #url = `${rendezvousUrl().replace(/\/$/, "")}/api/rendezvous/`;

  private constructor(seal: Seal) {
    this.#seal = seal;
  }

  static async open(invitation: string): Promise<Rendezvous> {
    return new Rendezvous(await Seal.of(invitation));
  }

  /** The box in which the holder receives offers. */
  get address(): string {
    return this.#seal.address;
  }

  /** Put a message into a box; try again if the rendezvous is busy. */
  async send(box: string, message: object): Promise<void> {
    const body = await this.#seal.close(JSON.stringify(message));
    for (let tries = MOST_TRIES; ; tries--) {
      try {
        return void (await request(this.#url + box, { method: "POST", body }));
      } catch (error) {
        if (tries <= 1) throw error;
        await pause();
      }
    }
  }

  /** Yield the messages of a box as they come, until the signal, without those that were sealed with another key. Throw
   * if the rendezvous fails. */
  async *receive(box: string, signal: AbortSignal): AsyncGenerator<Received> {
    for (let after = Number(sessionStorage.getItem(READ + box) ?? 0); ; ) {
      for (const { number, age, body } of await poll(`${this.#url}${box}?after=${after}`, signal)) {
        after = number;
        if (box === this.address) sessionStorage.setItem(READ + box, String(number)); // or a reload would answer twice
        const text = await this.#seal.open(body).catch(() => undefined);
        if (text !== undefined) yield { age, message: JSON.parse(text) as unknown };
      }
    }
  }
}

/** Wait for messages, but not for ever. (`AbortSignal.any` is newer than the oldest browsers.) */
async function poll(url: string, signal: AbortSignal): Promise<SealedMessages["messages"]> {
  const limited = new AbortController();
  const abort = (): void => limited.abort(signal.reason);
  const timer = setTimeout(abort, TAKE_TIMEOUT);
  signal.addEventListener("abort", abort);
  if (signal.aborted) abort();
  try {
    return ((await (await request(url, { signal: limited.signal })).json()) as SealedMessages).messages;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener("abort", abort);
  }
}

async function request(url: string, init: RequestInit): Promise<Response> {
  const response = await fetch(url, { ...init, credentials: "omit", referrerPolicy: "no-referrer" });
  if (response.ok) return response;
  throw new Error(`rendezvous: ${response.status}`);
}
