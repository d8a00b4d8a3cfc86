import { describe, expect, it } from "vitest";
import { angle, edge, layout, slots, type Layout, type Rect } from "../../src/game/geometry.ts";

const SIZES: [number, number, number, number][] = [
  // width, height, and the least width of a tile and of a single card on it
  [320, 568, 104, 66],
  [390, 844, 120, 78],
  [768, 1024, 180, 110],
  [1280, 720, 200, 110],
  [1440, 900, 220, 120],
  [844, 390, 104, 66],
];
// and every size between, roughly: phones, tablets, laptops, a television
const MORE: [number, number][] = [
  [360, 640], [360, 780], [375, 667], [412, 915], [430, 932], [540, 720], [600, 960], [700, 900], [820, 1180], [900, 800], [912, 1368],
  [1024, 768], [1024, 600], [1180, 820], [1366, 768], [1536, 864], [1600, 900], [1680, 1050], [1920, 1080], [667, 375], [740, 360], [932, 430],
];
const PLAYERS = [2, 3, 4, 5, 6, 7, 8];

function parts(lay: Layout): Record<string, Rect> {
  const people = Object.fromEntries(lay.seats.map((seat, place) => [`seat ${place}`, seat]));
  const { shop, middle, sentence, actions, talk } = lay;
  return { ...people, shop, middle, ...(sentence && { sentence }), ...(actions && { actions }), ...(talk && { talk }) };
}

function overlap(a: Rect, b: Rect): boolean {
  return a.x < b.x + b.w - 0.5 && b.x < a.x + a.w - 0.5 && a.y < b.y + b.h - 0.5 && b.y < a.y + a.h - 0.5;
}

function inside(a: Rect, b: Rect): boolean {
  return a.x >= b.x - 0.5 && a.y >= b.y - 0.5 && a.x + a.w <= b.x + b.w + 0.5 && a.y + a.h <= b.y + b.h + 0.5;
}

function expectApart(lay: Layout): void {
  const all = Object.entries(parts(lay));
  for (const [i, [name, rect]] of all.entries())
    for (const [other, otherRect] of all.slice(i + 1)) expect(overlap(rect, otherRect), `${name} over ${other}`).toBe(false);
}

describe.each(SIZES)("a window of %i × %i", (width, height, leastTile, leastCard) => {
  describe.each(PLAYERS)("%i players", (seats) => {
    const lay = layout({ width, height, seats });

    it("overlaps nothing", () => expectApart(lay));

    it("fits the window without scrolling", () => {
      expect(lay.height).toBeLessThanOrEqual(height);
      for (const [name, rect] of Object.entries(parts(lay)))
        expect(inside(rect, { x: 0, y: 0, w: width, h: height }), name).toBe(true);
    });

    it("gives people and cards the room that the looks ask for", () => {
      for (const seat of lay.seats) expect(seat.w).toBeGreaterThanOrEqual(leastTile);
      lay.columns.forEach((_, place) => expect(slots(lay, place, 1)[0]!.w).toBeGreaterThanOrEqual(leastCard));
    });

    it("seats people clockwise from your left", () => {
      const clock = lay.seats.slice(1).map((seat) => turnFromYou(lay, seat));
      expect(clock).toEqual([...clock].sort((a, b) => a - b));
    });
  });
});

describe.each([...SIZES.map(([w, h]): [number, number] => [w, h]), ...MORE])("at %i × %i, for 2 to 8 players", (width, height) => {
  const lays = PLAYERS.map((seats) => layout({ width, height, seats }));

  it("nothing overlaps, whoever sits there", () => lays.forEach(expectApart));

  it("has room for one card more in every column, one gift or two", () => {
    for (const lay of lays)
      lay.columns.forEach((_, place) => {
        for (const count of [1, 2, 3]) {
          const cards = slots(lay, place, count);
          cards.forEach((card, n) => {
            expect(inside(card, lay.seats[place]!), `card ${n} of ${count} in its seat`).toBe(true);
            expect(card.w, `${count} cards at place ${place}`).toBeGreaterThanOrEqual(count === 3 ? 36 : 40);
            for (const other of cards.slice(n + 1)) {
              expect(overlap(card, other)).toBe(false);
              expect(other.y, "what is newer lies above").toBeLessThan(card.y);
            }
          });
        }
      });
  });

  it("makes the gift on offer the largest thing, and lets it travel", () => {
    for (const lay of lays) {
      const seatCards = lay.columns.flatMap((_, place) => slots(lay, place, 1).map(({ w }) => w));
      expect(lay.gift).toBeGreaterThanOrEqual(Math.max(...seatCards, lay.shop.w) * 1.1);
      const edges = lay.seats.map((_, place) => edge(lay, place));
      for (const rect of edges) expect(inside(rect, lay.middle)).toBe(true);
      edges.forEach((from, place) => {
        const to = edges[(place + 1) % edges.length]!;
        expect(Math.hypot(to.x - from.x, to.y - from.y), `from place ${place} to the left`).toBeGreaterThan(7);
      });
    }
  });
});

/** How far round the table somebody sits, clockwise from you at the bottom. */
function turnFromYou(lay: Layout, seat: Rect): number {
  if (lay.shape === "low" && lay.seats.length >= 6) return seat.x; // one strip
  const centre = { x: lay.board.x + lay.board.w / 2, y: lay.board.y + lay.board.h / 2 };
  const turn = Math.atan2(centre.x - (seat.x + seat.w / 2), seat.y + seat.h / 2 - centre.y);
  return turn < 0 ? turn + 2 * Math.PI : turn;
}

describe("text at 200 %", () => {
  it.each(SIZES)("loses nothing at %i × %i, though the page may scroll", (width, height) => {
    for (const seats of PLAYERS) {
      const lay = layout({ width, height, seats, text: 2 });
      expectApart(lay);
      for (const rect of Object.values(parts(lay))) expect(inside(rect, { x: 0, y: 0, w: width, h: lay.height })).toBe(true);
    }
  });
});

describe("arrows", () => {
  const lay = layout({ width: 390, height: 844, seats: 4 });
  it("point from your place to the left neighbour's, up and to the left", () => {
    const degrees = angle(lay.seats[0]!, lay.seats[1]!);
    expect(degrees).toBeLessThan(-90);
    expect(degrees).toBeGreaterThan(-180);
  });
  it("point from the top to the right neighbour, down and to the right", () => {
    const degrees = angle(lay.seats[2]!, lay.seats[3]!);
    expect(degrees).toBeGreaterThan(0);
    expect(degrees).toBeLessThan(90);
  });
});
