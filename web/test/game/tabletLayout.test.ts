import { describe, expect, it } from "vitest";
import { BoardLayout } from "../../src/game/boardLayout.ts";
import { CARD, onScreen, type Rect } from "../../src/game/geometry.ts";
import { computeTabletLayout, type TabletLayout } from "../../src/game/tabletLayout.ts";
import { expectApart, inside, overlap } from "./rects.ts";

// tablets, a phone, and big screens
const SIZES: [number, number][] = [
  [768, 1024], [1024, 768], [820, 1180], [1180, 820], [1366, 1024], [1024, 1366], [1280, 800], [390, 844], [1920, 1080], [3840, 2160], [1280, 720],
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
  const lays = PLAYERS.map((seats): [string, TabletLayout] => [String(seats), computeTabletLayout({ width, height, seats })]);

  it.each(lays)("has everything on the screen without overlap: %s", (_, layout) => {
    const { shop, corner, middle } = layout;
    expectApart({ ...people(layout), shop, corner });
    for (const [name, rect] of Object.entries({ ...people(layout), shop, corner, middle }))
      expect(inside(rect, { x: 0, y: 0, w: width, h: height }), name).toBe(true);
  });

  it.each(lays)("has the gift on offer clear of seats and shop: %s", (_, layout) => {
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
      const [from, to] = [layout.gifts[seat]!, layout.gifts[(seat + 1) % layout.gifts.length]!];
      expect(Math.hypot(to.x + to.w / 2 - from.x - from.w / 2, to.y + to.h / 2 - from.y - from.h / 2)).toBeGreaterThan(7);
    });
  });

  it.each(lays)("has room for one more card at each place: %s", (_, layout) => {
    layout.places.forEach((place, seat) => {
      const { face, label, column, sentence, buttons } = place;
      const parts = { face, label, column, sentence, buttons };
      expect(face.w).toBeGreaterThanOrEqual(44);
      expectApart(parts);
      for (const [name, part] of Object.entries(parts)) expect(inside(area(onScreen(place, part)), place.rect), name).toBe(true);
      for (const count of [1, 2, 3]) {
        const cards = columnOf(layout, seat, count).map(area);
        cards.forEach((card, n) => {
          expect(inside(card, place.rect), `card ${n} of ${count}`).toBe(true);
          for (const other of cards.slice(n + 1)) expect(overlap(card, other)).toBe(false);
        });
      }
    });
  });

  it.each(lays)("seats people clockwise: %s", (_, layout) => {
    const centre = { x: width / 2, y: height / 2 };
    const clock = layout.places.map(({ rect }) => Math.atan2(centre.x - (rect.x + rect.w / 2), rect.y + rect.h / 2 - centre.y));
    const rounds = clock.filter((turn, n) => turn > clock[(n + 1) % clock.length]!);
    expect(rounds).toHaveLength(1); // once around
  });
});

describe("a tablet", () => {
  it.each(SIZES)("of %i × %i has room for two buttons at every place", (width, height) => {
    for (const seats of PLAYERS)
      for (const { buttons } of computeTabletLayout({ width, height, seats }).places) {
        expect(buttons!.h).toBeGreaterThanOrEqual(44);
        expect(buttons!.w / 2).toBeGreaterThanOrEqual(72);
      }
  });
});
