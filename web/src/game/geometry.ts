// The layout of the table for 2 to 8 players on any upright screen, as pure numbers. Nothing overlaps by construction.

export interface Point {
  x: number;
  y: number;
}
export interface Size {
  w: number;
  h: number;
}
export interface Rect extends Point, Size {
  turn?: number; // in degrees clockwise about its centre, for tablets
}

/** Your place is below the table (`tall`), inside the horseshoe (`wide`) or beside it (`low`); `list` is for very large
 * text, `screen` for a television, `tablet` for one that lies between people, `picture` for the demonstration. */
type Shape = "tall" | "wide" | "low" | "list" | "screen" | "tablet" | "picture";

/** A chair: a face with a name and penalties below it, and cards beside it, toward the middle. On a tablet the tile is
 * turned about its centre; all parts are where they would be without that turn. */
export interface Place {
  tile: Rect;
  face: Rect; // the square for the face of the player who speaks or acts; at rest a face is smaller
  label: Rect; // name, and penalties in its last line
  column: Rect; // the cards, with room for one more
  side: "left" | "right"; // of the face, where the cards are not
}

export interface Layout {
  shape: Shape;
  width: number;
  height: number; // larger than the window only for large text
  header: number; // height
  board: Rect;
  places: Place[]; // 0 is you, then clockwise from your left
  face: number; // width of a face at rest
  line: number; // height of the line with penalties
  shop: Rect;
  counter: Rect; // the shop while nothing is in the middle, larger
  middle: Rect; // the area of the gift on offer, which is at its giver's or receiver's edge
  gifts?: Rect[]; // or where it is, by place
  gift: number; // the width of the gift on offer, the largest card
  words: Rect | null; // what is said, or the sentence about the table; null: in a dock at the bottom, for large text
  actions: Rect | null;
}

export interface Room {
  width: number;
  height: number;
  seats: number;
  text?: number; // 1 is normal, 2 is text at 200 %
  header?: number; // height, if it is not one line
  watched?: boolean; // by a spectator, who reads the name of the player at the bottom
}

// Seats on the left, top and right, by number of players.
const HORSESHOE: Record<number, [number, number, number]> = {
  2: [0, 1, 0],
  3: [1, 0, 1],
  4: [1, 1, 1],
  5: [1, 2, 1],
  6: [2, 1, 2],
  7: [2, 2, 2],
  8: [2, 3, 2],
};

export const CARD = 1.6; // width / height of a card
const LARGEST = 1.12; // least ratio of the gift on offer to any card of a column
const RESTING = 0.64; // of the face of a player who speaks or acts
const LEAST_FACE = 44;
export const GAP = 4;
export const OVERSCAN = 0.05; // televisions cut off this share of the picture at each edge
const LARGE_TEXT = 1.3;
const TRAVEL = 10; // least distance that a gift on offer moves
const LIST_SPLIT = 360; // least width of a list for two columns, at normal text
const DOCK = 96; // height of the dock below a list with a vote or two buttons, at normal text

/** Larger text enlarges the whole table as a browser zooms, or nearly as much, or makes a list if it does not fit. */
export function computeLayout(room: Room): Layout {
  const text = room.text ?? 1;
  if (text <= LARGE_TEXT) return { tall, wide, low, list }[shapeOf(room.width, room.height)](room, text);
  for (const by of [text, text / LARGE_TEXT]) {
    const [width, height] = [room.width / by, room.height / by];
    const table = computeLayout({ ...room, width, height, text: text / by, header: headerOf(room, text) / by });
    if (isRoomy(table, height)) return zoom(table, by);
  }
  return list(room, text);
}

/** Return whether a table for large text fits a window, with a large gift. */
function isRoomy({ shape, width, height, gift }: Layout, within: number): boolean {
  if (shape === "low") return width >= 600 && within >= 350;
  return shape === "wide" || (shape === "tall" && width >= 320 && height <= within && gift >= width * 0.36);
}

function shapeOf(width: number, height: number): "tall" | "wide" | "low" | "list" {
  if (width < 300) return "list";
  if (height < 640 && width > height * 1.4) return "low";
  if (width >= 1000 && width > height) return "wide";
  return "tall";
}

