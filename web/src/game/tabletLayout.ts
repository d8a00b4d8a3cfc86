// The layout for a tablet that lies between people: seats on all four edges, each facing its edge. Pure numbers.

import { facesOf, roomToSpeak } from "./bubbles.ts";
import { CARD, centreOf, chairs, clamp, fromScreen, GAP, onScreen, pad, slots } from "./geometry.ts";
import type { Layout, Place, Point, Rect, Room } from "./geometry.ts";
import { AROUND } from "./screenLayout.ts";

/** Seats run clockwise from above: along the bottom to the left, up, along the top, and down. */
type Edge = "bottom" | "left" | "top" | "right";

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

// Seats at the edges of a table that is higher than broad.
const HIGH: typeof AROUND = { ...AROUND, 5: [1, 2, 1, 1], 6: [1, 2, 1, 2], 7: [1, 3, 1, 2], 8: [1, 3, 1, 3] };

const BUTTON = 44;
const FRAME = 6; // some air
const BROAD_PLACE = 360; // from this width on, buttons are beside the face

export function computeTabletLayout(room: Room): TabletLayout {
  const { width, height, seats } = room;
  const count = (width >= height ? AROUND : HIGH)[seats]!;
  const depth = clamp(Math.min(width, height) * 0.262, 140, 280); // of a place
  const name = clamp(Math.min(width, height) * 0.024, 13, 22);
  const [longest, other] = [true, false].map((corners) => tilesAlongEdges(room, count, depth, corners));
  const tiles = shortestSide(longest!) >= shortestSide(other!) ? longest! : other!;
  const middle = innerOf(room, count, depth);
  const places = tiles.map(({ edge, rect }) => layPlace(edge, rect, name));
  const board = pad({ x: 0, y: 0, w: width, h: height }, depth * 0.16);
  const frame = { shape: "tablet" as const, width, height, header: 0, board, words: null, actions: null };
  return { ...frame, ...chairs(places, { line: name }), middle, ...placeShopAndGifts(middle, places) };
}

const CLAIM = { w: 0.36, h: 0.15 }; // of the tablet's shorter edge
const FIRM = 2; // rather farther from the face than smaller

/** Return the room near the face of who speaks, and what its tail may not cross, for who reads it: all as the reader
 * sees it, turned with that place. */
export function roomForClaim(layout: TabletLayout, speaker: number, reader: number): { area: Rect; blocked: Rect[] } {
  const { places, width, height, shop, corner, gift, gifts } = layout;
  const to = places[reader]!;
  const seen = (rect: Rect): Rect => {
    const { x, y, w, h } = unturned(fromScreen(to, rect), (rect.turn ?? 0) - to.tile.turn!);
    return { x, y, w, h };
  };
  const inTheMiddle = [shop, corner, gifts[reader]!].map(seen);
  const cardsOf = (one: TabletPlace): Rect[] => [...slots(one, gift, 1), ...slots(one, gift, 2)];
  const partsOf = (one: TabletPlace): Rect[] => [one.label, one.buttons, ...cardsOf(one)];
  const parts = places.flatMap((one) => partsOf(one).map((part) => seen(onScreen(one, part))));
  const taken = [...places.map(({ rect }) => seen(rect)), ...inTheMiddle];
  const faces = facesOf(layout).map(seen);
  const short = Math.min(width, height);
  const wanted = { w: short * CLAIM.w, h: short * CLAIM.h };
  const all = seen(pad({ x: 0, y: 0, w: width, h: height }, FRAME));
  const area = roomToSpeak(faces, speaker, all, wanted, taken, FIRM);
  return { area: area ?? to.sentence, blocked: [...parts, ...inTheMiddle] };
}

type Count = (typeof AROUND)[number];
interface Tile {
  edge: Edge;
  rect: Rect;
}

