// The tutorial, written by tools/record_lesson.py: the states of a round, and its chapters.

import type { GuestCommand, State } from "../wire.ts";

export interface Chapter {
  chapter: string;
  at: number; // the index of its first state
  order: { do: GuestCommand["do"]; claim?: string | null } | null; // the expected command; null if there is only text to read
  hint: string; // shown after another command
}
export interface Lesson {
  chapters: Chapter[];
  states: State[];
}

/** Return whether a command is the expected one. */
export const isExpected = ({ order }: Chapter, command: GuestCommand): boolean =>
  command.do === order?.do && (command.do !== "give" || command.claim === order.claim);
