// Reveals wrapped cards in a replay. The hidden gifts come from the story.

import type { FaceDown, FaceUp, Story, View } from "../made/wire.ts";

/** Return the view after a step (0 is the deal) with the gift inside every wrapped card. */
export function revealCards(story: Story, step: number): View {
  const round = story.steps[step - 1]?.view ?? story.first;
  const columns = story.steps[step - 1]?.columns ?? [];
  const inHand = story.steps[step]?.gift ?? null;
  const seats = round.seats.map((seat, n) => {
    return { ...seat, column: seat.column.map((card, slot) => reveal(card, columns[n]?.[slot])) };
  });
  const phase = "card" in round.phase ? { ...round.phase, card: reveal(round.phase.card, inHand) } : round.phase;
  return { ...round, seats, phase } as View;
}

function reveal(card: FaceUp | FaceDown, inside: string | null | undefined): FaceUp | (FaceDown & { inside?: string }) {
  return card.face === "down" && inside ? { ...card, inside } : card;
}
