// Where two browsers leave sealed messages for each other until they are connected: boxes over HTTP with long polling
// (src/notahat/server/http/rendezvous.py). The rendezvous cannot read the messages.

import { fetchWithTimeout } from "../fetchAsset.ts";
import { pause } from "../retry.ts";
import type { SealedMessages } from "../../made/wire.ts";
import { rendezvousUrl } from "./peerTables.svelte.ts";
import { seal, unseal } from "./tableKey.ts";

const READ = "notahat.read.";
const MOST_TRIES = 3;
const TIMEOUT = 30_000; // a rendezvous answers within 20 seconds, also without a message

interface Received {
  age: number; // seconds since it was sent
  message: unknown;
}

/** The boxes of one table. */
export class Rendezvous {
  readonly address: string; // the box in which the holder receives offers
  readonly #key: CryptoKey;
  readonly #url = `${rendezvousUrl().replace(/\/$/, "")}/api/rendezvous/`;

  constructor({ address, key }: { address: string; key: CryptoKey }) {
    this.address = address;
    this.#key = key;
  }

  /** Put a message into a box; try again if the rendezvous is busy. */
  async send(box: string, message: object): Promise<void> {
    const body = await seal(this.#key, JSON.stringify(message));
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
      const response = await request(`${this.#url}${box}?after=${after}`, { signal });
      for (const { number, age, body } of ((await response.json()) as SealedMessages).messages) {
        after = number;
        if (box === this.address) sessionStorage.setItem(READ + box, String(number)); // or a reload would answer twice
        const text = await unseal(this.#key, body).catch(() => undefined);
        if (text !== undefined) yield { age, message: JSON.parse(text) as unknown };
      }
    }
  }
}

async function request(url: string, init: RequestInit): Promise<Response> {
  const privacy = { credentials: "omit", referrerPolicy: "no-referrer" } as const;
  const response = await fetchWithTimeout(url, { ...init, ...privacy }, TIMEOUT);
  if (response.ok) return response;
  throw new Error(`rendezvous: ${response.status}`);
}
