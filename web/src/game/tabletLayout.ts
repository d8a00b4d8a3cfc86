// The layout of a table for a tablet that lies between people: seats on all four edges, each facing its edge. Pure numbers.

import { CARD, pad, restingFace, type Layout, type Place, type Rect } from "./geometry.ts";

/** Seats run clockwise from above: along the bottom to the left, up, along the top, and down. */
export type Edge = "bottom" | "left" | "top" | "right";

const TURN: Record<Edge, number> = { bottom: 0, left: 90, top: 180, right: -90 };

/** A seat with a sentence and buttons of its own. Its tile is turned to its edge, and its parts with it. */
export interface TabletPlace extends Place {
  edge: Edge;
  rect: Rect; // the area on the screen
  sentence: Rect;
  buttons: Rect;
}

export interface TabletLayout extends Layout {
  places: TabletPlace[];
  corner: Rect; // beside the shop: the menu
  gifts: Rect[]; // the gift on offer, by place
}

export interface Room {
  width: number;
  height: number;
  seats: number;
}

// Seats at the bottom, left, top and right of a broad table, by number of players.
const BROAD: Record<number, number[]> = {
  2: [1, 0, 1, 0],
  3: [1, 1, 0, 1],
  4: [1, 1, 1, 1],
  5: [1, 1, 2, 1],
  6: [2, 1, 2, 1],
  7: [2, 1, 3, 1],
  8: [3, 1, 3, 1],
};
const HIGH: Record<number, number[]> = { ...BROAD, 5: [1, 2, 1, 1], 6: [1, 2, 1, 2], 7: [1, 3, 1, 2], 8: [1, 3, 1, 3] };

const GAP = 4;
const BUTTON = 44;
const FRAME = 6; // some air
const BROAD_PLACE = 360; // from this width on, buttons are beside the face

export function computeTabletLayout(room: Room): TabletLayout {
  const { width, height, seats } = room;
  const count = (width >= height ? BROAD : HIGH)[seats]!;
  const depth = tabletDepths(room);
  const name = clamp(Math.min(width, height) * 0.024, 13, 22);
  const [longest, other] = [true, false].map((corners) => tilesAlongEdges(room, count, depth, corners));
  const tiles = shortestSide(longest!) >= shortestSide(other!) ? longest! : other!;
  const middle = innerOf(room, count, depth);
  const places = tiles.map(({ edge, rect }) => layPlace(edge, rect, name));
  const frame = { shape: "tablet" as const, width, height, header: 0, board: pad({ x: 0, y: 0, w: width, h: height }, depth.rows * 0.16) };
  return { ...frame, places, face: restingFace(places), line: name, middle, ...placeShopAndGifts(middle, places), words: null, actions: null };
}

interface Depth {
  rows: number; // depth of places at top and bottom
  sides: number;
}

function tabletDepths({ width, height }: Room): Depth {
  const depth = clamp(Math.min(width, height) * 0.262, 140, 280);
  return { rows: depth, sides: depth };
}

interface Tile {
  edge: Edge;
  rect: Rect;
}

/** Return the tiles along each edge. The corners belong to top and bottom, or to the sides. */
function tilesAlongEdges(room: Room, count: number[], depth: Depth, corners: boolean): Tile[] {
  const { width, height } = room;
  const [bottom, left, top, right] = count as [number, number, number, number];
  const besides = (n: number): number => (corners || n === 0 ? 0 : depth.sides);
  const above = (n: number): number => (corners && n > 0 ? depth.rows : 0);
  const row = { x: besides(left), w: width - besides(left) - besides(right) };
  const side = { y: above(top), h: height - above(top) - above(bottom) };
  return [
    ...along(row.w, bottom, depth.rows).map(([at, length]) => ({
      edge: "bottom" as const,
      rect: { x: row.x + row.w - at - length, y: height - depth.rows, w: length, h: depth.rows },
    })),
    ...along(side.h, left, depth.sides).map(([at, length]) => ({
      edge: "left" as const,
      rect: { x: 0, y: side.y + side.h - at - length, w: depth.sides, h: length },
    })),
    ...along(row.w, top, depth.rows).map(([at, length]) => ({
      edge: "top" as const,
      rect: { x: row.x + at, y: 0, w: length, h: depth.rows },
    })),
    ...along(side.h, right, depth.sides).map(([at, length]) => ({
      edge: "right" as const,
      rect: { x: width - depth.sides, y: side.y + at, w: depth.sides, h: length },
    })),
  ].map(({ edge, rect }) => ({ edge, rect: pad(rect, GAP) }));
}