/** Multiply all lengths. */
function zoom(layout: Layout, by: number): Layout {
  const larger = (_: string, part: unknown): unknown => (typeof part === "number" ? part * by : part);
  return JSON.parse(JSON.stringify(layout), larger) as Layout;
}

function headerOf(room: Room, text: number): number {
  return room.header ?? Math.max(44, 40 * text);
}

/** What a place needs beside its face. */
interface Parts {
  label: number; // height of name and penalties
  line: number; // height of the penalties alone
  card: number; // least width of a card
}

/** Put a face with its label at the outer side of a tile, and the cards at the inner side. */
export function placeIn(tile: Rect, side: Place["side"], { label, card }: Parts): Place {
  const size = Math.max(Math.min(tile.h - label, tile.w - card - GAP), LEAST_FACE);
  const left = side === "left";
  const face = { x: left ? tile.x : tile.x + tile.w - size, y: tile.y + tile.h - label - size, w: size, h: size };
  const column = { x: left ? tile.x + size + GAP : tile.x, y: face.y + 2, w: tile.w - size - GAP, h: size - 4 };
  return { tile, face, label: { x: tile.x, y: tile.y + tile.h - label, w: tile.w, h: label }, column, side };
}

type Chairs<P> = Pick<Layout, "face" | "line"> & { places: P[] };

/** Return places with the width of faces at rest: the same for all, unless there is less room for yours. */
export function chairs<P extends Place>(places: P[], { line }: { line: number }): Chairs<P> {
  const least = Math.min(...places.slice(1).map(({ face }) => face.w));
  return { places, face: Math.round(Math.min(least, Math.max(least * RESTING, LEAST_FACE))), line };
}

/** You sit below the table; everybody else around its upper part, and below them the gift on offer, large. */
function tall(room: Room, text: number): Layout {
  const { width, height, seats } = room;
  const [left, top] = HORSESHOE[seats]!;
  const rows = Math.max(2, left + (top > 0 ? 1 : 0)); // the shop needs one, too
  const roomy = width >= 700 && height >= 880;
  const small = width < 360 || height < 700;
  const partsOfRoomy = roomy ? { label: 50, line: 22, card: 110 } : { label: 38, line: 17, card: 62 };
  const parts = small ? { label: 34, line: 12, card: 56 } : partsOfRoomy;
  const header = headerOf(room, text);
  const actionsHeight = (width < 360 ? 60 : roomy ? 84 : 78) * text;
  const youHeight = small ? 80 : roomy ? 178 : 128;
  const wordsHeight = (small ? 50 : roomy ? 112 : 92) * text;
  const wanted = Math.ceil(width * (roomy ? 0.34 : 0.45)) / CARD;
  const free = height - header - youHeight - actionsHeight;
  const besides = rows * (LEAST_FACE + parts.label) + wordsHeight + TRAVEL; // the gift
  const leastGift = clamp(free - besides, wanted * 0.38, wanted); // below the high header of a replay it is smaller
  const stage = { x: 6, y: header, w: width - 12, h: Math.max(free, besides + leastGift) };
  const forRows = stage.h - wordsHeight - leastGift - TRAVEL;
  const rowHeight = clamp(forRows / rows, LEAST_FACE + parts.label, (roomy ? 150 : 100) + parts.label);
  const spare = stage.h - rows * rowHeight - wordsHeight - leastGift - TRAVEL;
  const giftHeight = leastGift + Math.min(spare * 0.5, (width * 0.14) / CARD);
  const below = wordsHeight + giftHeight + TRAVEL;
  const around = { ...stage, h: stage.h - below };
  const { tiles, centre } = horseshoe(around, seats, rowHeight, Math.max(parts.card + 8, 68));
  const words = { x: 8, y: around.y + around.h, w: width - 16, h: wordsHeight };
  const middle = { x: stage.x, y: words.y + words.h, w: stage.w, h: giftHeight + TRAVEL };
  const you = { x: 8, y: stage.y + stage.h, w: width - 16, h: youHeight };
  const actions = { x: 8, y: you.y + you.h, w: width - 16, h: actionsHeight };
  const own = ownPlace(you, parts.label, small && room.watched ? 40 : 0);
  const gift = Math.floor(Math.min(giftHeight * CARD, width * 0.62));
  const places = [own, ...tiles.map((tile) => placeIn(tile, sideIn(around, tile), parts))];
  const board = { ...stage, h: stage.h + youHeight * 0.3 };
  const frame = { shape: "tall" as const, width, header, height: actions.y + actions.h, board };
  const shop = shopIn(pad(centre, GAP), Math.min(190, gift / LARGEST)); // its pile leans to the right
  return { ...frame, ...chairs(places, parts), shop, counter: shopIn(middle, gift), middle, gift, words, actions };
}

