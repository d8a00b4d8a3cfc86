import { expect, it } from "vitest";
import type { Rect } from "../../../src/game/geometry.ts";
import { DemoLayout } from "../../../src/views/home/demoLayout.ts";

const GAP = 4;

/** Return whether there is a gap between two rectangles. */
const apart = (a: Rect, b: Rect): boolean =>
  a.x + a.w + GAP <= b.x || b.x + b.w + GAP <= a.x || a.y + a.h + GAP <= b.y || b.y + b.h + GAP <= a.y;

it("a penalty in the demonstration touches neither the shop nor the name nor the gift of its player", () => {
  const board = new DemoLayout(360);
  for (const seat of [0, 1]) {
    const penalty = board.rect({ at: "penalty", seat, slot: 0 });
    for (const other of [board.rect({ at: "shop" }), board.seat(seat), board.rect({ at: "column", seat, slot: 0, of: 1 })]) {
      expect(apart(penalty, other)).toBe(true);
    }
  }
});
