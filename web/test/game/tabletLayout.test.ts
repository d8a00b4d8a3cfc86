import { describe, expect, it } from "vitest";
import { meant } from "../../src/views/tablet/touchGuard.svelte.ts";
import { AroundGround } from "../../src/game/tabletBoard.ts";
import { around, onScreen, type Around } from "../../src/game/tabletLayout.ts";
import { asks, facing } from "../../src/game/tabletPrompts.ts";
import { present } from "../../src/game/boardModel.ts";
import { arrowAtStart, CARD, shortest, type Rect } from "../../src/game/geometry.ts";
import { replayed } from "../../src/game/replayedRound.ts";
import type { Options, View } from "../../src/wire.ts";

// lying on a table, in the middle of it as a phone, and on a wall
const SIZES: [number, number][] = [
  [768, 1024], [1024, 768], [820, 1180], [1180, 820], [1366, 1024], [1024, 1366], [1280, 800], [390, 844], [1920, 1080], [3840, 2160], [1280, 720],
];
const PLAYERS = [2, 3, 4, 5, 6, 7, 8];
const BOTH = [false, true];

/** A turned rectangle as it covers the screen. */
function seen({ x, y, w, h, turn = 0 }: Rect): Rect {
  if (turn % 180 === 0) return { x, y, w, h };
  return { x: x + (w - h) / 2, y: y + (h - w) / 2, w: h, h: w };
}
function overlap(a: Rect, b: Rect): boolean {
  return a.x < b.x + b.w - 0.5 && b.x < a.x + a.w - 0.5 && a.y < b.y + b.h - 0.5 && b.y < a.y + a.h - 0.5;
}
function inside(a: Rect, b: Rect): boolean {
  return a.x >= b.x - 0.5 && a.y >= b.y - 0.5 && a.x + a.w <= b.x + b.w + 0.5 && a.y + a.h <= b.y + b.h + 0.5;
}
function expectApart(parts: Record<string, Rect>): void {
  const all = Object.entries(parts);
  for (const [i, [name, rect]] of all.entries())
    for (const [other, otherRect] of all.slice(i + 1)) expect(overlap(rect, otherRect), `${name} over ${other}`).toBe(false);
}
function people(lay: Around): Record<string, Rect> {
  return Object.fromEntries(lay.places.map(({ rect }, place) => [`seat ${place}`, rect]));
}

describe.each(SIZES)("around a table of %i × %i", (width, height) => {
  const lays = BOTH.flatMap((upright) => PLAYERS.map((seats): [string, Around] => [`${seats}${upright ? " upright" : ""}`, around({ width, height, seats, upright })]));

  it.each(lays)("nothing overlaps and everything is on the screen: %s", (_, lay) => {
    const { shop, corner, sentence, middle } = lay;
    expectApart({ ...people(lay), shop, corner, ...(sentence && { sentence }) });
    for (const [name, rect] of Object.entries({ ...people(lay), shop, corner, middle, ...(sentence && { sentence }) }))
      expect(inside(rect, { x: 0, y: 0, w: width, h: height }), name).toBe(true);
  });

  it.each(lays)("wherever the gift on offer lies, it covers nobody and not the shop: %s", (_, lay) => {
    lay.gifts.forEach((gift, place) => {
      const { shop, corner, sentence, middle } = lay;
      expectApart({ gift: seen(gift), shop, corner, ...people(lay), ...(sentence && { sentence }) });
      expect(inside(seen(gift), middle), `gift at ${place}`).toBe(true);
      expect(gift.w / gift.h).toBeCloseTo(CARD);
    });
  });

  it.each(lays)("makes the gift on offer the largest card, and lets it travel: %s", (_, lay) => {
    const ground = new AroundGround(lay, 0);
    lay.places.forEach((_, seat) => {
      const [card] = ground.column(seat, 1);
      expect(lay.gift).toBeGreaterThanOrEqual(card!.w * 1.1);
      expect(card!.w).toBeGreaterThanOrEqual(48);
      const [from, to] = [lay.gifts[seat]!, lay.gifts[(seat + 1) % lay.gifts.length]!];
      expect(Math.hypot(to.x + to.w / 2 - from.x - from.w / 2, to.y + to.h / 2 - from.y - from.h / 2)).toBeGreaterThan(7);
    });
  });

  it.each(lays)("keeps everything of a place inside it, with room for one card more: %s", (_, lay) => {
    const ground = new AroundGround(lay, 0);
    lay.places.forEach((place, seat) => {
      const { label, column, sentence, buttons } = place;
      const parts = { label, column, ...(sentence && { sentence }), ...(buttons && { buttons }) };
      expectApart(parts);
      for (const [name, part] of Object.entries(parts)) expect(inside(seen(onScreen(place, part)), place.rect), name).toBe(true);
      for (const count of [1, 2, 3]) {
        const cards = ground.column(seat, count).map(seen);
        cards.forEach((card, n) => {
          expect(inside(card, place.rect), `card ${n} of ${count}`).toBe(true);
          for (const other of cards.slice(n + 1)) expect(overlap(card, other)).toBe(false);
        });
      }
    });
  });

  it.each(lays)("seats people clockwise: %s", (_, lay) => {
    const centre = { x: width / 2, y: height / 2 };
    const clock = lay.places.map(({ rect }) => {
      const turn = Math.atan2(centre.x - (rect.x + rect.w / 2), rect.y + rect.h / 2 - centre.y);
      return turn;
    });
    const rounds = clock.filter((turn, n) => turn > clock[(n + 1) % clock.length]!);
    expect(rounds).toHaveLength(1); // once round and no further
  });
});