/** Your cards are centred beside your face, with room for the names of receivers on both sides. `beside` the face, a
 * spectator reads the whole name of the player at the bottom. */
function ownPlace(tile: Rect, label: number, beside = 0): Place {
  const size = Math.min(tile.h - label, tile.w * 0.28);
  const face = { x: tile.x, y: tile.y + tile.h - label - size, w: size, h: size };
  const left = size + beside + 8;
  const column = { x: tile.x + left, y: tile.y + 5, w: tile.w - 2 * left, h: tile.h - 12 };
  const named = { ...face, y: tile.y + tile.h - label, w: size + beside, h: label };
  return { tile, face, label: named, column, side: "left" };
}

/** Seats on the left, top and right of an area, and the centre between them, whose gap is for the shop. */
function horseshoe(area: Rect, seats: number, rowHeight: number, gap: number): { tiles: Rect[]; centre: Rect } {
  const [left, top] = HORSESHOE[seats]!;
  const sideWidth = Math.min(Math.floor((area.w - gap) / 2), rowHeight * 1.7);
  const widest = left === 0 ? area.w * 0.9 : Math.min(rowHeight * 1.7, sideWidth * 1.25); // gifts are nearly alike
  const topWidth = top === 0 ? 0 : Math.min(area.w / top - GAP, widest);
  const above = top > 0 ? rowHeight : 0;
  const each = (area.h - above) / Math.max(left, 1);
  const first = area.y + above + Math.max(0, (each - rowHeight) / 2);
  const heights = Array.from({ length: left }, (_, row) => first + each * row);
  const side = (x: number): Rect[] => heights.map((y) => ({ x, y, w: sideWidth, h: rowHeight }));
  const share = area.w / Math.max(top, 1);
  const over = Array.from({ length: top }, (_, n) => {
    const x = top === 3 ? [0, (area.w - topWidth) / 2, area.w - topWidth][n]! : share * (n + 0.5) - topWidth / 2;
    return { x: area.x + x, y: area.y, w: topWidth, h: rowHeight };
  });
  const open = { ...area, y: area.y + above, h: area.h - above };
  const centre = left === 0 ? open : { ...open, x: area.x + sideWidth + GAP, w: area.w - 2 * (sideWidth + GAP) };
  return { tiles: [...side(area.x).reverse(), ...over, ...side(area.x + area.w - sideWidth)], centre };
}

/** Faces are at the outer side of their tiles. */
function sideIn(area: Rect, tile: Rect): Place["side"] {
  return centreOf(tile).x > centreOf(area).x + 1 ? "right" : "left";
}

