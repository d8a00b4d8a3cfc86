// What there is to do in each chapter of the first game.

import type { May } from "../wire.ts";
import type { Key } from "../words/words.svelte.ts";

// What you may do in each chapter. Where there is nothing to do, you go on when you have read it.
export const MAY: Record<string, May[]> = {
  draw: [{ do: "draw", seat: 0 }],
  give: [{ do: "give", seat: 0, to: [1] }],
  accept: [{ do: "accept", seat: 0 }, { do: "refuse", seat: 0 }],
  give_oldest: [{ do: "give", seat: 0, to: [2] }],
  refuse: [{ do: "accept", seat: 0 }, { do: "refuse", seat: 0 }],
  thank: [{ do: "accept", seat: 0 }, { do: "refuse", seat: 0 }],
  memory: [{ do: "give", seat: 0, to: [2] }],
  doubt: [{ do: "accept", seat: 0 }, { do: "refuse", seat: 0 }],
};
// What is not the wise thing to do there, and what is said to whoever does it.
export const UNWISE: Record<string, { do: string; hint: Key }> = {
  accept: { do: "refuse", hint: "learn.hint_accept" },
  refuse: { do: "accept", hint: "learn.hint_refuse" },
  thank: { do: "refuse", hint: "learn.hint_thank" },
  doubt: { do: "accept", hint: "learn.hint_doubt" },
};
