// Message boxes at a rendezvous, over HTTP with long polling (src/notahat/server/http/rendezvous.py).

import { jitter } from "../retry.ts";
import type { SealedMessages } from "../../wire.ts";
import type { BoxMessage, MessageBoxes } from "./messageBoxes.ts";

const READ = "notahat.read.";
const MOST_TRIES = 3;
const RETRY = 700;
const WITHOUT_IDENTITY = { credentials: "omit", referrerPolicy: "no-referrer" } as const;

export class HttpBoxes implements MessageBoxes {
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
        return await this.#putOnce(box, body);
      } catch (error) {
        if (tries <= 1) throw error;
        await new Promise((resolve) => setTimeout(resolve, jitter(RETRY)));
      }
    }
  }

  async #putOnce(box: string, body: string): Promise<void> {
    const response = await fetch(this.#url + box, { method: "POST", body, ...WITHOUT_IDENTITY });
    if (!response.ok) throw new Error(`rendezvous: ${response.status}`);
  }

  async *take(box: string, signal: AbortSignal): AsyncGenerator<BoxMessage> {
    for (let after = Number(sessionStorage.getItem(READ + box) ?? 0); ; ) {
      const response = await fetch(`${this.#url}${box}?after=${after}`, { signal, ...WITHOUT_IDENTITY });
      if (!response.ok) throw new Error(`rendezvous: ${response.status}`);
      for (const { number, age, body } of ((await response.json()) as SealedMessages).messages) {
        after = number;
        if (box === this.#kept) sessionStorage.setItem(READ + box, String(number)); // a page that was loaded again does not answer twice
        yield { age, body };
      }
    }
  }
}
