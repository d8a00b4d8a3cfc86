// The layout of a table on a television that nobody holds: people sit all around it.

import { facesOf, inTheWay, roomToSpeak } from "./bubbles.ts";
import { CARD, computeLayout, GAP, OVERSCAN, placeIn, shopIn } from "./geometry.ts";
import type { Layout, Place, Rect, Room } from "./geometry.ts";

interface ScreenLayout extends Layout {
  said: Rect[]; // where words are, by place
  foot: number; // below the code
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
const ROWS: typeof AROUND = { 5: [2, 0, 3, 0], 6: [3, 0, 3, 0], 7: [3, 0, 4, 0], 8: [4, 0, 4, 0] }; // on televisions
const RING = 0.15; // of a face: the room for the ring about a receiver below the gift
const RING_OUT = 0.1; // how far it is out of the face
const CORNER = 330; // width of the code in the lower right corner
const [WIDTH, HEIGHT, ROOMY] = [580, 220, 296]; // of what is said: three or four lines to be read from a sofa
const FIRM = 9; // a claim is large rather than near
const HIGH = 0.3; // of the free height is above the players on the sides, if nobody sits at the top

/** Return faces at all four edges, the gift in the middle with the shop behind it, and a corner for the code.
 * A portrait screen is laid out like a phone. */
export function computeScreenLayout({ width, height, seats }: Room): ScreenLayout {
  if (width < height) {
    const { words, ...upright } = computeLayout({ width, height, seats });
    return { ...upright, words: null, said: upright.places.map(() => words!), foot: height * OVERSCAN };
  }
  const inner = withoutEdges(width, height, OVERSCAN);
  const [bottom, left, top, right] = ROWS[seats] ?? AROUND[seats]!;
  const scale = Math.max(Math.min(inner.w / 1728, inner.h / 972), 0.36);
  const unit = scale * (top === 0 ? 1.25 : 1);
  const parts = { label: 80 * unit, line: 36 * unit, card: 130 * unit };
  const face = 236 * scale;
  const tile = { w: face + GAP + 250 * unit, h: face + parts.label };
  const sideY = inner.y + (top === 0 ? (inner.h - tile.h) * HIGH : inner.h - 2 * tile.h);
  const side = (x: number, count: number, on: Place["side"]): Place[] =>
    count === 0 ? [] : [placeIn({ ...tile, x, y: sideY }, on, parts)];
  const along = (count: number, y: number, across: number): Place[] =>
    Array.from({ length: count }, (_, n) => {
      const w = Math.min(across / count - GAP, tile.w);
      const x = inner.x + (across - w) * (count === 1 ? 0.5 : n / (count - 1));
      return placeIn({ x, y, w, h: tile.h }, n < count / 2 ? "left" : "right", parts);
    });
  const [w, h] = [CORNER * unit, tile.h * (bottom > 3 ? 0.24 : 0.3)];
  const below = along(bottom, inner.y + inner.h - tile.h, bottom === 1 || bottom > 3 ? inner.w : inner.w - w).reverse();
  const onRight = side(inner.x + inner.w - tile.w, right, "right");
  const places = [...below, ...side(inner.x, left, "left"), ...along(top, inner.y, inner.w), ...onRight];
  const above = GAP + (top ? tile.h : 0);
  const centre = { ...inner, y: inner.y + above, h: inner.h - above - tile.h - face * RING };
  const floor = inner.y + inner.h - tile.h - face * RING_OUT;
  const corner = { x: inner.x + inner.w - w, y: (bottom > 3 ? floor : inner.y + inner.h) - h, w, h };
  const shopHeight = top ? 0 : centre.h * 0.28; // it is above the gift if there is nobody, else beside it
  const gift = Math.floor(Math.min(width * (seats > 3 ? 0.242 : 0.27), (centre.h - shopHeight) * 0.98 * CARD));
  const low = top ? unit * (seats > 4 ? 76 : 103) : 0; // in rows there is room for a claim above the shop
  const x = (width - gift * 1.06 + low * (seats > 4 ? 0.8 : CARD)) / 2; // it has some distance to travel
  const middle = { x, y: centre.y + shopHeight, w: gift * 1.06, h: centre.h - shopHeight };
  const lower = { x: x - low * CARD - 3 * GAP, y: floor - low, w: low * CARD, h: low };
  const shop = shopIn(top ? lower : { ...middle, y: centre.y, h: shopHeight - GAP }, 200 * unit, 0);
  const counter = shopIn({ ...middle, y: centre.y, h: centre.h }, gift, 0);
  const frame = { shape: "screen" as const, width, header: 0, height, board: withoutEdges(width, height, 0.02) };
  const rest = { face: 150 * unit, line: parts.line, words: null, actions: null };
  const layout: Layout = { ...frame, ...rest, places, shop, counter, middle, gift };
  const wanted = { w: WIDTH * scale, h: (top ? HEIGHT : ROOMY) * scale };
  const upper = { ...inner, h: seats > 4 ? tile.h + GAP : 0 }; // a tail needs some room below names
  const taken = [...inTheWay(layout), middle, corner, upper];
  const said = places.map((place, n) => roomToSpeak(facesOf(layout), n, inner, wanted, taken, FIRM) ?? place.tile);
  return { ...layout, said, foot: height - corner.y - corner.h };
}

/** Return a screen without a share of its width and height at each edge. */
function withoutEdges(w: number, h: number, share: number): Rect {
  return { x: w * share, y: h * share, w: w * (1 - 2 * share), h: h * (1 - 2 * share) };
}
