// Looking back, wrapped cards can be seen through: what lay in them is known from the story, and from nowhere else.

import type { FaceDown, FaceUp, Story, View } from "../wire.ts";

export type SeenThrough = FaceDown & { inside: string };

/** The view after a step (0 is the deal), with what is inside every wrapped card. */
export function seenThrough(story: Story, step: number): View {
  const round = story.steps[step - 1]?.view ?? story.first;
  const columns = story.steps[step - 1]?.columns ?? [];
  const air = story.steps[step]?.gift ?? null;
  const seats = round.seats.map((seat, n) => ({ ...seat, column: seat.column.map((card, slot) => through(card, columns[n]?.[slot])) }));
  const phase = "card" in round.phase ? { ...round.phase, card: through(round.phase.card, air) } : round.phase;
  return { ...round, seats, phase } as View;
}

function through(card: FaceUp | FaceDown, inside: string | null | undefined): FaceUp | FaceDown | SeenThrough {
  return card.face === "down" && inside ? { ...card, inside } : card;
}