/** People close together around the centre with the shop and the gift on offer; your gifts are the largest after it. */
function wide(room: Room, text: number): Layout {
  const { width, height, seats } = room;
  const [, top] = HORSESHOE[seats]!;
  const header = headerOf(room, text);
  const board = { x: 12, y: header + 4, w: width - 24, h: Math.max(height - header - 16, 560) };
  const unit = clamp(Math.min(board.w / 1256, board.h / 656), 0.84, 1.8);
  const roomy = seats < 6 ? 1.14 : 1; // few people have larger faces and gifts
  const parts = { label: 46 * unit, line: 20 * unit, card: 112 * unit };
  const face = 101 * unit * roomy;
  const tile = { w: face + GAP + 122 * unit * roomy, h: face + parts.label };
  const bottom = board.y + board.h - 8;
  const actions = { ...centred(board, Math.min(700 * unit, board.w - 2 * (tile.w + 20))), y: bottom - 68, h: 68 };
  const youHeight = 132 * unit;
  const you = { ...centred(board, Math.min(620 * unit, actions.w)), y: actions.y - youHeight, h: youHeight };
  const centreTop = board.y + 12 + (top > 0 ? tile.h : 0);
  const wordsHeight = clamp((you.y - centreTop) * 0.34, 74, 150);
  const words = { ...centred(board, Math.min(640 * unit, board.w - 2 * (tile.w + 34))), y: centreTop, h: wordsHeight };
  const area = { ...board, y: words.y + words.h, h: you.y - words.y - words.h };
  const gift = Math.floor(Math.min(area.h * 0.92 * CARD, 330 * unit, board.w * 0.26));
  const pair = pairInCentre(area, gift);
  const inCentre = Math.max(words.w, pair.middle.x + pair.middle.w - pair.shop.x);
  const spare = (board.w - 28 - 2 * tile.w - inCentre - 24) / 2; // beside the centre, on either side
  const inset = { upper: Math.max(0, spare * 0.9), lower: Math.max(0, (you.x - board.x - 12 - tile.w - 10) * 0.6) };
  const tiles = seatsDrawnIn(pad(board, 12), seats, tile, inset);
  const own = ownPlace(you, parts.label, 60 * unit);
  const places = [own, ...tiles.map((rect) => placeIn(rect, sideIn(board, rect), parts))];
  const frame = { shape: "wide" as const, width, header, height: board.y + board.h + 12, board };
  return { ...frame, ...chairs(places, parts), ...pair, gift, words, actions };
}

/** Return shop and gift on offer as one pair in the middle of an area; the gift has some distance to travel. */
function pairInCentre(area: Rect, gift: number): Pick<Layout, "shop" | "counter" | "middle"> {
  const shopWidth = gift * 0.5;
  const across = gift * 1.3;
  const x = area.x + (area.w - shopWidth - 20 - across) / 2;
  const middle = { x: x + shopWidth + 20, y: area.y + 4, w: across, h: area.h - 8 };
  return { shop: shopIn({ ...middle, x, w: shopWidth }, shopWidth), counter: shopIn(area, gift), middle };
}

/** Return the other seats along an oval: those on the sides stand the closer to the centre the higher they are. */
function seatsDrawnIn(board: Rect, seats: number, tile: Size, inset: { upper: number; lower: number }): Rect[] {
  const [left, top] = HORSESHOE[seats]!;
  const centre = centreOf(board).x;
  const spread = Math.max(tile.w + GAP, Math.min(board.w * (top === 2 ? 0.3 : 0.27), tile.w * 1.7));
  const xOf = (n: number): number => centre + (n - (top - 1) / 2) * spread - tile.w / 2;
  const above = Array.from({ length: top }, (_, n) => ({ ...tile, x: xOf(n), y: board.y }));
  const isBelow = top === 3 || (top === 2 && xOf(0) < board.x + inset.upper + tile.w + GAP);
  const first = board.y + (isBelow ? tile.h + GAP : board.h * 0.14);
  const second = Math.max(first + tile.h + GAP, board.y + board.h * 0.63);
  const heights = left === 1 ? [board.y + board.h * 0.44 - tile.h / 2] : [first, second];
  const insets = left === 1 ? [Math.min(inset.upper, inset.lower)] : [inset.upper, inset.lower];
  const lowest = board.y + board.h - tile.h;
  const side = (x: (inset: number) => number): Rect[] =>
    heights.slice(0, left).map((y, n) => ({ ...tile, x: x(insets[n]!), y: Math.min(y, lowest) }));
  return [...side((by) => board.x + by).reverse(), ...above, ...side((by) => board.x + board.w - tile.w - by)];
}

