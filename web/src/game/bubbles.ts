// Where a player can speak: a free rectangle near the face, over no face, name, card or gift, and its tail to the face.

import { clamp, GAP, onScreen, pad, penaltySpot, slots } from "./geometry.ts";
import type { Layout, Place, Point, Rect, Size } from "./geometry.ts";

// of the wanted width and height
const SIZES = [[1, 1.35], [1, 1], [0.84, 1.2], [0.7, 1.4], [0.8, 0.8], [0.64, 0.8], [1.2, 0.5], [0.58, 0.5]] as const;
const LEAST = { w: 56, h: 26 }; // of a short word
const SMALLER = 0.6; // of the wanted width: how much nearer a bubble of no size would have to be

/** Return a free rectangle near the face at a place, small if there is little room, or null. `taken` stays in sight. */
export function roomToSpeak(
  faces: Rect[],
  place: number,
  within: Rect,
  wanted: Size,
  taken: Rect[],
  smaller = SMALLER,
  farthest = Infinity,
): Rect | null {
  const blocked = [...faces, ...taken];
  const others = faces.filter((_, n) => n !== place);
  let [best, least]: [Rect | null, number] = [null, Infinity];
  for (const [across, down] of SIZES) {
    const size = { w: Math.max(wanted.w * across, LEAST.w), h: Math.max(wanted.h * down, LEAST.h) };
    const lost = (1 - Math.min(across, across * down)) * wanted.w * smaller;
    for (const rect of candidates(within, size, [...blocked, faces[place]!])) {
      const far = distance(rect, faces[place]!);
      const other = Math.min(...others.map((face) => distance(rect, face)));
      const cost = lost + far + 2 * Math.max(0, far - other); // it must not seem to be said by somebody else
      if (far <= farthest && cost < least && !blocked.some((one) => isOver(rect, one))) [best, least] = [rect, cost];
    }
  }
  return best;
}

export function facesOf({ places }: Layout): Rect[] {
  return places.map((one) => onScreen(one, one.face));
}

/** Return names, cards and shop, which no words may cover. */
export const inTheWay = (layout: Layout): Rect[] => cardsAnd(layout, ({ label }) => [label]);

/** Return names, penalties, cards and shop, which no tail may cross: it may pass beside the penalties. */
export function inTheWayOfTails(layout: Layout): Rect[] {
  return cardsAnd(layout, ({ label }, n) => [{ ...label, h: label.h - layout.line * 0.6 }, penaltiesAt(layout, n)]);
}

export function penaltiesAt(layout: Layout, place: number): Rect {
  const [first, last] = [penaltySpot(layout, place, 0), penaltySpot(layout, place, 2)];
  return { ...first, w: last.x + last.w - first.x };
}

function cardsAnd({ places, shop, gift }: Layout, others: (place: Place, n: number) => Rect[]): Rect[] {
  const cards = (one: Place): Rect[] => [...slots(one, gift, 1), ...slots(one, gift, 2)];
  return [...places.flatMap((one, n) => [...others(one, n), ...cards(one)].map((part) => onScreen(one, part))), shop];
}

type Direction = readonly [right: number, down: number];
interface Tail {
  from: Point;
  to: Point;
  side: Direction;
}
const ALONG = [0.12, 0.3, 0.5, 0.7, 0.88]; // of an edge
const SIDES: Direction[] = [[0, -1], [1, 0], [0, 1], [-1, 0]]; // above, right, below, left
const TIP = 0.4; // of a bubble's height
const RIM = 0.08; // of a face's width, beside the head
const STEEP = 0.7; // least slope of a tail against its edge: a flatter one has no width

/** Return the tail of a bubble: from its edge, off its corners, to the face, or a short tip that points there if names
 *  or cards lie in the way: a long one would end at them. */
export function tailOf(bubble: Rect, face: Rect, blocked: Rect[], corner = 0): Tail {
  const nowhere = { x: 0, y: 0 };
  const head = pad(face, face.w * RIM);
  let [best, least]: [Tail, number] = [{ from: nowhere, to: nowhere, side: [0, -1] }, Infinity];
  for (const side of SIDES)
    for (const from of onEdge(bubble, side, corner))
      for (const to of SIDES.flatMap((other) => onEdge(head, other))) {
        const length = Math.hypot(to.x - from.x, to.y - from.y) || 1;
        if ((to.x - from.x) * side[0] + (to.y - from.y) * side[1] < length * STEEP) continue;
        const free = freePart(from, to, length, [...blocked, head]);
        const cost = length + (1 - free) * length * 9 + (free * length < SEEN ? FAR : 0);
        const shown = (1 - free) * length > face.w ? Math.min(free, (TIP * bubble.h) / length) : free;
        if (cost < least) [best, least] = [{ from, to: between(from, to, shown), side }, cost];
      }
  return best;
}

function onEdge({ x, y, w, h }: Rect, [right, down]: Direction, corner = 0): Point[] {
  const along = (length: number): number[] => {
    const free = Math.min(corner, length / 2);
    return ALONG.map((at) => clamp(length * at, free, length - free));
  };
  if (down === 0) return along(h).map((at) => ({ x: right > 0 ? x + w : x, y: y + at }));
  return along(w).map((at) => ({ x: x + at, y: down > 0 ? y + h : y }));
}

function between(from: Point, to: Point, share: number): Point {
  return { x: from.x + (to.x - from.x) * share, y: from.y + (to.y - from.y) * share };
}

/** Return the share of a line before something is in the way. */
function freePart(from: Point, to: Point, length: number, blocked: Rect[]): number {
  for (let at = STEP; at < length; at += STEP) {
    const point = { ...between(from, to, at / length), w: 0, h: 0 };
    if (blocked.some((one) => isOver(point, one))) return (at - STEP) / length;
  }
  return 1;
}
const [STEP, SEEN, FAR] = [3, 6, 1e4]; // a tip shorter than SEEN is hardly seen

/** Return rectangles of a size beside others, or in line with the last of them. */
function candidates(within: Rect, { w, h }: Size, others: Rect[]): Rect[] {
  const face = others.at(-1)!;
  const xs = [face.x + (face.w - w) / 2, within.x, ...others.flatMap((one) => [one.x - w - GAP, one.x + one.w + GAP])];
  const ys = [face.y + (face.h - h) / 2, within.y, ...others.flatMap((one) => [one.y - h - GAP, one.y + one.h + GAP])];
  const insideX = xs.filter((x) => x >= within.x && x + w <= within.x + within.w);
  const insideY = ys.filter((y) => y >= within.y && y + h <= within.y + within.h);
  return insideX.flatMap((x) => insideY.map((y) => ({ x, y, w, h })));
}

function isOver(a: Rect, b: Rect): boolean {
  return a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h;
}

function distance(a: Rect, b: Rect): number {
  return Math.hypot(Math.max(0, b.x - a.x - a.w, a.x - b.x - b.w), Math.max(0, b.y - a.y - a.h, a.y - b.y - b.h));
}