/** Return the tiles along each edge. The corners belong to top and bottom, or to the sides. */
function tilesAlongEdges({ width, height }: Room, count: Count, depth: number, corners: boolean): Tile[] {
  const [bottom, left, top, right] = count;
  const besides = (n: number): number => (corners || n === 0 ? 0 : depth);
  const above = (n: number): number => (corners && n > 0 ? depth : 0);
  const row = { x: besides(left), w: width - besides(left) - besides(right) };
  const side = { y: above(top), h: height - above(top) - above(bottom) };
  /** Divide an edge into places of limited length, each with its offset. */
  const along = (edge: Edge, length: number, places: number, place: (at: number, each: number) => Rect): Tile[] => {
    const share = length / Math.max(places, 1);
    const each = Math.min(share, depth * 1.85);
    const offset = (n: number): number => share * (n + 0.5) - each / 2;
    return Array.from({ length: places }, (_, n) => ({ edge, rect: pad(place(offset(n), each), GAP) }));
  };
  return [
    ...along("bottom", row.w, bottom, (at, w) => ({ x: row.x + row.w - at - w, y: height - depth, w, h: depth })),
    ...along("left", side.h, left, (at, h) => ({ x: 0, y: side.y + side.h - at - h, w: depth, h })),
    ...along("top", row.w, top, (at, w) => ({ x: row.x + at, y: 0, w, h: depth })),
    ...along("right", side.h, right, (at, h) => ({ x: width - depth, y: side.y + at, w: depth, h })),
  ];
}

function shortestSide(tiles: Tile[]): number {
  return Math.min(...tiles.map(({ edge, rect }) => (edge === "left" || edge === "right" ? rect.h : rect.w)));
}

function innerOf({ width, height }: Room, count: Count, depth: number): Rect {
  const [bottom, left, top, right] = count.map((n) => (n === 0 ? GAP * 2 : depth));
  return pad({ x: left!, y: top!, w: width - left! - right!, h: height - top! - bottom! }, GAP);
}

/** Lay out a place that faces its edge: face, cards beside it toward the middle, then the sentence and the buttons. */
function layPlace(edge: Edge, rect: Rect, name: number): TabletPlace {
  const tile = unturned(rect, TURN[edge]);
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

type Shared = Pick<TabletLayout, "shop" | "counter" | "corner" | "gifts" | "gift">;

/** Put the shop in the centre, and the gift on offer in front of each place, or beside the shop if that is narrow. */
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
  const [besides, below] = broad ? [BUTTON + 8, 0] : [0, BUTTON + 8];
  const fits = (): boolean =>
    across(gift) + shop() + besides <= middle.w && down(gift) + shop() + below <= middle.h;
  while (!fits() && gift > 20) gift -= 1;
  const s = shop();
  const edge = { x: has("left") - has("right"), y: has("top") - has("bottom") };
  const { x, y } = centreOf(middle);
  const centre = { x: x + edge.x * (gift / CARD / 2), y: y + edge.y * (gift / CARD / 2) };
  return { ...shopAndCorner(centre, s, broad), gift, gifts: places.map((place) => giftInFront(place, middle, gift)) };
}

/** Return the shop, and the corner beside it for the menu. */
function shopAndCorner(centre: Point, s: number, broad: boolean): Pick<Shared, "shop" | "counter" | "corner"> {
  const shift = (BUTTON + 8) / 2;
  const [x, y] = broad ? [centre.x - shift, centre.y] : [centre.x, centre.y - shift];
  const shop = { x: x - s / 2, y: y - s / CARD / 2, w: s, h: s / CARD }; // in a free square: it can turn
  const corner = broad ? { x: x + s / 2 + 8, y: y - BUTTON / 2 } : { x: x - BUTTON / 2, y: y + s / 2 + 8 };
  return { shop, counter: shop, corner: { ...corner, w: BUTTON, h: BUTTON } };
}

/** Return the gift on offer in front of a place, facing it. */
function giftInFront({ edge, rect, tile }: TabletPlace, middle: Rect, gift: number): Rect {
  const { turn = 0 } = tile;
  const [w, h] = turn % 180 === 0 ? [gift, gift / CARD] : [gift / CARD, gift];
  const centre = centreOf(rect);
  const x = clamp(centre.x - w / 2, middle.x, middle.x + middle.w - w);
  const y = clamp(centre.y - h / 2, middle.y, middle.y + middle.h - h);
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
  const centre = centreOf(middle);
  const gifts = places.map((place) => giftInFront(place, nearerZone(zones, place, centre, broad), gift));
  return { ...shopAndCorner(centre, s, broad), gift, gifts };
}

function nearerZone(zones: Rect[], { edge, rect }: TabletPlace, centre: Point, broad: boolean): Rect {
  const own = centreOf(rect);
  const ahead = broad ? own.x - centre.x : own.y - centre.y;
  const half = Math.abs(ahead) < 1 ? edge === "right" || edge === "bottom" : ahead > 0;
  return zones[half ? 1 : 0]!;
}