/** A phone on its side: the others sit in one strip at the top; below it the table is left, and you beside it. */
function low(room: Room, text: number): Layout {
  const { width, height, seats } = room;
  const narrow = width < 700; // such as a desktop at 200 %: the buttons need more of it
  const panel = clamp(Math.round(width * 0.36), narrow ? 312 : 280, 360);
  const header = headerOf(room, text);
  const tall = Math.max(height - header - 4, 290);
  const parts = { label: 35, line: 12, card: 56 };
  const stripHeight = clamp(tall * (seats < 6 && !narrow ? 0.33 : 0.28), LEAST_FACE + parts.label, 130);
  const board = { x: GAP, y: header, w: width - 2 * GAP, h: tall };
  const each = board.w / (seats - 1);
  const tile = { w: Math.min(each - GAP, stripHeight * 2), h: stripHeight };
  const xOf = (n: number): number => board.x + (n + 0.5) * each - tile.w / 2;
  const others = Array.from({ length: seats - 1 }, (_, n) => ({ ...tile, x: xOf(n), y: header }));
  const top = header + stripHeight;
  const actionsHeight = narrow ? clamp(tall * 0.26, 70, 82) : clamp(tall * 0.2, 70, 96);
  const actions = { x: width - panel, w: panel - 8, y: header + tall - actionsHeight, h: actionsHeight };
  const words = { ...actions, y: top, h: clamp(actions.y - top - LEAST_FACE - parts.label - GAP, 56, 74) };
  const you = { ...actions, y: words.y + words.h, h: actions.y - words.y - words.h };
  const ownHeight = Math.min(you.h, 150);
  const own = placeIn({ ...you, y: you.y + you.h - ownHeight, h: ownHeight }, "left", { ...parts, card: 120 });
  const places = [{ ...own, tile: you }, ...others.map((rect) => placeIn(rect, "left", parts))];
  const centre = splitCentre({ ...board, y: top, w: board.w - panel, h: tall - stripHeight });
  const frame = { shape: "low" as const, width, header, height: header + tall + 4, board };
  return { ...frame, ...chairs(places, parts), ...centre, words, actions };
}

/** For text of 200 % and tiny windows: the page scrolls, but actions, the gift on offer and your gifts are in sight. */
function list(room: Room, text: number): Layout {
  const { width, seats } = room;
  const top = headerOf(room, text);
  const broad = width >= LIST_SPLIT * text; // your gifts are beside the gift on offer
  const across = clamp(Math.floor(width / ((broad ? 190 : 95) * text)), 1, broad ? 4 : 3);
  const half = Math.floor((width - 16) / 2);
  const parts = { label: 34 * text, line: 15 * text, card: 80 };
  const centre = { x: 8, y: top, w: broad ? half : width - 16, h: broad ? 100 + 50 * text : 150 };
  const rows = Math.ceil((seats - 1) / across);
  const fit = broad ? Math.floor((room.height - DOCK * text - centre.y - centre.h - GAP) / rows) - GAP : 0;
  const tileHeight = Math.max(LEAST_FACE + parts.label, Math.min(fit || Infinity, 72 + parts.label));
  const tileWidth = Math.floor((width - 16) / across);
  const you = broad ? { ...centre, x: 8 + half } : { ...centre, y: top + centre.h, h: 76 + parts.label };
  const below = you.y + you.h + GAP;
  const tiles = Array.from({ length: seats - 1 }, (_, place) => ({
    x: 8 + (place % across) * tileWidth,
    y: below + Math.floor(place / across) * (tileHeight + GAP),
    w: tileWidth - GAP,
    h: tileHeight,
  }));
  const height = below + rows * (tileHeight + GAP);
  const places = [you, ...tiles].map((rect) => placeIn(rect, "left", parts));
  const board = { x: GAP, y: top, w: width - 2 * GAP, h: height - top };
  const frame = { shape: "list" as const, width, header: top, height, board };
  return { ...frame, ...chairs(places, parts), ...splitCentre(centre, text), words: null, actions: null };
}

