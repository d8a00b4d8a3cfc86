// What lies on the table now, for the live region: one text for each seat, the shop and the middle. Only what the screen shows.

import { receiverOf } from "../../game/boardLayout.ts";
import type { BoardModel, CardSide } from "../../game/boardModel.ts";
import { words } from "../../words/words.svelte.ts";

/** Describe the seats in their order, this player's first, then the shop and the gift in the middle. */
export function describeBoard(board: BoardModel, you: readonly number[]): string[] {
  const { seats } = board.view;
  const self = selfOf(you);
  const cardText = (card: CardSide, to: number | null): string => describeCard(board, self, card, to);

  function seatText(seat: number): string {
    const things = board.resting.flatMap(({ card, at }) =>
      at.at === "column" && at.seat === seat ? [cardText(card, card.face === "down" ? receiverOf(seat, card.back, seats.length) : null)] : [],
    );
    const n = board.penalties[seat]?.length ?? 0;
    if (things.length === 0) things.push(words.say("live.has_none"));
    if (n > 0) things.push(words.say("table.penalties", { n }));
    return words.say(seat === self ? "live.has_you" : "live.has", { name: seats[seat]!.name, things: things.join("; ") });
  }

  const texts = board.penalties.map((_, n, all) => seatText((n + (self ?? 0)) % all.length));
  if (board.shop.top !== null) texts.push(words.say("live.has", { name: words.say("table.shop"), things: words.withArticle(board.shop.top) }));
  return [...texts, ...describeMiddle(board, you)];
}

/** Describe the gift in the middle, if there is one: for a wrapped one only to whom it goes. */
export function describeMiddle(board: BoardModel, you: readonly number[]): string[] {
  const middle = board.resting.find(({ at }) => at.at === "middle");
  return middle ? [words.say("live.middle", { things: describeCard(board, selfOf(you), middle.card, board.receiver) })] : [];
}

function describeCard({ view }: BoardModel, self: number | null, card: CardSide, to: number | null): string {
  if (card.face === "up") return words.withArticle(card.gift);
  if (to === null) return words.say("table.wrapped_any");
  return words.say("table.wrapped", { name: to === self ? words.say("table.yourself") : view.seats[to]!.name });
}

function selfOf(you: readonly number[]): number | null {
  return you.length === 1 ? you[0]! : null;
}
