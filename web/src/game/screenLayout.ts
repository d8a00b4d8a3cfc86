// The layout of a table on a television that nobody holds: people sit all around it.

import { facesOf, inTheWay, roomToSpeak } from "./bubbles.ts";
import { CARD, computeLayout, GAP, OVERSCAN, placeIn, shopIn } from "./geometry.ts";
import type { Layout, Place, Rect, Room } from "./geometry.ts";

interface ScreenLayout extends Layout {
  said: Rect[]; // where words are, by place
}

// Seats at the bottom, left, top and right of a table with people on all sides, by number of players.
export const AROUND: Record<number, [number, number, number, number]> = {
  2: [1, 0, 1, 0],
  3: [1, 1, 0, 1],
  4: [1, 1, 1, 1],
  5: [1, 1, 2, 1],
  6: [2, 1, 2, 1],
  7: [2, 1, 3, 1],
  8: [3, 1, 3, 1],
};
const CORNER = 330; // width of the code in the lower right corner
const [WIDTH, HEIGHT] = [592, 220]; // of what is said: three lines to be read from a sofa
const FIRM = 9; // a claim is large rather than near
const HIGH = 0.3; // of the free height is above the players on the sides, if nobody sits at the top

/** Return faces at all four edges, the gift in the middle with the shop behind it, and a corner for the code.
 * A portrait screen is laid out like a phone. */
export function computeScreenLayout({ width, height, seats }: Room): ScreenLayout {
  if (width < height) {
    const { words, ...upright } = computeLayout({ width, height, seats });
    return { ...upright, words: null, said: upright.places.map(() => words!) };
  }
  const screen = { x: 0, y: 0, w: width, h: height };
  const inner = withoutEdges(screen, OVERSCAN);
  const [bottom, left, top, right] = AROUND[seats]!;
  const scale = Math.max(Math.min(inner.w / 1728, inner.h / 972), 0.36);
  const unit = scale * (top === 0 ? 1.25 : 1);
  const parts = { label: 82 * unit, line: 36 * unit, card: 130 * unit };
  const face = (seats > 3 ? 166 : 184) * unit;
  const tile = { w: face + GAP + 250 * unit, h: face + parts.label };
  const sideY = inner.y + (inner.h - tile.h) * (top === 0 ? HIGH : 1) - (top === 0 ? 0 : tile.h);
  const side = (x: number, count: number, on: Place["side"]): Place[] =>
    count === 0 ? [] : [placeIn({ ...tile, x, y: sideY }, on, parts)];
  const along = (count: number, y: number, across: number): Place[] =>
    Array.from({ length: count }, (_, n) => {
      const w = Math.min(across / count - GAP, tile.w);
      const x = inner.x + (across / count) * (n + 0.5) - w / 2;
      return placeIn({ x, y, w, h: tile.h }, n < count / 2 ? "left" : "right", parts);
    });
  const below = along(bottom, inner.y + inner.h - tile.h, bottom === 1 ? inner.w : inner.w - CORNER * unit).reverse();
  const onRight = side(inner.x + inner.w - tile.w, right, "right");
  const places = [...below, ...side(inner.x, left, "left"), ...along(top, inner.y, inner.w), ...onRight];
  const above = top ? tile.h : 0;
  const centre = { ...inner, y: inner.y + above, h: inner.h - above - tile.h };
  const shopHeight = Math.min(centre.h * 0.28, 150 * unit);
  const widest = width * (seats > 3 ? 0.245 : 0.3);
  const gift = Math.floor(Math.min(widest, (centre.h - shopHeight - 8 * unit) * 0.97 * CARD));
  const across = gift * 1.06; // it has some distance to travel
  const middle = { x: (width - across) / 2, y: centre.y + shopHeight, w: across, h: centre.h - shopHeight - 4 * unit };
  const shop = shopIn({ ...middle, y: centre.y, h: shopHeight - 4 }, 200 * unit, 0);
  const counter = shopIn({ ...middle, y: centre.y, h: centre.h }, gift, 0);
  const frame = { shape: "screen" as const, width, header: 0, height, board: withoutEdges(screen, 0.02) };
  const chairs = { places, face: 150 * unit, line: parts.line };
  const layout: Layout = { ...frame, ...chairs, shop, counter, middle, gift, words: null, actions: null };
  const [w, h] = [CORNER * unit, tile.h * 0.4];
  const corner = { x: inner.x + inner.w - w, y: inner.y + inner.h - h, w, h };
  const wanted = { w: WIDTH * scale, h: HEIGHT * unit };
  const faces = facesOf(layout);
  const taken = [...inTheWay(layout), middle, corner];
  const said = places.map((place, n) => roomToSpeak(faces, n, inner, wanted, taken, FIRM) ?? place.tile);
  return { ...layout, said };
}

/** Cut off a share of the width and of the height at each edge. */
function withoutEdges({ x, y, w, h }: Rect, share: number): Rect {
  return { x: x + w * share, y: y + h * share, w: w * (1 - 2 * share), h: h * (1 - 2 * share) };
}
