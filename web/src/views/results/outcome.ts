// What a results page derives from the table: who won, and who wants to go on.

import type { TableView } from "../../wire.ts";

/** The winners of the match if it is over, else of the round. */
export function winnersOf({ stage, match, round }: TableView): number[] {
  return stage === "over" ? match!.winners : (round?.winners ?? []);
}

/** The names of players who are not ready yet, and of those who want to play again, out of `asked` players. */
export function votesOf({ seats }: TableView): { waiting: string[]; again: string[]; asked: number } {
  const asked = seats.filter(({ again }) => again !== undefined);
  return {
    waiting: seats.filter(({ ready }) => ready === false).map(({ name }) => name),
    again: asked.filter(({ again }) => again).map(({ name }) => name),
    asked: asked.length,
  };
}
