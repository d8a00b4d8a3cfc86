// What lies on the table now, for the live region: one text for each seat, the shop and the middle. Only what the screen shows.

import { receiverOf } from "../../game/boardLayout.ts";
import type { BoardModel, CardSide } from "../../game/boardModel.ts";
import { words } from "../../words/words.svelte.ts";

/** Describe the seats in their order, this player's first, then the shop and the gift in the middle. */
export function describeBoard(board: BoardModel, you: readonly number[]): string[] {
  const { seats } = board.view;
  const self = you.length === 1 ? you[0]! : null;
  const nameOf = (seat: number): string => (seat === self ? words.say("table.yourself") : seats[seat]!.name);
  const cardText = (card: CardSide, to: number | null): string =>
    card.face === "up" ? words.withArticle(card.gift) : to === null ? words.say("table.wrapped_any") : words.say("table.wrapped", { name: nameOf(to) });

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
  const middle = board.resting.find(({ at }) => at.at === "middle");
  if (middle) texts.push(words.say("live.middle", { things: cardText(middle.card, board.receiver) }));
  return texts;
}
