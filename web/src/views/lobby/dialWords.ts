// The dials of computer players in words: each goes from one word to its opposite.

import { words } from "../../words/words.svelte.ts";

/** The name of each dial, the words at its ends, and the number of the left one. */
export const DIALS = {
  memory: { name: "dial.memory", left: "dial.forgetful", right: "dial.sharp", from: 0 },
  honesty: { name: "dial.honesty", left: "dial.honest", right: "dial.sly", from: 1 },
  trust: { name: "dial.trust", left: "dial.trusting", right: "dial.suspicious", from: 1 },
} as const;
export type Dial = keyof typeof DIALS;
export const DIAL_NAMES = Object.keys(DIALS) as Dial[];

export const STEPS = 4; // from the left to the right; the one in the middle leaves what level and character say

/** Return the number of a step, or null in the middle. */
export function numberAt(dial: Dial, step: number): number | null {
  return step * 2 === STEPS ? null : Math.abs(DIALS[dial].from - step / STEPS);
}

/** Return a number in words; an empty text in the middle third. */
export function wordFor(dial: Dial, number: number): string {
  const { left, right, from } = DIALS[dial];
  const share = Math.abs(number - from); // of the way to the right
  if (share > 0.33 && share < 0.67) return "";
  const word = words.say(share < 0.5 ? left : right);
  return share <= 0.15 || share >= 0.85 ? word : words.say("dial.rather", { word });
}

/** Return a temper in words. */
export function temperOf(dials: Readonly<Record<string, number>>): string {
  return DIAL_NAMES.flatMap((dial) => (dials[dial] === undefined ? [] : wordFor(dial, dials[dial])))
    .filter(Boolean)
    .join(", ");
}
