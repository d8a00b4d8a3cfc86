// What lies on the table now, for the live region: one text for each seat, the shop and the middle.

import { receiverOf } from "../../game/boardLayout.ts";
import type { BoardModel, CardSide } from "../../game/boardModel.ts";
import { words } from "../../words/words.svelte.ts";

/** Describe the seats in their order, this player's first, then the shop and the gift in the middle. */
export function describeBoard(board: BoardModel, you: readonly number[]): string[] {
  const { seats } = board.view;
  const self = selfOf(you);

  function seatText(seat: number): string {
    const cards = board.resting.filter(({ at }) => at.at === "column" && at.seat === seat);
    const things = cards.map(({ card }) => {
      const to = card.face === "down" ? receiverOf(seat, card.back, seats.length) : null;
      return describeCard(board, self, card, to);
    });
    const n = board.penalties[seat]?.length ?? 0;
    if (things.length === 0) things.push(words.say("live.has_none"));
    if (n > 0) things.push(words.say("table.penalties", { n }));
    return hasText(seat === self, seats[seat]!.name, things.join("; "));
  }

  const texts = board.penalties.map((_, n, all) => seatText((n + (self ?? 0)) % all.length));
  const { top } = board.shop;
  if (top !== null) texts.push(hasText(false, words.say("table.shop"), words.withArticle(top)));
  return [...texts, ...describeMiddle(board, you)];
}

/** Describe the gift in the middle, if there is one: for a wrapped one only to whom it goes. */
export function describeMiddle(board: BoardModel, you: readonly number[]): string[] {
  const middle = board.resting.find(({ at }) => at.at === "middle");
  if (!middle) return [];
  return [words.say("live.middle", { things: describeCard(board, selfOf(you), middle.card, board.receiver) })];
}

export function hasText(isSelf: boolean, name: string, things: string): string {
  return words.say(isSelf ? "live.has_you" : "live.has", { name, things });
}

function describeCard({ view }: BoardModel, self: number | null, card: CardSide, to: number | null): string {
  if (card.face === "up") return words.withArticle(card.gift);
  if (to === null) return words.say("table.wrapped_any");
  return words.say("table.wrapped", { name: to === self ? words.say("table.yourself") : view.seats[to]!.name });
}

function selfOf(you: readonly number[]): number | null {
  return you.length === 1 ? you[0]! : null;
}
