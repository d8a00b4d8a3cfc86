// The layout of a table for one shared device, with seats on all four edges: a tablet, where each place faces its edge, or a big
// screen, where everything is upright. Pure numbers.

import { CARD, pad, type Rect } from "./geometry.ts";

/** Seats run clockwise from above: along the bottom to the left, up, along the top, and down. */
export type Edge = "bottom" | "left" | "top" | "right";

const TURN: Record<Edge, number> = { bottom: 0, left: 90, top: 180, right: -90 };

/** A seat. `box` is the unturned rectangle; the parts below are relative to its upper left corner. */
export interface TabletPlace {
  edge: Edge;
  rect: Rect; // on the screen
  box: Rect; // the same before its turn
  label: Rect;
  column: Rect; // room for one card more
  sentence: Rect | null; // null on a big screen, which has one sentence for all
  buttons: Rect | null;
}

export interface TabletLayout {
  width: number;
  height: number;
  board: Rect;
  places: TabletPlace[];
  middle: Rect;
  shop: Rect; // a square, so that it can turn to the acting seat
  corner: Rect; // beside the shop: the menu
  gifts: Rect[]; // the gift on offer, by place
  gift: number; // its width
  name: number; // font size of names
  sentence: Rect | null; // on a big screen
  claim: number; // font size of claims
}

