// The layout of the table for 2 to 8 seats on any screen, as pure numbers. Nothing overlaps by construction.

export interface Rect {
  x: number;
  y: number;
  w: number;
  h: number;
  turn?: number; // in degrees clockwise about its centre, for tablets
}

/** Your place is below the table (`tall`), inside the horseshoe (`wide`) or beside it (`low`); `list` is for very large text. */
export type Shape = "tall" | "wide" | "low" | "list";

export interface Layout {
  shape: Shape;
  width: number;
  height: number; // larger than the window only for large text
  header: number; // height
  board: Rect;
  seats: Rect[]; // by place: 0 is you, then clockwise from your left
  columns: Rect[]; // the cards of each place, with room for one more
  crowded: Rect[]; // the same with three cards: on a small screen names take one line then
  shop: Rect;
  middle: Rect; // the area of the gift on offer, which is at its giver's or receiver's edge
  gift: number; // the width of the gift on offer, the largest card
  sentence: Rect | null; // null: in a dock at the bottom of the window, for large text
  actions: Rect | null;
  talk: Rect | null; // remarks, if there is no room beside names
  scale: number; // of the text and faces beside seats
  beside: number; // the width of your label if it is beside your cards; 0: above them
}

export interface Room {
  width: number;
  height: number;
  seats: number;
  text?: number; // 1 is normal, 2 is text at 200 %
  header?: number; // height, if it is not one line
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
const GAP = 4;
const TALK = 22;
const LIST_SPLIT = 360; // least width of a list for two columns, at normal text
const DOCK = 96; // height of the dock below a list with a vote or two buttons, at normal text
const HIGH = 700; // pixels of a screen that has room for own gifts of full size in a list

export function computeLayout(room: Room): Layout {
  const text = room.text ?? 1;
  return { tall, wide, low, list }[shapeOf(room.width, room.height, text)](room, text);
}

function shapeOf(width: number, height: number, text: number): Shape {
  if (width < 300 || text > 1.3) return "list";
  if (height < 640 && width > height * 1.4) return "low";
  if (width >= 1000 && width > height) return "wide";
  return "tall";
}

function headerOf(room: Room, text: number): number {
  return room.header ?? Math.max(44, 40 * text);
}

function tall(room: Room, text: number): Layout {
  const { width, height, seats } = room;
  const [left, top] = HORSESHOE[seats]!;
  const roomy = width >= 700 && height >= 880;
  const small = width < 360 || height < 700;
  const tight = small && room.header !== undefined; // a replay has a high header, and no remarks
  const third = Math.min(Math.floor((width - 2 * GAP) / 3), roomy ? 240 : 150);
  const tileWidth = left === 0 ? Math.min(width * 0.62, 380) : third; // two players have two gifts each
  const sentenceHeight = tight ? 54 : small ? 66 : roomy ? 104 : 88;
  const actionsHeight = tight ? 56 : small ? 60 : roomy ? 84 : 78;
  const youHeight = tight ? 78 : small ? 84 : roomy ? 170 : 130;
  const header = headerOf(room, text);
  const talk = tight || hasRoomBesideName(tileWidth) ? null : { x: 8, y: header, w: width - 16, h: TALK };
  const boardTop = header + (talk?.h ?? 0);
  const rows = (top > 0 ? 1 : 0) + left;
  const leastTile = small ? 92 : roomy ? 146 : 112;
  const least = rows * leastTile + (left === 0 ? 130 : 0);
  const boardHeight = Math.max(height - boardTop - sentenceHeight - youHeight - actionsHeight, least);
  const board = { x: GAP, y: boardTop, w: width - 2 * GAP, h: boardHeight };
  const above = left === 0 ? Math.min(board.h * 0.42, tileWidth * 0.5 + 20) : leastTile;
  const around = seatsAboveGift(board, seats, tileWidth, leastTile) ?? horseshoe(board, seats, tileWidth, above, leastTile);
  const y = board.y + board.h;
  const sentence = { x: 8, y, w: width - 16, h: sentenceHeight };
  const you = { x: 8, y: y + sentenceHeight, w: width - 16, h: youHeight };
  const actions = { x: 8, y: you.y + you.h, w: width - 16, h: actionsHeight };
  const frame: Frame = { shape: "tall", width, header, height: actions.y + actions.h, board, sentence, actions, talk, scale: 1, beside: 0 };
  return finish(frame, [you, ...around.tiles], around, text);
}

/** Put the gift on offer below all seats, large and close to you, or return null if there is no room. */
function seatsAboveGift(board: Rect, seats: number, tileWidth: number, leastTile: number): TabletLayout | null {
  const [left, top] = HORSESHOE[seats]!;
  const rows = left + (top > 0 ? 1 : 0);
  const spare = board.h - rows * leastTile;
  if (left === 0 || spare < 88) return null;
  const wanted = Math.max(88, Math.min(spare * 0.75, board.h * 0.36, board.w * 0.42));
  const tileHeight = Math.min(Math.floor((board.h - wanted) / rows), Math.round(tileWidth * 1.16));
  const above = { ...board, h: tileHeight * rows };
  const around = horseshoe(above, seats, tileWidth, tileHeight, tileHeight);
  const below = { x: board.x, y: above.y + above.h, w: board.w, h: board.h - above.h };
  return { ...around, below };
}

/** People close together around the centre, which has the shop and beside it the gift on offer; your gifts are the largest after it. */
function wide(room: Room, text: number): Layout {
  const { width, height, seats } = room;
  const [left, top] = HORSESHOE[seats]!;
  const header = headerOf(room, text);
  const board = { x: 12, y: header + 4, w: width - 24, h: Math.max(height - header - 16, 560) };
  const unit = clamp(Math.min(board.w / 1256, board.h / 660), 0.84, 1.8);
  const roomy = seats === 3 ? 1.28 : seats < 6 ? 1.08 : 1; // few people have larger gifts
  const scale = clamp(unit, 1, 1.5);
  const bottom = board.y + board.h - 10;
  const leastTile = Math.max(173 * unit * roomy, width < 1400 ? 205 : 222);
  const actions = { ...centred(board, Math.min(700 * unit, board.w - 2 * (leastTile + 22))), y: bottom - 68, h: 68 };
  const youHeight = 126 * unit * roomy;
  const you = { ...centred(board, Math.min(540 * unit * roomy, actions.w)), y: actions.y - youHeight, h: youHeight };
  const sentence = { ...actions, y: you.y - 78 * scale, h: 78 * scale };
  const beside = Math.min(128 * scale, you.w * 0.26);
  const label = 50 * text * scale;
  const above = top > 0 ? label + 84 * unit * roomy + 14 : 0;
  const centreTop = board.y + 14 + above;
  const centreHeight = sentence.y - centreTop;
  const gift = Math.floor(Math.min(centreHeight * 0.76 * CARD, 270 * unit * roomy, board.w * 0.26));
  const own = Math.min(youHeight * 0.88 * CARD, gift / LARGEST, you.w - 2 * beside);
  const card = Math.min(135 * unit * roomy, own / 1.16);
  const tile = { w: left === 0 ? 2.4 * card : leastTile, h: label + card / CARD + 14 };
  const pair = pairInCentre({ ...board, y: centreTop, h: centreHeight }, gift);
  const spare = (board.w - 28 - 2 * tile.w - (pair.middle.x + pair.middle.w - pair.shop.x) - 36) / 2; // beside the pair, on either side
  const tiles = seatsDrawnIn(pad(board, 14), seats, tile, { upper: Math.max(0, spare * 0.85), lower: Math.max(0, (actions.x - board.x - 14 - tile.w - 10) * 0.7) });
  const frame: Frame = { shape: "wide", width, header, height: board.y + board.h + 12, board, sentence, actions, talk: null, scale, beside };
  return { ...finish(frame, [you, ...tiles], { centre: pair.middle }, text), ...pair, gift };
}

/** Return shop and gift on offer as one pair in the middle of an area; the gift has some distance to travel. */
function pairInCentre(area: Rect, gift: number): Pick<Layout, "shop" | "middle"> {
  const shopWidth = gift * 0.62;
  const across = gift * 1.34;
  const x = area.x + (area.w - shopWidth - 20 - across) / 2;
  const middle = { x: x + shopWidth + 20, y: area.y + 6, w: across, h: area.h - 12 };
  return { shop: shopIn({ x, y: middle.y, w: shopWidth, h: middle.h }, shopWidth, COUNT), middle };
}

/** Return the other seats along an oval: those on the sides stand the closer to the centre the higher they are. */
function seatsDrawnIn(board: Rect, seats: number, tile: { w: number; h: number }, inset: { upper: number; lower: number }): Rect[] {
  const [left, top] = HORSESHOE[seats]!;
  const centre = board.x + board.w / 2;
  const spread = Math.max(tile.w + GAP, Math.min(board.w * (top === 2 ? 0.3 : 0.27), tile.w * 1.7));
  const above = Array.from({ length: top }, (_, n) => ({ ...tile, x: centre + (n - (top - 1) / 2) * spread - tile.w / 2, y: board.y }));
  const first = top === 3 || (top === 2 && centre - spread / 2 - tile.w / 2 < board.x + inset.upper + tile.w + GAP) ? board.y + tile.h + GAP : board.y + board.h * 0.14;
  const heights = left === 1 ? [board.y + board.h * 0.44 - tile.h / 2] : [first, Math.max(first + tile.h + GAP, board.y + board.h * 0.63)];
  const insets = left === 1 ? [Math.min(inset.upper, inset.lower)] : [inset.upper, inset.lower];
  const side = (x: (inset: number) => number): Rect[] => heights.slice(0, left).map((y, n) => ({ ...tile, x: x(insets[n]!), y: Math.min(y, board.y + board.h - tile.h) }));
  return [...side((by) => board.x + by).reverse(), ...above, ...side((by) => board.x + board.w - tile.w - by)];
}

function low(room: Room, text: number): Layout {
  const { width, height, seats } = room;
  const panel = Math.max(280, Math.min(Math.round(width * 0.36), 360));
  const header = headerOf(room, text);
  const boardTop = header;
  const tall = Math.max(height - boardTop - 4, 290);
  const inStrip = seats >= 6;
  const stripHeight = Math.max(100, Math.min(tall * 0.28, 150));
  const tileHeight = Math.max(112, Math.min(tall / 3, 150));
  const board = { x: GAP, y: boardTop, w: width - panel - 2 * GAP, h: tall };
  const around = inStrip
    ? strip({ x: GAP, y: boardTop, w: width - 2 * GAP, h: tall }, seats, stripHeight, board.w)
    : horseshoe(board, seats, Math.max(96, Math.min(190, Math.floor(board.w / 4))), tileHeight, tileHeight);
  const top = boardTop + (inStrip ? stripHeight : 0);
  const side = { x: width - panel, w: panel - 8 };
  const sentence = { ...side, y: top, h: inStrip ? 68 : 92 };
  const actions = { ...side, y: boardTop + tall - 64, h: 64 };
  const you = { ...side, y: sentence.y + sentence.h, h: actions.y - sentence.y - sentence.h };
  const table = inStrip ? { ...board, y: boardTop, h: tall, w: width - 2 * GAP } : board;
  const talk = { x: width * 0.46, y: 0, w: width * 0.54 - 150, h: header }; // in the header, to the right of notices
  const frame: Frame = { shape: "low", width, header, height: boardTop + tall + 4, board: table, sentence, actions, talk, scale: 1, beside: 0 };
  return finish(frame, [you, ...around.tiles], around, text);
}

/** For text of 200 % and tiny windows: the page scrolls, but the actions, the gift on offer and your own gifts are in sight. */
function list(room: Room, text: number): Layout {
  const { width, seats } = room;
  const header = headerOf(room, text);
  const talk = { x: 8, w: width - 16, y: header, h: TALK * 1.2 * text };
  const top = talk.y + talk.h;
  const broad = width >= LIST_SPLIT * text; // your gifts are beside the gift on offer
  const across = Math.max(1, Math.min(broad ? 4 : 3, Math.floor(width / (190 * text))));
  const half = Math.floor((width - 16) / 2);
  const centre = { x: 8, y: top, w: broad ? half : width - 16, h: broad ? 100 + 50 * text : 150 };
  const rows = Math.ceil((seats - 1) / across);
  const fit = broad ? Math.floor((room.height - DOCK * text - centre.y - centre.h - GAP) / rows) - GAP : 0;
  const most = 60 + 72 * text;
  const tile = { w: Math.floor((width - 16) / across), h: fit < 60 + 60 * text ? most : Math.min(fit, most) }; // a little lower if all are in sight then
  const own = room.height >= HIGH ? tile.h : 76 + 40 * text; // on low screens small gifts in sight are better than large ones out of it
  const you = broad ? { ...centre, x: 8 + half } : { ...centre, y: top + centre.h, h: own };
  const below = you.y + you.h + GAP;
  const tiles = Array.from({ length: seats - 1 }, (_, place) => ({
    x: 8 + (place % across) * tile.w,
    y: below + Math.floor(place / across) * (tile.h + GAP),
    ...tile,
  }));
  const height = below + rows * (tile.h + GAP);
  const board = { x: GAP, y: top, w: width - 2 * GAP, h: height - top };
  const frame: Frame = { shape: "list", width, header, height, board, sentence: null, actions: null, talk, scale: 1, beside: 0 };
  return finish(frame, [you, ...tiles], { centre }, text);
}

/** Return whether a tile has room for text beside the name. */
export function hasRoomBesideName(tileWidth: number): boolean {
  return tileWidth >= 170;
}

interface Centre {
  centre: Rect;
  below?: Rect; // the area of the gift on offer; then the centre has only the shop
}

interface TabletLayout extends Centre {
  tiles: Rect[];
}

function horseshoe(board: Rect, seats: number, tileWidth: number, aboveHeight: number, mostSide: number): TabletLayout {
  const [left, top, right] = HORSESHOE[seats]!;
  const topHeight = top > 0 ? aboveHeight : 0;
  const sides = { y: board.y + topHeight, h: board.h - topHeight };
  const tileHeight = Math.min(Math.floor(sides.h / Math.max(left, 1)), mostSide);
  const side = (x: number, count: number): Rect[] =>
    Array.from({ length: count }, (_, row) => ({
      x,
      y: Math.floor(sides.y + (sides.h / count) * (row + 0.5) - tileHeight / 2),
      w: tileWidth,
      h: tileHeight,
    }));
  const spread = board.w / Math.max(top, 1);
  const above = Array.from({ length: top }, (_, place) => ({
    x: Math.floor(board.x + (top === 3 ? topOfThree(place, board.w, tileWidth) : spread * (place + 0.5) - tileWidth / 2)),
    y: board.y,
    w: tileWidth,
    h: topHeight,
  }));
  const leftward = side(board.x, left).reverse();
  const rightward = side(board.x + board.w - tileWidth, right);
  const margin = left > 0 ? tileWidth + GAP : 0;
  const centre = { x: board.x + margin, y: sides.y, w: board.w - 2 * margin, h: sides.h };
  return { tiles: [...leftward, ...above, ...rightward], centre };
}

/** Return x for three seats on top: the outer two above the side seats, one in the middle. */
function topOfThree(place: number, width: number, tile: number): number {
  return [0, width / 2 - tile / 2, width - tile][place]!;
}

function strip(area: Rect, seats: number, height: number, boardWidth: number): TabletLayout {
  const each = Math.floor(area.w / (seats - 1));
  const tiles = Array.from({ length: seats - 1 }, (_, place) => ({ x: area.x + place * each, y: area.y, w: each, h: height }));
  return { tiles, centre: { x: area.x, y: area.y + height, w: boardWidth, h: area.h - height } };
}

type Frame = Omit<Layout, "seats" | "columns" | "crowded" | "shop" | "middle" | "gift">;

function finish(frame: Frame, seats: Rect[], centre: Centre, text: number): Layout {
  const shared = splitCentre(centre, text);
  const column = (cards: number) => (seat: Rect, place: number): Rect => columnOf(seat, labelOf({ ...frame, seats }, place, text, cards));
  return { ...frame, seats, columns: seats.map(column(1)), crowded: seats.map(column(CROWD)), ...shared };
}

const CROWD = 3; // cards; more than a column has between moves

/** Return the area of face, name and penalties: above the cards, or beside yours. A crowded column leaves one line. */
export function labelOf({ seats, scale, beside, shape }: Pick<Layout, "seats" | "scale" | "beside" | "shape">, place: number, text: number, cards = 1): Rect {
  const seat = seats[place]!;
  if (place === 0 && beside > 0) return { ...seat, w: beside };
  if (shape === "wide") return { ...seat, h: 50 * text * scale };
  if (isOneLine(seat, text)) return { ...seat, h: 30 * text };
  if (cards >= CROWD && !hasRoomBesideName(seat.w)) return { ...seat, h: 32 * text };
  return { ...seat, h: (seat.w < 140 ? 44 : 50) * text };
}

/** Return whether name and penalties of a seat are in one line. */
export function isOneLine(seat: Rect, text: number): boolean {
  return seat.w > 260 * text;
}

/** Return the area for cards inside the outline of a seat. Cards are slightly rotated. */
function columnOf(seat: Rect, label: Rect): Rect {
  const isBeside = label.h === seat.h;
  const side = isBeside ? label.w : Math.max(5, seat.w * 0.03);
  const tilt = Math.min(seat.w * 0.012, 4);
  const top = isBeside ? 4 : label.h;
  return { x: seat.x + side, y: seat.y + top + tilt, w: seat.w - 2 * side, h: seat.h - top - 4 - 2 * tilt };
}

const COUNT = 18; // the line under the shop with the number of cards left

/** Split the centre between shop and gift on offer: side by side if it is broad, else one below the other. */
function splitCentre({ centre, below }: Centre, text: number): Pick<Layout, "shop" | "middle" | "gift"> {
  const area = pad(centre, centre.w < 130 ? 1 : 6);
  const count = COUNT * text;
  if (below) return shopAndGift(area, pad(below, 5), count);
  if (area.w > area.h * 1.25) {
    const shopWidth = Math.min(area.w * 0.24, (area.h - count - 8) * CARD, 210);
    const gap = 14;
    return shopAndGift({ ...area, w: shopWidth }, { ...area, x: area.x + shopWidth + gap, w: area.w - shopWidth - gap }, count);
  }
  const shopHeight = Math.min(area.h * 0.4, (area.w * 0.7) / CARD + count, 140);
  return shopAndGift({ ...area, h: shopHeight }, { ...area, y: area.y + shopHeight + 6, h: area.h - shopHeight - 6 }, count);
}

/** Make the gift on offer as large as possible, with some distance left to travel from edge to edge. */
function shopAndGift(shop: Rect, middle: Rect, count: number): Pick<Layout, "shop" | "middle" | "gift"> {
  const gift = Math.floor(Math.min(middle.w * (middle.w < 150 ? 0.92 : 0.66), middle.h * 0.8 * CARD, 360));
  return { shop: shopIn(shop, Math.min(190, gift / LARGEST), count), middle, gift };
}

function shopIn(area: Rect, most: number, count: number): Rect {
  const w = Math.min(area.w, (area.h - count) * CARD, most);
  const h = w / CARD + count;
  return { x: area.x + (area.w - w) / 2, y: area.y + (area.h - h) / 2, w, h };
}

/**
 * Return the cards of a column, oldest first, without overlap. Newer cards are higher, in one row that rises to the right or in
 * several rows, whichever makes the cards larger.
 */
export function slots({ columns, crowded, gift }: Pick<Layout, "columns" | "crowded" | "gift">, place: number, count: number): Rect[] {
  const column = (count >= CROWD ? crowded : columns)[place]!;
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

/** Return the gift on offer at a place's edge of the middle: yours is below, the others run from left over the top to right. */
export function edge({ middle, gift, seats, shape }: Layout, place: number): Rect {
  const h = gift / CARD;
  const wide = middle.w - gift;
  const high = middle.h - h;
  const at = (x: number, y: number): Rect => ({ x: middle.x + x, y: middle.y + y, w: gift, h });
  if (place === 0) return at(shape === "low" ? wide : wide / 2, high);
  const path = ((place - 0.5) / (seats.length - 1)) * (2 * high + wide);
  if (path < high) return at(0, high - path);
  if (path < high + wide) return at(path - high, 0);
  return at(wide, path - high - wide);
}

/** Return the rectangle of a penalty: after the pips and the earlier ones. */
export function penaltySpot(layout: Layout, place: number, text: number, slot: number): Rect {
  const label = labelOf(layout, place, text);
  const large = isOneLine(label, text);
  const w = large ? 36 : 25 * layout.scale;
  const row = large ? 26 : 20;
  const beside = layout.beside > 0 && place === 0;
  const from = beside ? (slot - 1.5) * w : large ? 40 + slot * (w + 3) : 6 + slot * 14; // a narrow row stays centred as it grows
  const x = Math.min(label.x + label.w / 2 + from, label.x + label.w - w);
  return { x, y: label.y + label.h - row * text, w, h: w / CARD };
}

/** Return the direction of an arrow in degrees clockwise from the right. */
export function angle(from: Rect, to: Rect): number {
  const degrees = Math.atan2(to.y + to.h / 2 - (from.y + from.h / 2), to.x + to.w / 2 - (from.x + from.w / 2)) * (180 / Math.PI);
  return Math.round(degrees);
}

const ASIDE = 38; // degrees; an arrow closer to straight ahead would seem to mean a person at the top

/** Return the direction of an arrow to a place. From your own place, your neighbours are on your left and right, never straight ahead. */
export function aim({ seats, shape }: Pick<Layout, "seats" | "shape">, from: Rect, place: number): number {
  const degrees = angle(from, seats[place]!);
  const middle = { x: from.x + from.w / 2, y: from.y + from.h / 2, w: 0, h: 0 };
  if (seats.length === 2 || (shape !== "tall" && shape !== "wide") || !contains(seats[0]!, middle)) return degrees;
  return degrees < -90 ? Math.min(degrees, -90 - ASIDE) : Math.max(degrees, ASIDE - 90);
}

function contains(whole: Rect, { x, y }: Rect): boolean {
  return x >= whole.x && x <= whole.x + whole.w && y >= whole.y && y <= whole.y + whole.h;
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

function clamp(value: number, least: number, most: number): number {
  return Math.max(least, Math.min(value, most));
}

function centred(rect: Rect, width: number): Rect {
  return { ...rect, x: rect.x + (rect.w - width) / 2, w: width };
}
