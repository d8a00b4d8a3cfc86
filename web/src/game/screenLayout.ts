// The layout of a table on a television that nobody holds: people sit all around it.

import { CARD, computeLayout, COUNT, GAP, pad, placeIn, shopIn, type Layout, type Place, type Room } from "./geometry.ts";

// Seats at the bottom, left, top and right of a big screen, by number of players.
const AROUND: Record<number, [number, number, number, number]> = {
  2: [1, 0, 1, 0],
  3: [1, 1, 0, 1],
  4: [1, 1, 1, 1],
  5: [1, 1, 2, 1],
  6: [2, 1, 2, 1],
  7: [2, 1, 3, 1],
  8: [3, 1, 3, 1],
};
const OVERSCAN = 0.05; // televisions cut off this share of the picture at each edge
const CORNER = 330; // width of the code in the lower right corner

/** Return faces at all four edges, what is said beside the gift in the middle, and a corner for the code. A portrait screen is laid
 * out like a phone. */
export function computeScreenLayout({ width, height, seats }: Room): Layout {
  if (width < height) return computeLayout({ width, height, seats });
  const inner = { x: width * OVERSCAN, y: height * OVERSCAN, w: width * (1 - 2 * OVERSCAN), h: height * (1 - 2 * OVERSCAN) };
  const unit = Math.max(Math.min(inner.w / 1728, inner.h / 972), 0.36);
  const [bottom, left, top, right] = AROUND[seats]!;
  const parts = { label: 96 * unit, line: 38 * unit, card: 150 * unit };
  const row = { face: 190 * unit, h: 190 * unit + parts.label };
  const sideTile = { w: 240 * unit + GAP + 156 * unit, h: 240 * unit + parts.label };
  const side = (x: number, count: number, on: Place["side"]): Place[] => (count === 0 ? [] : [placeIn({ ...sideTile, x, y: inner.y + (inner.h - sideTile.h) / 2 }, on, parts)]);
  const along = (count: number, y: number, across: number): Place[] =>
    Array.from({ length: count }, (_, n) => {
      const w = Math.min(across / count - GAP, row.face + GAP + 230 * unit);
      const x = inner.x + (across / count) * (n + 0.5) - w / 2;
      return placeIn({ x, y, w, h: row.h }, n < count / 2 ? "left" : "right", parts);
    });
  const below = along(bottom, inner.y + inner.h - row.h, bottom === 1 ? inner.w : inner.w - CORNER * unit).reverse();
  const places = [...below, ...side(inner.x, left, "left"), ...along(top, inner.y, inner.w), ...side(inner.x + inner.w - sideTile.w, right, "right")];
  const from = left ? sideTile.w + 24 * unit : 0;
  const above = top ? row.h : 0;
  const centre = pad({ x: inner.x + from, y: inner.y + above, w: inner.w - 2 * from, h: inner.h - above - row.h }, 6 * unit);
  const gift = Math.floor(Math.min(width * 0.27, centre.h * 0.84 * CARD, Math.max(width * 0.241, centre.w * 0.48)));
  const middle = { x: centre.x + centre.w - gift * 1.06, y: centre.y, w: gift * 1.06, h: centre.h };
  const said = { ...centre, w: centre.w - middle.w - 24 * unit };
  const shopHeight = 118 * unit + COUNT;
  const words = { ...said, h: said.h - shopHeight };
  const frame = { shape: "screen" as const, width, header: 0, height, board: { x: width * 0.02, y: height * 0.02, w: width * 0.96, h: height * 0.96 } };
  return { ...frame, places, face: 150 * unit, line: parts.line, shop: shopIn({ ...said, y: words.y + words.h, h: shopHeight }, 170 * unit), middle, gift, words, actions: null };
}
