import { describe, expect, it } from "vitest";
import { BoardLayout } from "../../src/game/boardLayout.ts";
import { CARD, centreOf, onScreen, type Rect } from "../../src/game/geometry.ts";
import { computeTabletLayout, roomForClaim, type TabletLayout } from "../../src/game/tabletLayout.ts";
import { expectApart, inside } from "./rects.ts";

// tablets, a phone, and big screens
const SIZES: [number, number][] = [
  [768, 1024], [1024, 768], [820, 1180], [1180, 820], [1366, 1024], [1024, 1366],
  [1280, 800], [390, 844], [1920, 1080], [3840, 2160], [1280, 720],
];
const PLAYERS = [2, 3, 4, 5, 6, 7, 8];

/** Return the area that a turned rectangle covers. */
function area({ x, y, w, h, turn = 0 }: Rect): Rect {
  if (turn % 180 === 0) return { x, y, w, h };
  return { x: x + (w - h) / 2, y: y + (h - w) / 2, w: h, h: w };
}
/** Return the cards of a column. */
function columnOf(layout: TabletLayout, seat: number, of: number): Rect[] {
  const board = new BoardLayout(layout, 0, layout.places.length);
  return Array.from({ length: of }, (_, slot) => board.rect({ at: "column", seat, slot, of }));
}
function people(layout: TabletLayout): Record<string, Rect> {
  return Object.fromEntries(layout.places.map(({ rect }, place) => [`seat ${place}`, rect]));
}

describe.each(SIZES)("a shared device of %i × %i", (width, height) => {
  const laid = (seats: number): TabletLayout => computeTabletLayout({ width, height, seats });
  const lays = PLAYERS.map((seats): [string, TabletLayout] => [String(seats), laid(seats)]);

  it.each(lays)("has everything on the screen: %s", (_, layout) => {
    const { shop, corner, middle } = layout;
    for (const [name, rect] of Object.entries({ ...people(layout), shop, corner, middle }))
      expect(inside(rect, { x: 0, y: 0, w: width, h: height }), name).toBe(true);
  });

  it.each(lays)("has the gift on offer, seats and shop apart: %s", (_, layout) => {
    layout.gifts.forEach((gift, place) => {
      const { shop, corner, middle } = layout;
      expectApart({ gift: area(gift), shop, corner, ...people(layout) });
      expect(inside(area(gift), middle), `gift at ${place}`).toBe(true);
      expect(gift.w / gift.h).toBeCloseTo(CARD);
    });
  });

  it.each(lays)("has the gift on offer as largest card, which travels: %s", (_, layout) => {
    layout.places.forEach((_, seat) => {
      const [card] = columnOf(layout, seat, 1);
      expect(layout.gift).toBeGreaterThanOrEqual(card!.w * 1.1);
      expect(card!.w).toBeGreaterThanOrEqual(48);
      const from = centreOf(layout.gifts[seat]!);
      const to = centreOf(layout.gifts[(seat + 1) % layout.gifts.length]!);
      expect(Math.hypot(to.x - from.x, to.y - from.y)).toBeGreaterThan(7);
    });
  });

  it.each(lays)("has room for one more card at each place: %s", (_, layout) => {
    layout.places.forEach((place, seat) => {
      const { face, label, column, sentence, buttons } = place;
      const parts = { face, label, column, sentence, buttons };
      expect(face.w).toBeGreaterThanOrEqual(44);
      expectApart(parts);
      for (const [name, part] of Object.entries(parts))
        expect(inside(area(onScreen(place, part)), place.rect), name).toBe(true);
      for (const count of [1, 2, 3]) {
        const cards = columnOf(layout, seat, count).map(area);
        for (const [n, card] of cards.entries()) expect(inside(card, place.rect), `card ${n} of ${count}`).toBe(true);
        expectApart(cards);
      }
    });
  });

  it.each(lays)("seats people clockwise: %s", (_, layout) => {
    const centre = { x: width / 2, y: height / 2 };
    const from = layout.places.map(({ rect }) => centreOf(rect));
    const clock = from.map(({ x, y }) => Math.atan2(centre.x - x, y - centre.y));
    const rounds = clock.filter((turn, n) => turn > clock[(n + 1) % clock.length]!);
    expect(rounds).toHaveLength(1); // once around
  });
});

describe("a tablet", () => {
  it.each(SIZES.slice(0, 2))("of %i × %i has room for a claim near every giver, clear of all else", (width, height) => {
    for (const seats of PLAYERS) {
      const layout = computeTabletLayout({ width, height, seats });
      const { places, shop, corner, gifts } = layout;
      for (const giver of places.keys())
        for (const receiver of [(giver + 1) % seats, (giver + seats - 1) % seats]) {
          const claim = roomForClaim(layout, giver, receiver).area;
          const lines = claim.w * claim.h; // three of 26 px
          expect(lines, `${giver} to ${receiver} of ${seats}`).toBeGreaterThan(20_000);
          const shown = area(onScreen(places[receiver]!, claim));
          expectApart({ shown, shop, corner, gift: area(gifts[receiver]!), ...people(layout) });
          expect(inside(shown, { x: 0, y: 0, w: width, h: height })).toBe(true);
        }
    }
  });

  it.each(SIZES)("of %i × %i has room for two buttons at every place", (width, height) => {
    for (const seats of PLAYERS)
      for (const { buttons } of computeTabletLayout({ width, height, seats }).places) {
        expect(buttons!.h).toBeGreaterThanOrEqual(44);
        expect(buttons!.w / 2).toBeGreaterThanOrEqual(72);
      }
  });
});
