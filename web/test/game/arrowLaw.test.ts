import { describe, expect, it } from "vitest";
import { BoardLayout, receiverOf } from "../../src/game/boardLayout.ts";
import { SWING } from "../../src/ui/cardEdge.ts";
import { computeTabletLayout } from "../../src/game/tabletLayout.ts";
import { angle, computeLayout, edge, shortestTurn, slots, type Rect } from "../../src/game/geometry.ts";

const SIZES: [number, number][] = [
  [320, 568], [360, 740], [390, 844], [430, 932], [844, 390], [768, 1024], [1024, 768], [1280, 720], [1920, 1080],
];
const PLAYERS = [3, 4, 5, 6, 7, 8];

/** Return every card that may point: in front of its holder, or in the middle at the holder's edge. */
function cardsOf(board: BoardLayout, holder: number): Rect[] {
  const { layout } = board;
  const column = [1, 2].flatMap((count) => slots(board.seat(holder), layout.gift, count));
  return [...column, edge(layout, board.place(holder))];
}

function distance(a: Rect, b: Rect): number {
  return Math.hypot(a.x + a.w / 2 - b.x - b.w / 2, a.y + a.h / 2 - b.y - b.h / 2);
}

describe.each(SIZES)("arrows at %i × %i", (width, height) => {
  it.each(PLAYERS)("with %i players mean the receiver more than anybody else", (seats) => {
    const board = new BoardLayout(computeLayout({ width, height, seats }), 0, seats);
    for (let holder = 0; holder < seats; holder++)
      for (const back of ["left", "right"] as const) {
        const to = receiverOf(holder, back, board.count)!;
        if (board.layout.shape === "low" && holder * to === 0) continue; // there you sit beside the table
        for (const card of cardsOf(board, holder)) {
          const arrow = board.angle(card, to);
          const off = (seat: number): number => Math.abs(shortestTurn(arrow - angle(card, board.seat(seat).face)));
          for (let other = 0; other < seats; other++) {
            if (other === to || other === holder) continue;
            const further = distance(card, board.seat(other).face) > distance(card, board.seat(to).face);
            const least = further ? -3 : 1; // the receiver has a dashed ring, too
            expect(off(other) - off(to), `${holder} to ${to}, not to ${other}`).toBeGreaterThan(least);
          }
        }
      }
  });

  it.each(PLAYERS)("of your gifts among %i players point to the receiver's side", (seats) => {
    const layout = computeLayout({ width, height, seats });
    if (layout.shape === "low") return; // you sit beside the table
    const board = new BoardLayout(layout, 0, seats);
    for (const card of [1, 2].flatMap((count) => slots(layout.places[0]!, layout.gift, count))) {
      expect(Math.cos((board.angle(card, 1) * Math.PI) / 180)).toBeLessThan(-0.6);
      expect(Math.cos((board.angle(card, seats - 1) * Math.PI) / 180)).toBeGreaterThan(0.6);
    }
  });
});

describe.each([[768, 1024], [1024, 768], [1366, 1024]])("arrows on a tablet of %i × %i", (width, height) => {
  it.each(PLAYERS)("with %i players mean no other player while they swing", (seats) => {
    const board = new BoardLayout(computeTabletLayout({ width, height, seats }), 0, seats);
    for (let holder = 0; holder < seats; holder++)
      for (const back of ["left", "right"] as const) {
        const to = receiverOf(holder, back, board.count)!;
        const card = board.rect({ at: "middle", toward: holder });
        const arrow = board.angle(card, to) + (card.turn ?? 0) - SWING;
        const off = (seat: number): number => Math.abs(shortestTurn(arrow - angle(card, board.face(seat))));
        for (let other = 0; other < seats; other++)
          if (other !== to && other !== holder)
            expect(off(other), `${holder} to ${to}, not to ${other}`).toBeGreaterThan(off(to));
      }
  });
});
