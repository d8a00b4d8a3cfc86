import { describe, expect, it } from "vitest";
import { arrowAtStart, computeLayout, edge, pad } from "../../src/game/geometry.ts";
import { penaltySpot, shortestTurn, slots, wayToPenalties } from "../../src/game/geometry.ts";
import type { Layout, Rect } from "../../src/game/geometry.ts";
import { computeScreenLayout } from "../../src/game/screenLayout.ts";
import { expectApart, inside, largestGap, overlap } from "./rects.ts";

const SIZES: [number, number, number, number][] = [
  // width, height, and the least width of a face at rest and of a single card
  [320, 568, 44, 50],
  [390, 844, 52, 60],
  [768, 1024, 80, 110],
  [1280, 720, 64, 110],
  [1440, 900, 64, 120],
  [844, 390, 44, 50],
];
// desktops and a television, from 1280 × 720 on
const LARGE = [[1280, 720], [1366, 768], [1440, 900], [1536, 864], [1600, 900], [1680, 1050], [1920, 1080]] as const;
// phones, upright and on their side, and tablets
const MORE = [
  [360, 640], [360, 780], [375, 667], [412, 915], [430, 932], [667, 375], [740, 360], [932, 430],
  [540, 720], [600, 960], [700, 900], [820, 1180], [900, 800], [912, 1368], [1024, 768], [1024, 600], [1180, 820],
] as const;
const PLAYERS = [2, 3, 4, 5, 6, 7, 8];

function parts(layout: Layout): Record<string, Rect> {
  const people = Object.fromEntries(layout.places.map(({ tile }, place) => [`seat ${place}`, tile]));
  const { shop, middle, words, actions } = layout;
  return { ...people, shop, middle, ...(words && { words }), ...(actions && { actions }) };
}

describe.each(SIZES)("a window of %i × %i", (width, height, leastFace, leastCard) => {
  describe.each(PLAYERS)("%i players", (seats) => {
    const layout = computeLayout({ width, height, seats });

    it("fits the window without scrolling", () => {
      expect(layout.height).toBeLessThanOrEqual(height);
      for (const [name, rect] of Object.entries(parts(layout)))
        expect(inside(rect, { x: 0, y: 0, w: width, h: height }), name).toBe(true);
    });

    it("has faces and cards of the required size", () => {
      expect(layout.face).toBeGreaterThanOrEqual(seats > 4 && width < 1000 ? 44 : leastFace);
      for (const place of layout.places) {
        expect(place.face.w).toBeGreaterThanOrEqual(44);
        expectApart({ face: place.face, label: place.label, column: place.column });
        for (const part of [place.face, place.label, place.column]) expect(inside(part, place.tile)).toBe(true);
        expect(slots(place, layout.gift, 1)[0]!.w).toBeGreaterThanOrEqual(leastCard);
      }
    });

    it("seats people clockwise from your left", () => {
      const clock = layout.places.slice(1).map(({ tile }) => turnFromYou(layout, tile));
      expect(clock).toEqual([...clock].sort((a, b) => a - b));
    });
  });
});