export interface Room {
  width: number;
  height: number;
  seats: number;
  upright?: boolean; // a big screen
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
const FRAME = 6; // the outline of a seat and some air

const OVERSCAN = 0.05; // televisions cut off this share of the picture at each edge

export function computeTabletLayout(whole: Room): TabletLayout {
  const { width, height, upright } = whole;
  if (!upright) return computeInside(whole);
  const edge = { x: width * OVERSCAN, y: height * OVERSCAN };
  const layout = computeInside({ ...whole, width: width - 2 * edge.x, height: height - 2 * edge.y });
  const move = (rect: Rect): Rect => ({ ...rect, x: rect.x + edge.x, y: rect.y + edge.y });
  return {
    ...layout,
    width,
    height,
    board: { x: GAP, y: GAP, w: width - 2 * GAP, h: height - 2 * GAP }, // the table top may be cut off
    places: layout.places.map((place) => ({ ...place, rect: move(place.rect), box: move(place.box) })),
    middle: move(layout.middle),
    shop: move(layout.shop),
    corner: move(layout.corner),
    gifts: layout.gifts.map(move),
    sentence: layout.sentence && move(layout.sentence),
  };
}

function computeInside(whole: Room): TabletLayout {
  const { width, height, seats, upright = false } = whole;
  const broad = width >= height;
  const band = upright && !broad ? Math.max(height * 0.16, 120) : 0; // a portrait screen has the sentence below the table
  const room = { ...whole, height: height - band };
  const count = (broad ? BROAD : HIGH)[seats]!;
  const unit = upright ? Math.max(Math.min(width / 1728, height / 972), 0.36) : 1;
  const depth = upright ? screenDepths(room, broad) : tabletDepths(room);
  const name = upright ? Math.max(42 * unit, 14) : clamp(Math.min(width, height) * 0.024, 13, 22);
  const longestSide = upright ? name * 3.35 + depth.sides * 0.6 + 16 : Infinity; // the name is close to the cards
  const [longest, other] = [true, false].map((corners) => tilesAlongEdges(room, count, depth, corners, longestSide));
  const tiles = shortestSide(longest!) >= shortestSide(other!) ? longest! : other!;
  const inner = innerOf(room, count, depth);
  const words = upright && !band ? Math.min(inner.h * 0.51, 270 * unit) : 0;
  const middle = { ...inner, h: inner.h - words };
  const places = tiles.map(({ edge, rect }) => (upright ? layUprightPlace(edge, rect, name) : layFlatPlace(edge, rect, name)));
  const parts = placeShopAndGifts(middle, places, upright ? room.height : 0);
  const said = band ? { x: GAP, y: room.height, w: width - 2 * GAP, h: band - GAP } : { ...inner, y: inner.y + middle.h, h: words };
  return {
    width,
    height,
    board: { x: GAP, y: GAP, w: width - 2 * GAP, h: height - 2 * GAP },
    places,
    middle,
    ...parts,
    name,
    sentence: upright ? said : null,
    claim: upright ? Math.max(70 * unit, 20) : clamp(name * 1.5, 17, 30),
  };
}

interface Depth {
  rows: number; // depth of places at top and bottom
  sides: number;
}

function tabletDepths({ width, height }: Room): Depth {
  const depth = clamp(Math.min(width, height) * 0.262, 140, 280);
  return { rows: depth, sides: depth };
}

function screenDepths({ width, height, seats }: Room, broad: boolean): Depth {
  if (broad) return { rows: height * (seats === 3 ? 0.31 : 0.27), sides: width * 0.21 };
  return { rows: Math.max(height * 0.14, 112), sides: width * 0.33 };
}

interface Tile {
  edge: Edge;
  rect: Rect;
}

/** Return the tiles along each edge. The corners belong to top and bottom, or to the sides. */
function tilesAlongEdges(room: Room, count: number[], depth: Depth, corners: boolean, longestSide: number): Tile[] {
  const { width, height } = room;
  const [bottom, left, top, right] = count as [number, number, number, number];
  const besides = (n: number): number => (corners || n === 0 ? 0 : depth.sides);
  const above = (n: number): number => (corners && n > 0 ? depth.rows : 0);
  const row = { x: besides(left), w: width - besides(left) - besides(right) };
  const side = { y: above(top), h: height - above(top) - above(bottom) };
  return [
    ...along(row.w, bottom, depth.rows, room).map(([at, length]) => ({
      edge: "bottom" as const,
      rect: { x: row.x + row.w - at - length, y: height - depth.rows, w: length, h: depth.rows },
    })),
    ...along(side.h, left, depth.sides, room, longestSide).map(([at, length]) => ({
      edge: "left" as const,
      rect: { x: 0, y: side.y + side.h - at - length, w: depth.sides, h: length },
    })),
    ...along(row.w, top, depth.rows, room).map(([at, length]) => ({
      edge: "top" as const,
      rect: { x: row.x + at, y: 0, w: length, h: depth.rows },
    })),
    ...along(side.h, right, depth.sides, room, longestSide).map(([at, length]) => ({
      edge: "right" as const,
      rect: { x: width - depth.sides, y: side.y + at, w: depth.sides, h: length },
    })),
  ].map(({ edge, rect }) => ({ edge, rect: pad(rect, GAP) }));
}

/** Divide an edge into places of limited length. Return their offsets and lengths. */
function along(length: number, count: number, deep: number, { upright }: Room, longest = Infinity): [number, number][] {
  const share = length / Math.max(count, 1);
  const each = Math.min(share, deep * (upright ? 1.9 : 1.85), longest);
  return Array.from({ length: count }, (_, n) => [share * (n + 0.5) - each / 2, each]);
}

function shortestSide(tiles: Tile[]): number {
  return Math.min(...tiles.map(({ edge, rect }) => (edge === "left" || edge === "right" ? rect.h : rect.w)));
}

function innerOf({ width, height }: Room, count: number[], depth: Depth): Rect {
  const [bottom, left, top, right] = count.map((n, edge) => (n === 0 ? GAP * 2 : edge % 2 === 0 ? depth.rows : depth.sides));
  return pad({ x: left!, y: top!, w: width - left! - right!, h: height - top! - bottom! }, GAP);
}

/** Lay out a place that faces its edge: cards and name toward the middle, then the sentence, then buttons. */
function layFlatPlace(edge: Edge, rect: Rect, name: number): TabletPlace {
  const box = boxFacing(edge, rect);
  const { w, h } = box;
  const tall = Math.max(BUTTON + 2, h * 0.22);
  const buttons = { x: FRAME, y: h - FRAME - tall, w: w - 2 * FRAME, h: tall };
  const words = Math.max(28, h * 0.24);
  const sentence = { x: 0, y: buttons.y - words, w, h: words };
  const column = { x: 2, y: 3, w: w * 0.54, h: sentence.y - 6 };
  const label = { x: column.x + column.w + 4, y: 2, w: w - column.w - 8, h: Math.max(sentence.y - 4, name * 2.4) };
  return { edge, rect, box, label, column, sentence, buttons };
}

/** Lay out a place of a big screen: the name above the cards. */
function layUprightPlace(edge: Edge, rect: Rect, name: number): TabletPlace {
  const { w, h } = rect;
  const lines = w < name * 11 ? 2 : 1; // long names
  const label = { x: 0, y: name * 0.15, w, h: name * (lines === 1 ? 2.65 : 3.35) };
  const column = { x: w * 0.04, y: label.y + label.h + 4, w: w * 0.92, h: h - label.y - label.h - 10 };
  return { edge, rect, box: { ...rect, turn: 0 }, label, column, sentence: null, buttons: null };
}

function boxFacing(edge: Edge, rect: Rect): Rect {
  const turn = TURN[edge];
  if (turn % 180 === 0) return { ...rect, turn };
  return { x: rect.x + (rect.w - rect.h) / 2, y: rect.y + (rect.h - rect.w) / 2, w: rect.h, h: rect.w, turn };
}

type Shared = Pick<TabletLayout, "shop" | "corner" | "gifts" | "gift">;

/** Put the shop in the centre, and the gift on offer in front of each place, or beside the shop if that is too narrow. */
function placeShopAndGifts(middle: Rect, places: TabletPlace[], screenHeight: number): Shared {
  if (screenHeight && middle.w >= middle.h) return giftRightOfShop(middle, places, screenHeight);
  const beside = giftsBesideShop(middle, places, screenHeight);
  if (screenHeight) return beside;
  const ring = giftsAroundShop(middle, places);
  return ring.gift >= beside.gift * 0.72 ? ring : beside;
}

/** For a big screen: shop and gift are a pair in the centre, and the gift moves within its half toward the places. */
function giftRightOfShop(middle: Rect, places: TabletPlace[], screenHeight: number): Shared {
  const side = BUTTON + 8; // the menu, on the left
  const gift = Math.floor(Math.min((middle.w - side - 20) / 1.94, middle.h * 0.78 * CARD));
  const s = gift * 0.6;
  const x = middle.x + (middle.w - s - 20 - gift * 1.34 + side) / 2;
  const shop = { x, y: middle.y + (middle.h - s) / 2, w: s, h: s };
  const corner = { x: x - side, y: middle.y + (middle.h - BUTTON) / 2, w: BUTTON, h: BUTTON };
  const zone = { ...middle, x: x + s + 20, w: gift * 1.34 };
  const right = Math.max(...places.map(({ rect }) => rect.x + rect.w));
  const gifts = places.map((place) => {
    const front = giftInFront(place, zone, gift, screenHeight);
    const along = (place.rect.x + place.rect.w / 2) / right; // of the screen, from left to right
    return place.edge === "left" || place.edge === "right" ? front : { ...front, x: zone.x + (zone.w - gift) * along };
  });
  return { shop, corner, gift, gifts };
}

function giftsAroundShop(middle: Rect, places: TabletPlace[]): Shared {
  const has = (edge: Edge): number => (places.some((place) => place.edge === edge) ? 1 : 0);
  const across = (gift: number): number => (has("left") + has("right")) * (gift / CARD + 6);
  const down = (gift: number): number => (has("top") + has("bottom")) * (gift / CARD + 6);
  const broad = middle.w >= middle.h;
  let gift = Math.min(340, middle.w * 0.8, middle.h * 0.8);
  const shop = (): number => Math.max(gift * 0.6, 40);
  const fits = (): boolean =>
    across(gift) + shop() + (broad ? BUTTON + 8 : 0) <= middle.w && down(gift) + shop() + (broad ? 0 : BUTTON + 8) <= middle.h;
  while (!fits() && gift > 20) gift -= 1;
  const s = shop();
  const edge = { x: has("left") - has("right"), y: has("top") - has("bottom") };
  const centre = { x: middle.x + middle.w / 2 + edge.x * (gift / CARD / 2), y: middle.y + middle.h / 2 + edge.y * (gift / CARD / 2) };
  return { ...shopAndCorner(centre, s, broad), gift, gifts: places.map((place) => giftInFront(place, middle, gift)) };
}

/** Return the shop, and the corner beside it for the menu. */
function shopAndCorner(centre: { x: number; y: number }, s: number, broad: boolean): Pick<TabletLayout, "shop" | "corner"> {
  const shift = (BUTTON + 8) / 2;
  const [x, y] = broad ? [centre.x - shift, centre.y] : [centre.x, centre.y - shift];
  const shop = { x: x - s / 2, y: y - s / 2, w: s, h: s };
  const corner = broad ? { x: shop.x + s + 8, y: y - BUTTON / 2 } : { x: x - BUTTON / 2, y: shop.y + s + 8 };
  return { shop, corner: { ...corner, w: BUTTON, h: BUTTON } };
}

/** Return the gift on offer in front of a place, facing it. */
function giftInFront({ edge, rect, box }: TabletPlace, middle: Rect, gift: number, screenHeight?: number): Rect {
  const { turn = 0 } = box;
  const [w, h] = turn % 180 === 0 ? [gift, gift / CARD] : [gift / CARD, gift];
  const x = clamp(rect.x + rect.w / 2 - w / 2, middle.x, middle.x + middle.w - w);
  const level = screenHeight ? middle.y + (middle.h - h) * ((rect.y + rect.h / 2) / screenHeight) : rect.y + rect.h / 2 - h / 2; // on a big screen, at the height of the place
  const y = clamp(level, middle.y, middle.y + middle.h - h);
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
function giftsBesideShop(middle: Rect, places: TabletPlace[], screenHeight: number): Shared {
  const upright = screenHeight > 0;
  const broad = middle.w >= middle.h;
  const long = broad ? middle.w : middle.h;
  const wide = broad ? middle.h : middle.w;
  const turned = !upright && places.some(({ edge }) => (edge === "left" || edge === "right") === broad);
  const s = Math.min(long * 0.2, wide * 0.8, upright ? long * 0.19 : 190);
  const block = s + BUTTON + 8;
  const zone = (long - block) / 2 - 6;
  const share = upright ? 0.78 : 0.92; // of the room: some distance must be left to travel
  const most = broad ? Math.min(zone * 0.84, wide * CARD * share) : Math.min(wide * share, zone * CARD * 0.84);
  const gift = Math.floor(Math.min(most, turned || !broad ? Math.min(zone, wide * CARD) * 0.84 : most, 420 * (upright ? 2 : 1)));
  const zones = [0, 1].map((half) => {
    const start = half * (zone + block + 12);
    return broad ? { ...middle, x: middle.x + start, w: zone } : { ...middle, y: middle.y + start, h: zone };
  });
  const centre = { x: middle.x + middle.w / 2, y: middle.y + middle.h / 2 };
  const gifts = places.map((place) => giftInFront(place, nearerZone(zones, place, centre, broad), gift, screenHeight));
  return { ...shopAndCorner(centre, s, broad), gift, gifts };
}

function nearerZone(zones: Rect[], { edge, rect }: TabletPlace, centre: { x: number; y: number }, broad: boolean): Rect {
  const ahead = broad ? rect.x + rect.w / 2 - centre.x : rect.y + rect.h / 2 - centre.y;
  const half = Math.abs(ahead) < 1 ? edge === "right" || edge === "bottom" : ahead > 0;
  return zones[half ? 1 : 0]!;
}

/** Convert a rectangle inside a place to the screen. */
export function onScreen({ rect, box }: Pick<TabletPlace, "rect" | "box">, local: Rect): Rect {
  const turn = box.turn ?? 0;
  const radians = (turn * Math.PI) / 180;
  const dx = local.x + local.w / 2 - box.w / 2;
  const dy = local.y + local.h / 2 - box.h / 2;
  const x = rect.x + rect.w / 2 + dx * Math.cos(radians) - dy * Math.sin(radians);
  const y = rect.y + rect.h / 2 + dx * Math.sin(radians) + dy * Math.cos(radians);
  return { x: x - local.w / 2, y: y - local.h / 2, w: local.w, h: local.h, turn };
}

function clamp(value: number, least: number, most: number): number {
  return Math.max(least, Math.min(value, most));
}
