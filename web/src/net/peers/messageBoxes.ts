// Boxes in which browsers leave sealed messages for each other, at the service that the builder of this site has chosen.

import { loadChunk } from "../fetchAsset.ts";
import { FallbackBoxes } from "./fallbackBoxes.ts";
import { HttpBoxes } from "./httpBoxes.ts";
import { relayUrls, rendezvousUrl } from "./peerTables.ts";

export interface BoxMessage {
  age: number; // seconds since it was sent
  body: string;
}

export interface MessageBoxes {
  /** Put a message into a box. Throw if the service fails. */
  put(box: string, body: string): Promise<void>;
  /** Yield the messages of a box as they come, until the signal. Throw if the service fails. */
  take(box: string, signal: AbortSignal): AsyncGenerator<BoxMessage>;
}

/** Return the boxes of this site: at its rendezvous, at relays only if that does not answer; null if it has neither. Messages in the box
 *  `kept` that this tab has read at the rendezvous are not read again. */
export function messageBoxes(kept: string): MessageBoxes | null {
  const rendezvous = rendezvousUrl() ? new HttpBoxes(rendezvousUrl(), kept) : null;
  const relays = relayUrls().length > 0 ? new LazyRelayBoxes() : null;
  return rendezvous && relays ? new FallbackBoxes(rendezvous, relays) : (rendezvous ?? relays);
}

/** Boxes at the relays of this site. Their code is loaded when it is needed. */
class LazyRelayBoxes implements MessageBoxes {
  #loaded: MessageBoxes | undefined;

  async #boxes(): Promise<MessageBoxes> {
    if (this.#loaded) return this.#loaded;
    if (import.meta.env.MODE !== "site") throw new Error("only static sites have relays"); // so that a server's page goes without their code
    const { RelayBoxes } = await loadChunk(import("./relayBoxes.ts"));
    return (this.#loaded ??= new RelayBoxes(relayUrls()));
  }

  async put(box: string, body: string): Promise<void> {
    return (await this.#boxes()).put(box, body);
  }

  async *take(box: string, signal: AbortSignal): AsyncGenerator<BoxMessage> {
    yield* (await this.#boxes()).take(box, signal);
  }
}
