// Message boxes at a rendezvous, over HTTP with long polling (src/notahat/server/http/rendezvous.py).

import { jitter } from "../retry.ts";
import type { SealedMessages } from "../../wire.ts";
import { linkedSignal } from "./linkedSignal.ts";

const READ = "notahat.read.";
const MOST_TRIES = 3;
const RETRY = 700;
const TAKE_TIMEOUT = 30_000; // a rendezvous answers within 20 seconds, also without a message

export interface BoxMessage {
  age: number; // seconds since it was sent
  body: string;
}

/** Boxes at a rendezvous. Messages in the box `kept` that this tab has read are not read again. */
export class HttpBoxes {
  readonly #url: string;
  readonly #kept: string;

  constructor(rendezvous: string, kept: string) {
    this.#url = `${rendezvous.replace(/\/$/, "")}/api/rendezvous/`;
    this.#kept = kept;
  }

  /** Put a message into a box; try again if the rendezvous is busy. */
  async put(box: string, body: string): Promise<void> {
    for (let tries = MOST_TRIES; ; tries--) {
      try {
        return void (await request(this.#url + box, { method: "POST", body }));
      } catch (error) {
        if (tries <= 1) throw error;
        await new Promise((resolve) => setTimeout(resolve, jitter(RETRY)));
      }
    }
  }

  /** Yield the messages of a box as they come, until the signal. Throw if the rendezvous fails. */
  async *take(box: string, signal: AbortSignal): AsyncGenerator<BoxMessage> {
    for (let after = Number(sessionStorage.getItem(READ + box) ?? 0); ; ) {
      const { messages } = await this.#poll(`${this.#url}${box}?after=${after}`, signal);
      for (const { number, age, body } of messages) {
        after = number;
        if (box === this.#kept) sessionStorage.setItem(READ + box, String(number)); // a page that was loaded again does not answer twice
        yield { age, body };
      }
    }
  }

  /** Wait for messages, but not for ever for a rendezvous that does not answer. */
  async #poll(url: string, signal: AbortSignal): Promise<SealedMessages> {
    const limited = linkedSignal(signal, TAKE_TIMEOUT);
    try {
      const response = await request(url, { signal: limited.signal });
      return (await response.json()) as SealedMessages;
    } finally {
      limited.end();
    }
  }
}

async function request(url: string, init: RequestInit): Promise<Response> {
  const response = await fetch(url, { ...init, credentials: "omit", referrerPolicy: "no-referrer" });
  if (response.ok) return response;
  throw new Error(`rendezvous: ${response.status}`);
}