describe("a lying tablet", () => {
  it.each(SIZES)("has two buttons for fingers at every edge of %i × %i", (width, height) => {
    for (const seats of PLAYERS)
      for (const { buttons } of around({ width, height, seats }).places) {
        expect(buttons!.h).toBeGreaterThanOrEqual(44);
        expect(buttons!.w / 2).toBeGreaterThanOrEqual(72);
      }
  });
  it("lets arrows point at the real receiver, whoever holds the card and however it lies", () => {
    const ground = new AroundGround(around({ width: 1024, height: 768, seats: 4 }), 0);
    const bottom = ground.rect({ at: "column", seat: 0, slot: 0, of: 1 });
    const top = ground.rect({ at: "column", seat: 2, slot: 0, of: 1 });
    expect(Math.abs(ground.angle(bottom, 1))).toBeGreaterThan(90); // to the left edge
    const fromTheTop = (((ground.angle(top, 3) + top.turn!) % 360) + 360) % 360; // to the right edge, on the screen
    expect(fromTheTop < 90 || fromTheTop > 270).toBe(true);
  });
});

describe("an arrow in flight", () => {
  it("leaves as it lay and goes the shorter way on the screen, however the card is turned meanwhile", () => {
    const turns = [0, 90, 180, -90, 270];
    const angles = [-170, -45, 0, 30, 200];
    for (const from of turns)
      for (const to of turns)
        for (const [left, angle] of angles.flatMap((one) => angles.map((other) => [one, other] as const))) {
          const start = arrowAtStart({ angle: left, turn: from }, { angle, turn: to });
          expect(shortest(start - left)).toBeCloseTo(0);
          expect(Math.abs(start + from - (angle + to))).toBeLessThanOrEqual(180);
        }
  });
});

describe("a big screen of 1080 lines", () => {
  it.each([[1920, 1080, 1], [3840, 2160, 2]])("is read from four metres at %i × %i", (width, height, scale) => {
    for (const seats of PLAYERS) {
      const lay = around({ width, height, seats, upright: true });
      expect(lay.name).toBeGreaterThanOrEqual(36 * scale);
      expect(lay.claim).toBeGreaterThanOrEqual(64 * scale);
      expect(lay.sentence!.h).toBeGreaterThanOrEqual(lay.claim * 2 + lay.name); // two lines of claim below who says it
    }
  });
});

describe("a sleeve", () => {
  it("does nothing: it lies too broad or too long", () => {
    expect(meant({ kind: "touch", at: 0, wide: 24 }, 120)).toBe(true);
    expect(meant({ kind: "touch", at: 0, wide: 120 }, 120)).toBe(false);
    expect(meant({ kind: "touch", at: 0, wide: 24 }, 3000)).toBe(false);
  });
  it("is no mouse and no keyboard", () => {
    expect(meant({ kind: "mouse", at: 0, wide: 1 }, 3000)).toBe(true);
    expect(meant(null, 0)).toBe(true);
  });
});

describe("a table that everybody sits around", () => {
  const down = { face: "down", back: "left" } as const;
  const scene = (phase: object, claims: "spoken" | "entered") => {
    const round = { turn: 4, seats: [{ column: [], penalties: [] }, { column: [], penalties: [] }], shop: { top: null, left: 9 }, phase, scores: [0, 0], winners: [] };
    const seats = ["Mum", "Dad"].map((name) => ({ name, kind: "person" as const, away: false }));
    const view = replayed(round as unknown as View, seats, { claims, show_seconds: 0 } as Options);
    return { ...present(view, []), beat: "present" };
  };
  it.each([
    [{ name: "draw", giver: 0 }, "around.draw", { name: 0 }, 0],
    [{ name: "give", giver: 0, card: down, from_shop: true, receivers: [1] }, "around.tell", { giver: 0, receiver: 1 }, 0],
    [{ name: "answer", giver: 0, receiver: 1, card: down, claim: null, from_shop: true }, "around.believe", { giver: 0, receiver: 1 }, 1],
    [{ name: "judge", giver: 0, receiver: 1, card: { face: "up", gift: "hat" } }, "say.judge", {}, 1],
  ])("asks by name and turns to whoever acts (12.1, 12.2): %o", (phase, say, names, seat) => {
    expect(asks(scene(phase, "spoken"))).toMatchObject({ say, names });
    expect(facing(scene(phase, "spoken"))).toBe(seat);
  });
  it("asks for a claim where claims are entered, and for a receiver where there is a choice", () => {
    const give = { name: "give", giver: 0, card: down, from_shop: true, receivers: [1] };
    expect(asks(scene(give, "entered"))?.say).toBe("around.name");
    expect(asks(scene({ ...give, receivers: [1, 2] }, "spoken"))?.say).toBe("around.to_whom");
  });
});