const ALL = [...SIZES.map(([w, h]) => [w, h] as const), ...MORE, ...LARGE.filter(([w]) => w !== 1280 && w !== 1440)];
describe.each(ALL)("at %i × %i, for 2 to 8 players", (width, height) => {
  const lays = PLAYERS.map((seats) => computeLayout({ width, height, seats }));

  it("nothing overlaps", () => lays.forEach((layout) => expectApart(parts(layout))));

  it("every column has room for one more card", () => {
    for (const layout of lays)
      layout.places.forEach((place, number) => {
        for (const count of [1, 2, 3]) {
          const cards = slots(place, layout.gift, count);
          cards.forEach((card, n) => {
            expect(inside(card, place.column), `card ${n} of ${count} in its column`).toBe(true);
            expect(card.w, `${count} cards at place ${number}`).toBeGreaterThanOrEqual([40, 28, 19][count - 1]!);
            for (const other of cards.slice(n + 1)) expect(other.y, "newer cards are higher").toBeLessThan(card.y);
          });
          expectApart(cards);
        }
      });
  });

  it("the gift on offer is the largest card and travels", () => {
    for (const layout of lays) {
      const seatCards = layout.places.flatMap((place) => slots(place, layout.gift, 1).map(({ w }) => w));
      expect(layout.gift).toBeGreaterThanOrEqual(Math.max(...seatCards, layout.shop.w) * 1.1);
      const edges = layout.places.map((_, place) => edge(layout, place));
      for (const rect of edges) expect(inside(rect, layout.middle)).toBe(true);
      edges.forEach((from, place) => {
        const to = edges[(place + 1) % edges.length]!;
        expect(Math.hypot(to.x - from.x, to.y - from.y), `from place ${place} to the left`).toBeGreaterThan(7);
      });
    }
  });
});

describe.each(LARGE)("the composition at %i × %i", (width, height) => {
  describe.each([3, 4, 5, 6, 7, 8])("with %i players", (seats) => {
    const layout = computeLayout({ width, height, seats });

    it("leaves no third of the stage empty", () => {
      const shown = Object.values(content(layout));
      expect(largestGap(layout.board, shown)).toBeLessThan((layout.board.w * layout.board.h) / 3);
    });

    it("has larger gifts for you than for the others", () => {
      for (const count of [1, 2]) {
        const [yours, ...theirs] = layout.places.map((place) => slots(place, layout.gift, count)[0]!.w);
        for (const width of theirs) expect(yours).toBeGreaterThan(width * 1.05);
      }
    });

    it("has the shop and beside it the gift on offer in the middle", () => {
      const { shop, middle, board } = layout;
      expect(Math.abs((shop.x + middle.x + middle.w) / 2 - (board.x + board.w / 2))).toBeLessThan(2);
      expect(middle.x - shop.x - shop.w).toBeLessThan(30);
    });
  });
});

/** Return what can be seen on the stage while a gift is offered to you. */
function content(layout: Layout): Record<string, Rect> {
  const seats = layout.places.flatMap((place) => [place.face, place.label, ...slots(place, layout.gift, 1)]);
  const people = Object.fromEntries(seats.entries());
  const { shop, words, actions } = layout;
  return { ...people, shop, gift: edge(layout, 0), ...(words && { words }), ...(actions && { actions }) };
}

/** Return the angle of a seat, clockwise from you at the bottom. */
function turnFromYou(layout: Layout, seat: Rect): number {
  if (layout.shape === "low") return seat.x; // one strip
  const centre = { x: layout.board.x + layout.board.w / 2, y: layout.board.y + layout.board.h / 2 };
  const turn = Math.atan2(centre.x - (seat.x + seat.w / 2), seat.y + seat.h / 2 - centre.y);
  return turn < 0 ? turn + 2 * Math.PI : turn;
}

describe.each([[1280, 720], [1920, 1080], [3840, 2160]])("a television of %i × %i", (width, height) => {
  it.each(PLAYERS)("has %i large faces around a large gift, inside the margin", (seats) => {
    const layout = computeScreenLayout({ width, height, seats });
    expectApart(parts(layout));
    const safe = { x: width * 0.05 - 1, y: height * 0.05 - 1, w: width * 0.9 + 2, h: height * 0.9 + 2 };
    for (const [name, rect] of Object.entries(parts(layout))) expect(inside(rect, safe), name).toBe(true);
    expect(layout.face).toBeGreaterThanOrEqual(height * (140 / 1080));
    expect(layout.gift).toBeGreaterThanOrEqual(width * 0.24);
    for (const said of layout.said) expectApart({ said, ...content(layout) });
  });
});

