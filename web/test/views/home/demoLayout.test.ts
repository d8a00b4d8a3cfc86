import { expect, it } from "vitest";
import { edge, penaltySpot, slots } from "../../../src/game/geometry.ts";
import { demoLayout } from "../../../src/views/home/demoLayout.ts";
import { expectApart, inside } from "../../game/rects.ts";

const SIZES = [[280, 136], [300, 190], [358, 330], [760, 560], [1100, 800]] as const;
it.each(SIZES)("nothing in the demonstration of %d × %d overlaps or leaves it", (w, h) => {
  const layout = demoLayout(w, h, false);
  const seats = [1, 2].flatMap((place) => {
    const { face, label } = layout.places[place]!;
    return [face, label, ...slots(layout.places[place]!, layout.gift, 2)];
  });
  const parts = [layout.words!, layout.shop, ...seats, edge(layout, 1)];
  expectApart(parts);
  for (const part of [...parts, edge(layout, 2), penaltySpot(layout, 1, 2)])
    expect(inside(part, { x: 0, y: 0, w, h }), JSON.stringify(part)).toBe(true);
  expect(layout.face).toBeGreaterThanOrEqual(h < 180 ? 26 : 44);
});
