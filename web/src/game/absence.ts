// Who of those who count is not there: nobody says of them that they are choosing their words.

import { may, type Allowed } from "./permissions.ts";
import type { State, TableView } from "../wire.ts";

/** The seat whose turn it is, if that person is away and no computer plays for them. */
export function whoIsAway(view: TableView): number | null {
  const phase = view.round?.phase;
  if (view.stage !== "play" || view.paused || !phase) return null;
  const due = phase.name === "answer" ? phase.receiver : phase.name === "draw" || phase.name === "give" ? phase.giver : null;
  if (due === null) return null;
  const chair = view.seats[due];
  return chair?.kind === "person" && chair.away && !chair.stand_in ? due : null;
}

/** Everybody else at the table is a computer player. */
export function alone({ view, you }: State): boolean {
  return you.length > 0 && view.seats.every(({ kind }, seat) => kind === "bot" || you.includes(seat));
}

/** The name under which somebody without a seat waits for the next round. */
export function waitsAs(table: Allowed): string | undefined {
  return may(table, "leave")?.names?.[0];
}