/** Divide an edge into places of limited length. Return their offsets and lengths. */
function along(length: number, count: number, deep: number): [number, number][] {
  const share = length / Math.max(count, 1);
  const each = Math.min(share, deep * 1.85);
  return Array.from({ length: count }, (_, n) => [share * (n + 0.5) - each / 2, each]);
}

function shortestSide(tiles: Tile[]): number {
  return Math.min(...tiles.map(({ edge, rect }) => (edge === "left" || edge === "right" ? rect.h : rect.w)));
}

function innerOf({ width, height }: Room, count: number[], depth: Depth): Rect {
  const [bottom, left, top, right] = count.map((n, edge) => (n === 0 ? GAP * 2 : edge % 2 === 0 ? depth.rows : depth.sides));
  return pad({ x: left!, y: top!, w: width - left! - right!, h: height - top! - bottom! }, GAP);
}

/** Lay out a place that faces its edge: the face at the edge, cards beside it toward the middle, then the sentence and the buttons. */
function layPlace(edge: Edge, rect: Rect, name: number): TabletPlace {
  const tile = boxFacing(edge, rect);
  const { x, y, w, h } = tile;
  const labelHeight = name * 2.5;
  const who = clamp(w * 0.34, 56, 160); // width of face and name
  const inner = { x: x + FRAME + who + GAP, w: w - 2 * FRAME - who - GAP };
  const across = w < BROAD_PLACE ? { x: x + FRAME, w: w - 2 * FRAME } : inner;
  const tall = Math.max(BUTTON + 2, h * 0.22);
  const buttons = { ...across, y: y + h - FRAME - tall, h: tall };
  const sentence = { ...inner, y: buttons.y - Math.max(28, h * 0.24), h: Math.max(28, h * 0.24) };
  const foot = across === inner ? y + h - FRAME : buttons.y;
  const label = { x: x + FRAME, y: foot - labelHeight, w: who, h: labelHeight };
  const size = Math.min(who, label.y - y - 3);
  const face = { x: label.x, y: label.y - size, w: size, h: size };
  const column = { ...inner, y: y + 3, h: sentence.y - y - 6 };
  return { edge, rect, tile, face, label, column, side: "left", sentence, buttons };
}

function boxFacing(edge: Edge, rect: Rect): Rect {
  return unturned(rect, TURN[edge]);
}

type Shared = Pick<TabletLayout, "shop" | "counter" | "corner" | "gifts" | "gift">;

/** Put the shop in the centre, and the gift on offer in front of each place, or beside the shop if that is too narrow. */
function placeShopAndGifts(middle: Rect, places: TabletPlace[]): Shared {
  const beside = giftsBesideShop(middle, places);
  const ring = giftsAroundShop(middle, places);
  return ring.gift >= beside.gift * 0.6 ? ring : beside;
}

function giftsAroundShop(middle: Rect, places: TabletPlace[]): Shared {
  const has = (edge: Edge): number => (places.some((place) => place.edge === edge) ? 1 : 0);
  const across = (gift: number): number => (has("left") + has("right")) * (gift / CARD + 6);
  const down = (gift: number): number => (has("top") + has("bottom")) * (gift / CARD + 6);
  const broad = middle.w >= middle.h;
  let gift = Math.min(340, middle.w * 0.8, middle.h * 0.8);
  const shop = (): number => Math.max(gift * 0.42, 40);
  const fits = (): boolean =>
    across(gift) + shop() + (broad ? BUTTON + 8 : 0) <= middle.w && down(gift) + shop() + (broad ? 0 : BUTTON + 8) <= middle.h;
  while (!fits() && gift > 20) gift -= 1;
  const s = shop();
  const edge = { x: has("left") - has("right"), y: has("top") - has("bottom") };
  const centre = { x: middle.x + middle.w / 2 + edge.x * (gift / CARD / 2), y: middle.y + middle.h / 2 + edge.y * (gift / CARD / 2) };
  return { ...shopAndCorner(centre, s, broad), gift, gifts: places.map((place) => giftInFront(place, middle, gift)) };
}

