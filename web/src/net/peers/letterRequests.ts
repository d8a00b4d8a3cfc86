// Guests who ask the holder of a table by its letters: one after the other is shown to a person.

import { jitter } from "../retry.ts";
import { answerLetters, type LetterRequest } from "./letters.ts";
import { messageBoxes } from "./messageBoxes.ts";
import { letterRequests } from "./peerStatus.svelte.ts";
import { invitationHash, shownCode } from "./peerTables.ts";

const RETRY = 2000;
const EXPIRES = 110_000; // a guest waits a little longer

/** Show a request until it is answered or too old. */
function ask(code: string, request: LetterRequest): Promise<boolean> {
  return new Promise((resolve) => {
    const shown = { ...request, answer };
    const timer = setTimeout(() => answer(false), EXPIRES);
    function answer(admit: boolean): void {
      clearTimeout(timer);
      const others = (letterRequests.get(code) ?? []).filter((one) => one !== shown);
      if (others.length > 0) letterRequests.set(code, others);
      else letterRequests.delete(code);
      resolve(admit);
    }
    letterRequests.set(code, [...(letterRequests.get(code) ?? []), shown]);
  });
}

/** Answer guests until the signal, also after the rendezvous was out of reach. */
export async function answerLettersAgain(code: string, signal: AbortSignal): Promise<void> {
  const boxes = messageBoxes("");
  while (boxes && !signal.aborted) {
    await answerLetters(boxes, { letters: shownCode(code), invitation: invitationHash(code) }, signal, (request) => ask(code, request)).catch(() => undefined);
    if (!signal.aborted) await new Promise((resolve) => setTimeout(resolve, jitter(RETRY)));
  }
}
