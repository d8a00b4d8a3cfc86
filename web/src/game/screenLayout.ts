// The layout of a table on a television that nobody holds: people sit all around it.

import { CARD, computeLayout, GAP, placeIn, shopIn, type Layout, type Parts, type Place, type Rect, type Room } from "./geometry.ts";

/** What is said stands beside the gift, at the side of whoever says it. */
export interface ScreenLayout extends Layout {
  sides: [Rect, Rect]; // left and right of the middle
}

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
const WIDEST = 620; // of what is said
const HIGH = 0.3; // of the free height is above the players on the sides, if nobody sits at the top

/** Return faces at all four edges, the gift in the middle with the shop behind it, and a corner for the code. A portrait screen is laid
 * out like a phone. */
export function computeScreenLayout({ width, height, seats }: Room): ScreenLayout {
  if (width < height) {
    const { words, ...upright } = computeLayout({ width, height, seats });
    return { ...upright, words: null, sides: [words!, words!] };
  }
  const inner = { x: width * OVERSCAN, y: height * OVERSCAN, w: width * (1 - 2 * OVERSCAN), h: height * (1 - 2 * OVERSCAN) };
  const [bottom, left, top, right] = AROUND[seats]!;
  const unit = Math.max(Math.min(inner.w / 1728, inner.h / 972), 0.36) * (top === 0 ? 1.25 : 1);
  const parts = { label: 84 * unit, line: 36 * unit, card: 130 * unit };
  const face = 184 * unit;
  const tile = { w: face + GAP + 136 * unit, h: face + parts.label };
  const sideY = inner.y + (inner.h - tile.h) * (top === 0 ? HIGH : 1) - (top === 0 ? 0 : tile.h);
  const side = (x: number, count: number, on: Place["side"]): Place[] => (count === 0 ? [] : [sidePlace({ ...tile, x, y: sideY }, on, parts)]);
  const along = (count: number, y: number, across: number): Place[] =>
    Array.from({ length: count }, (_, n) => {
      const w = Math.min(across / count - GAP, face + GAP + 230 * unit);
      const x = inner.x + (across / count) * (n + 0.5) - w / 2;
      return placeIn({ x, y, w, h: tile.h }, n < count / 2 ? "left" : "right", parts);
    });
  const below = along(bottom, inner.y + inner.h - tile.h, bottom === 1 ? inner.w : inner.w - CORNER * unit).reverse();
  const places = [...below, ...side(inner.x, left, "left"), ...along(top, inner.y, inner.w), ...side(inner.x + inner.w - tile.w, right, "right")];
  const above = top ? tile.h : 0;
  const centre = { ...inner, y: inner.y + above, h: inner.h - above - tile.h };
  const shopHeight = Math.min(centre.h * 0.28, 150 * unit);
  const gift = Math.floor(Math.min(width * 0.3, (centre.h - shopHeight - 8 * unit) * 0.97 * CARD));
  const across = gift * 1.06; // it has some distance to travel
  const middle = { x: (width - across) / 2, y: centre.y + shopHeight, w: across, h: centre.h - shopHeight - 4 * unit };
  const gap = 16 * unit;
  const beside = Math.min(middle.x - inner.x - (left ? face + gap : 0) - gap, WIDEST * unit);
  const foot = left ? sideY + face - parts.card / CARD - gap : centre.y + centre.h - 2 * gap; // above the cards on the sides
  const said = { y: centre.y + 2 * gap, w: beside, h: foot - centre.y - 2 * gap };
  const sides: [Rect, Rect] = [{ ...said, x: middle.x - gap - beside }, { ...said, x: middle.x + middle.w + gap }];
  const shop = shopIn({ ...middle, y: centre.y, h: shopHeight - 4 }, 200 * unit, 0);
  const counter = shopIn({ ...middle, y: centre.y, h: centre.h }, gift, 0);
  const frame = { shape: "screen" as const, width, header: 0, height, board: { x: width * 0.02, y: height * 0.02, w: width * 0.96, h: height * 0.96 } };
  return { ...frame, places, face: 150 * unit, line: parts.line, shop, counter, middle, gift, words: null, actions: null, sides };
}

/** The cards of a player on a side lie at the lower end of the face: what is said there has room above them. */
function sidePlace(tile: Rect, side: Place["side"], parts: Parts): Place {
  const place = placeIn(tile, side, parts);
  const h = parts.card / CARD;
  return { ...place, column: { ...place.column, y: place.face.y + place.face.h - h, h } };
}