/** Split the centre between shop and gift on offer: side by side if it is broad, else one below the other. */
function splitCentre(centre: Rect, text = 1): Pick<Layout, "shop" | "counter" | "middle" | "gift"> {
  const area = pad(centre, 4);
  const broad = area.w > area.h * 1.25;
  const first = broad ? { ...area, w: area.w * 0.26 } : { ...area, h: area.h * 0.34 };
  const beside = { ...area, x: area.x + first.w + 10, w: area.w - first.w - 10 };
  const middle = broad ? beside : { ...area, y: area.y + first.h + 6, h: area.h - first.h - 6 };
  const gift = Math.floor(Math.min(middle.w * 0.8, middle.h * 0.86 * CARD, 360));
  const shop = shopIn(first, Math.min(190, gift / LARGEST), COUNT * text);
  return { shop, counter: shopIn(area, gift, COUNT * text), middle, gift };
}

const COUNT = 16; // the line under the shop with the number of cards left

export function shopIn(area: Rect, most: number, count = COUNT): Rect {
  const w = Math.max(40, Math.min(area.w, (area.h - count) * CARD, most));
  const h = w / CARD + count;
  return { x: area.x + (area.w - w) / 2, y: area.y + (area.h - h) / 2, w, h };
}

/** Return the cards of a column, oldest first, without overlap. Newer cards are higher, in one row that rises to the
 * right or in several rows, whichever makes the cards larger. */
export function slots({ column }: Pick<Place, "column">, gift: number, count: number): Rect[] {
  const most = gift / LARGEST; // smaller than the gift on offer
  const options = Array.from({ length: count }, (_, rows) => risingRows(column, count, rows + 1, most));
  return options.reduce((best, option) => (option[0]!.w > best[0]!.w * 1.05 ? option : best), options[0] ?? []);
}

function risingRows(column: Rect, count: number, rows: number, most: number): Rect[] {
  const gap = 4;
  const across = Math.ceil(count / rows);
  const least = across > 1 ? 0.16 : 0; // least rise to the next card of a row, in card heights
  const steps = least * (across - 1);
  const high = (column.h - gap * (rows - 1)) / (rows + steps);
  const w = Math.floor(Math.min((column.w - gap * (across - 1)) / across, high * CARD, most));
  const h = w / CARD;
  const spare = column.h - rows * h - gap * (rows - 1);
  const rise = across > 1 ? Math.min(spare / (across - 1), h * 0.45) : 0;
  const left = column.x + (column.w - w * across - gap * (across - 1)) / 2;
  const foot = column.y + (column.h + rows * h + gap * (rows - 1) + rise * (across - 1)) / 2;
  return Array.from({ length: count }, (_, place) => {
    const row = Math.floor(place / across);
    const step = place % across;
    return { x: left + step * (w + gap), y: foot - (row + 1) * h - row * gap - step * rise, w, h };
  });
}

/** Return the gift on offer at a place's edge of the middle: yours is below, the others run clockwise from the left. */
export function edge({ middle, gift, gifts, places, shape }: Layout, place: number): Rect {
  if (gifts) return gifts[place]!;
  const h = gift / CARD;
  const wide = middle.w - gift;
  const high = middle.h - h;
  const at = (x: number, y: number): Rect => ({ x: middle.x + x, y: middle.y + y, w: gift, h });
  if (place === 0) return at(shape === "low" ? wide : wide / 2, high);
  const path = ((place - 0.5) / (places.length - 1)) * (2 * high + wide);
  if (path < high) return at(0, high - path);
  if (path < high + wide) return at(path - high, 0);
  return at(wide, path - high - wide);
}

/** Return the rectangle of a penalty: one of three in the last line of the label, below the face. */
export function penaltySpot({ places, line }: Layout, place: number, slot: number): Rect {
  const { label, face } = places[place]!;
  const w = line * 1.35;
  const all = 3 * w + 2 * GAP;
  const start = clamp(face.x + face.w / 2 - all / 2, label.x, label.x + label.w - all);
  return { x: start + slot * (w + GAP), y: label.y + label.h - line + (line - w / CARD) / 2, w, h: w / CARD };
}

