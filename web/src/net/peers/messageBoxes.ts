// Boxes in which browsers leave sealed messages for each other, at the service that the builder of this site has chosen.

import { HttpBoxes } from "./httpBoxes.ts";
import { rendezvousUrl } from "./peerTables.ts";

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

/** Return the boxes of this site; null if it has none. Messages in the box `kept` that this tab has read are not read again. */
export function messageBoxes(kept: string): MessageBoxes | null {
  return rendezvousUrl() ? new HttpBoxes(rendezvousUrl(), kept) : null;
}