/** Return the shop, and the corner beside it for the menu. */
function shopAndCorner(centre: { x: number; y: number }, s: number, broad: boolean): Pick<TabletLayout, "shop" | "counter" | "corner"> {
  const shift = (BUTTON + 8) / 2;
  const [x, y] = broad ? [centre.x - shift, centre.y] : [centre.x, centre.y - shift];
  const shop = { x: x - s / 2, y: y - s / CARD / 2, w: s, h: s / CARD }; // a square around it is free, so that it can turn
  const corner = broad ? { x: x + s / 2 + 8, y: y - BUTTON / 2 } : { x: x - BUTTON / 2, y: y + s / 2 + 8 };
  return { shop, counter: shop, corner: { ...corner, w: BUTTON, h: BUTTON } };
}

/** Return the gift on offer in front of a place, facing it. */
function giftInFront({ edge, rect, tile }: TabletPlace, middle: Rect, gift: number): Rect {
  const { turn = 0 } = tile;
  const [w, h] = turn % 180 === 0 ? [gift, gift / CARD] : [gift / CARD, gift];
  const x = clamp(rect.x + rect.w / 2 - w / 2, middle.x, middle.x + middle.w - w);
  const y = clamp(rect.y + rect.h / 2 - h / 2, middle.y, middle.y + middle.h - h);
  const at = {
    bottom: { x, y: middle.y + middle.h - h },
    left: { x: middle.x, y },
    top: { x, y: middle.y },
    right: { x: middle.x + middle.w - w, y },
  }[edge];
  return unturned({ ...at, w, h }, turn);
}

/** Return the rectangle before its turn about the centre. */
function unturned({ x, y, w, h }: Rect, turn: number): Rect {
  if (turn % 180 === 0) return { x, y, w, h, turn };
  return { x: x + (w - h) / 2, y: y + (h - w) / 2, w: h, h: w, turn };
}

/** For a narrow middle: the gift is on one side of the shop, as close to its place as possible. */
function giftsBesideShop(middle: Rect, places: TabletPlace[]): Shared {
  const broad = middle.w >= middle.h;
  const long = broad ? middle.w : middle.h;
  const wide = broad ? middle.h : middle.w;
  const turned = places.some(({ edge }) => (edge === "left" || edge === "right") === broad);
  const s = Math.min(long * 0.2, wide * 0.8, 190);
  const block = s + BUTTON + 8;
  const zone = (long - block) / 2 - 6;
  const share = 0.92; // of the room: some distance must be left to travel
  const most = broad ? Math.min(zone * 0.84, wide * CARD * share) : Math.min(wide * share, zone * CARD * 0.84);
  const gift = Math.floor(Math.min(most, turned || !broad ? Math.min(zone, wide * CARD) * 0.84 : most, 420));
  const zones = [0, 1].map((half) => {
    const start = half * (zone + block + 12);
    return broad ? { ...middle, x: middle.x + start, w: zone } : { ...middle, y: middle.y + start, h: zone };
  });
  const centre = { x: middle.x + middle.w / 2, y: middle.y + middle.h / 2 };
  const gifts = places.map((place) => giftInFront(place, nearerZone(zones, place, centre, broad), gift));
  return { ...shopAndCorner(centre, s, broad), gift, gifts };
}

function nearerZone(zones: Rect[], { edge, rect }: TabletPlace, centre: { x: number; y: number }, broad: boolean): Rect {
  const ahead = broad ? rect.x + rect.w / 2 - centre.x : rect.y + rect.h / 2 - centre.y;
  const half = Math.abs(ahead) < 1 ? edge === "right" || edge === "bottom" : ahead > 0;
  return zones[half ? 1 : 0]!;
}

function clamp(value: number, least: number, most: number): number {
  return Math.max(least, Math.min(value, most));
}