/** Return the two spots by which a card flies to the penalties: small, and around the faces. */
export function wayToPenalties(from: Rect, to: Rect, { middle }: Pick<Layout, "middle">): [Rect, Rect] {
  const first = { ...to, x: from.x + (from.w - to.w) / 2, y: from.y + (from.h - to.h) / 2 };
  return [first, { ...to, x: middle.x + (middle.w - to.w) / 2 }];
}

/** Return the direction of an arrow in degrees clockwise from the right. */
export function angle(from: Rect, to: Rect): number {
  const start = centreOf(from);
  const end = centreOf(to);
  return Math.round(Math.atan2(end.y - start.y, end.x - start.x) * (180 / Math.PI));
}

const ASIDE = 38; // degrees; an arrow closer to straight ahead would seem to mean a person at the top

/** Return the direction of an arrow to a place. From your place, neighbours are on your left and right, never ahead. */
export function aim({ places, shape }: Pick<Layout, "places" | "shape">, from: Rect, place: number): number {
  const degrees = angle(from, onScreen(places[place]!, places[place]!.face));
  const isUpright = shape === "tall" || shape === "wide";
  if (!isUpright || places.length === 2 || !contains(places[0]!.tile, centreOf(from))) return degrees;
  return degrees < -90 ? Math.min(degrees, -90 - ASIDE) : Math.max(degrees, ASIDE - 90);
}

function contains(whole: Rect, { x, y }: Point): boolean {
  return x >= whole.x && x <= whole.x + whole.w && y >= whole.y && y <= whole.y + whole.h;
}

/** Return where a part of a place is on the screen. */
export function onScreen({ tile }: Pick<Place, "tile">, part: Rect): Rect {
  return tile.turn ? { ...turnAbout(tile, part, tile.turn), turn: tile.turn } : part;
}

/** Return where something on the screen is for the parts of a place. */
export function fromScreen({ tile }: Pick<Place, "tile">, shown: Rect): Rect {
  return turnAbout(tile, shown, -(tile.turn ?? 0));
}

/** Move a rectangle about the centre of another. It is not turned itself. */
function turnAbout(tile: Rect, part: Rect, turn: number): Rect {
  const radians = (turn * Math.PI) / 180;
  const centre = centreOf(tile);
  const dx = part.x + part.w / 2 - centre.x;
  const dy = part.y + part.h / 2 - centre.y;
  const x = centre.x + dx * Math.cos(radians) - dy * Math.sin(radians);
  const y = centre.y + dx * Math.sin(radians) + dy * Math.cos(radians);
  return { x: x - part.w / 2, y: y - part.h / 2, w: part.w, h: part.h };
}

/** Return a rectangle as CSS. */
export function css({ x, y, w, h, turn }: Omit<Rect, "h"> & { h?: number | undefined }): string {
  const at = `position: absolute; left: ${x}px; top: ${y}px; width: ${w}px`;
  return `${at}${h === undefined ? "" : `; height: ${h}px`}${turn ? `; rotate: ${turn}deg` : ""}`;
}

/** Return the equivalent turn between -180 and 180 degrees. */
export function shortestTurn(turn: number): number {
  return (((turn % 360) + 540) % 360) - 180;
}

interface Pointing {
  angle: number; // of the arrow on its card
  turn: number; // of the card on the screen
}

/** Return the arrow's angle at the start of a move, so that it turns by the shorter way on the screen. */
export function arrowAtStart(leaves: Pointing, arrives: Pointing): number {
  const arrived = arrives.angle + arrives.turn;
  return arrived + shortestTurn(leaves.angle + leaves.turn - arrived) - leaves.turn;
}

export function pad(rect: Rect, by: number): Rect {
  return { x: rect.x + by, y: rect.y + by, w: rect.w - 2 * by, h: rect.h - 2 * by };
}

export function centreOf({ x, y, w, h }: Rect): Point {
  return { x: x + w / 2, y: y + h / 2 };
}

export function clamp(value: number, least: number, most: number): number {
  return Math.max(least, Math.min(value, most));
}

function centred(rect: Rect, width: number): Rect {
  return { ...rect, x: rect.x + (rect.w - width) / 2, w: width };
}
