import { expect, it } from "vitest";
import { edge, penaltySpot, slots, type Rect } from "../../../src/game/geometry.ts";
import { demoLayout } from "../../../src/views/home/demoLayout.ts";

const inside = (a: Rect, w: number, h: number): boolean => a.x >= 0 && a.y >= 0 && a.x + a.w <= w + 0.01 && a.y + a.h <= h + 0.01;
const apart = (a: Rect, b: Rect): boolean => a.x + a.w <= b.x || b.x + b.w <= a.x || a.y + a.h <= b.y || b.y + b.h <= a.y;

it.each([[280, 136], [300, 190], [358, 330], [760, 560], [1100, 800]])("nothing in the demonstration of %d × %d overlaps or leaves it", (w, h) => {
  const layout = demoLayout(w, h, false);
  const seats = [1, 2].flatMap((place) => {
    const { face, label } = layout.places[place]!;
    return [face, label, ...slots(layout.places[place]!, layout.gift, 2)];
  });
  const parts = [layout.words!, layout.shop, ...seats, edge(layout, 1)];
  parts.forEach((part, n) => parts.slice(n + 1).forEach((other) => expect(apart(part, other), JSON.stringify([part, other])).toBe(true)));
  for (const part of [...parts, edge(layout, 2), penaltySpot(layout, 1, 2)]) expect(inside(part, w, h), JSON.stringify(part)).toBe(true);
  expect(layout.face).toBeGreaterThanOrEqual(h < 180 ? 26 : 44);
});
