// The first game as tools/record_lesson.py writes it: the states of a round, and the chapters it is told in.

import type { GuestCommand, State } from "../wire.ts";

export interface Chapter {
  chapter: string;
  at: number; // the state it starts from
  order: { do: GuestCommand["do"]; claim?: string | null } | null; // what you are to do; null where you read and go on
  hint: string; // what is said to whoever does something else
}
export interface Lesson {
  chapters: Chapter[];
  states: State[];
}

/** Whether an order is the one that the lesson goes on with. */
export const wise = ({ order }: Chapter, command: GuestCommand): boolean =>
  command.do === order?.do && (command.do !== "give" || command.claim === order.claim);
