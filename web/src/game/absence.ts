// Players who are away, alone or waiting.

import { may, type Permissions } from "./permissions.ts";
import type { State, TableView } from "../made/wire.ts";

/** Return the seat whose turn it is if that person is away and has no stand-in. */
export function absentSeat(view: TableView): number | null {
  const phase = view.round?.phase;
  if (view.stage !== "play" || view.paused || !phase) return null;
  if (phase.name !== "draw" && phase.name !== "give" && phase.name !== "answer") return null;
  const due = phase.name === "answer" ? phase.receiver : phase.giver;
  const chair = view.seats[due];
  return chair && chair.kind !== "bot" && chair.away && !chair.stand_in ? due : null;
}

/** Return the seat for which the table has waited so long that others may help. */
export function idleSeat({ idle }: TableView): number | null {
  return idle?.help ? idle.for : null;
}

/** Return whether all other players are computer players. */
export function isSolo({ view, you }: State): boolean {
  return you.length > 0 && view.seats.every(({ kind }, seat) => kind === "bot" || you.includes(seat));
}

/** Return whether no other person plays, waits, watches or is to come: a game against computer players. */
export function isAlone(table: State): boolean {
  const { view } = table;
  return isSolo(table) && view.stage !== "lobby" && view.waiting.length === 0 && view.watching === 0;
}

/** Return the name under which this guest waits for the next round. */
export function waitingName(table: Permissions): string | undefined {
  return may(table, "leave")?.names?.[0];
}
