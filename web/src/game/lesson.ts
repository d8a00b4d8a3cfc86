// The tutorial, written by tools/record_lesson.py: the states of a round, and its chapters.

import type { GuestCommand, State } from "../made/wire.ts";

interface Chapter {
  chapter: string;
  at: number; // the index of its last state: its text is shown while those after the last chapter are played
  order: { do: GuestCommand["do"]; claim?: string | null } | null; // the expected command; null: only text to read
  hint: string; // shown after another command
  waits: boolean; // for the learner to continue; else a chapter without an order ends by itself
}
export interface Lesson {
  chapters: Chapter[];
  states: State[];
}

/** Return whether a command is the expected one. */
export const isExpected = ({ order }: Chapter, command: GuestCommand): boolean =>
  command.do === order?.do && (command.do !== "give" || command.claim === order.claim);

const LEAST_MS = 3000;
const LETTER_MS = 60;

/** Return how long a text that disappears by itself stays, to be read calmly. */
export const readingTime = (text: string): number => Math.max(LEAST_MS, LETTER_MS * text.length);