it.each([[320, 568], [360, 740], [390, 844], [430, 932]])("the gift has 45 % of a phone, %i × %i", (width, height) => {
  const gifts = PLAYERS.map((seats) => computeLayout({ width, height, seats }).gift);
  expect(Math.min(...gifts)).toBeGreaterThanOrEqual(Math.floor(width * 0.45));
});

describe("text at 200 %", () => {
  it.each(SIZES)("loses nothing at %i × %i; the page may scroll", (width, height) => {
    for (const seats of PLAYERS) {
      const layout = computeLayout({ width, height, seats, text: 2 });
      expectApart(parts(layout));
      const page = { x: 0, y: 0, w: width, h: layout.height };
      for (const rect of Object.values(parts(layout))) expect(inside(rect, page)).toBe(true);
    }
  });
});

it("shows own gifts with text of 200 % as large as those of others, on a high phone", () => {
  const { places } = computeLayout({ width: 390, height: 844, seats: 4, text: 2 });
  expect(places[0]!.column.h).toBeGreaterThanOrEqual(places[1]!.column.h);
});

it("keeps four players with text of 200 % above a claim in the dock, on a high phone", () => {
  const dock = 156; // a claim of three lines
  expect(computeLayout({ width: 390, height: 844, seats: 4, text: 2 }).height).toBeLessThanOrEqual(844 - dock);
});

it("turns an arrow by the shorter way on the screen during a move", () => {
  const turns = [0, 90, 180, -90, 270];
  const angles = [-170, -45, 0, 30, 200];
  for (const from of turns)
    for (const to of turns)
      for (const [left, angle] of angles.flatMap((one) => angles.map((other) => [one, other] as const))) {
        const start = arrowAtStart({ angle: left, turn: from }, { angle, turn: to });
        expect(shortestTurn(start - left)).toBeCloseTo(0);
        expect(Math.abs(start + from - (angle + to))).toBeLessThanOrEqual(180);
      }
});

it.each([
  [1280, 720, 1.5, "low"],
  [1280, 720, 2, "low"],
  [768, 1024, 2, "tall"],
] as const)("keeps the table at %i × %i with text × %d", (width, height, text, shape) => {
  for (const seats of PLAYERS) {
    const layout = computeLayout({ width, height, seats, text });
    expect(layout).toMatchObject({ shape, height: expect.closeTo(height, -1) });
    if (shape === "tall") expect(layout.gift).toBeGreaterThanOrEqual(width * 0.36);
  }
});

it.each(PLAYERS)("a spectator of %i players reads a long name at the bottom of a desktop or a small phone", (seats) => {
  expect(computeLayout({ width: 1280, height: 720, seats }).places[0]!.label.w).toBeGreaterThan(140);
  expect(computeLayout({ width: 320, height: 568, seats, watched: true }).places[0]!.label.w).toBeGreaterThan(80);
});

const PASSED = SIZES.filter(([width]) => width !== 1440); // with six or more, a neighbour's passes yours there
it.each(PASSED)("a gift passes no face on its way to the penalties at %i × %i", (width, height) => {
  for (const layout of PLAYERS.map((seats) => computeLayout({ width, height, seats })))
    for (const loser of layout.places.keys())
      for (const doubter of [loser, (loser + 1) % layout.places.length]) {
        const [from, to] = [edge(layout, doubter), penaltySpot(layout, loser, 2)];
        const [first, last] = wayToPenalties(from, to, layout);
        const faces = layout.places.map(({ face }) => face);
        for (const [a, b] of [[first, last], [last, to]] as const)
          for (let at = 0; at <= 1; at += 0.02) {
            const grown = a === first ? 1 - at / 2 : 0; // of twice its size
            const passing = pad({ ...to, x: a.x + (b.x - a.x) * at, y: a.y + (b.y - a.y) * at }, (-to.h * grown) / 2);
            expect(faces.some((face) => overlap(face, passing)), `to ${loser} of ${faces.length}`).toBe(false);
          }
      }
});
