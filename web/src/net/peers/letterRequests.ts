// Guests who ask the holder of a table by its letters: one after the other is shown to a person.

import { jitter } from "../retry.ts";
import { answerLetters, type LetterRequest } from "./letters.ts";
import { messageBoxes } from "./messageBoxes.ts";
import { letterRequests } from "./peerStatus.svelte.ts";
import { invitationHash, shownCode } from "./peerTables.ts";

const RETRY = 2000;
const EXPIRES = 110_000; // a guest waits a little longer

const MOST_SHOWN = 3;
const MOST_REFUSED = 2; // then strangers have to wait:
const PAUSE = 60_000;
let refused = 0;
let pausedUntil = 0;

/** Show a request until it is answered or too old. Return null if nobody is asked, or nobody answers. */
export function askHolder(code: string, request: LetterRequest): Promise<boolean | null> {
  if ((letterRequests.get(code) ?? []).length >= MOST_SHOWN || Date.now() < pausedUntil) return Promise.resolve(null);
  return new Promise((resolve) => {
    const shown = { ...request, answer };
    const timer = setTimeout(() => answer(null), EXPIRES);
    function answer(admit: boolean | null): void {
      clearTimeout(timer);
      refused = admit ? 0 : refused + 1;
      if (refused > MOST_REFUSED) pausedUntil = Date.now() + PAUSE;
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
    await answerLetters(boxes, { letters: shownCode(code), invitation: invitationHash(code) }, signal, (request) => askHolder(code, request)).catch(() => undefined);
    if (!signal.aborted) await new Promise((resolve) => setTimeout(resolve, jitter(RETRY)));
  }
}
