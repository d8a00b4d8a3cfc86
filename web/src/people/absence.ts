// Somebody must act and is not there: nobody says of them that they are choosing their words.

import type { TableView } from "../wire.ts";

/** The seat whose turn it is, if that person is away and no computer plays for them. */
export function whoIsAway(view: TableView): number | null {
  const phase = view.round?.phase;
  if (view.stage !== "play" || view.paused || !phase) return null;
  const due = phase.name === "answer" ? phase.receiver : phase.name === "draw" || phase.name === "give" ? phase.giver : null;
  if (due === null) return null;
  const chair = view.seats[due];
  return chair?.kind === "person" && chair.away && !chair.stand_in ? due : null;
}
