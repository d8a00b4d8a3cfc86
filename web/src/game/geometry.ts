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
  const third = Math.min(Math.floor((width - 2 * GAP) / 3), roomy ? 240 : 150);
  const tileWidth = left === 0 ? Math.min(width * 0.62, 380) : third; // two players have two gifts each
  const sentenceHeight = small ? 66 : roomy ? 104 : 88;
  const actionsHeight = small ? 60 : roomy ? 84 : 78;
  const youHeight = small ? 84 : roomy ? 170 : 130;
  const header = headerOf(room, text);
  const talk = hasRoomBesideName(tileWidth) ? null : { x: 8, y: header, w: width - 16, h: TALK };
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
  const frame: Frame = { shape: "tall", width, header, height: actions.y + actions.h, board, sentence, actions, talk };
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

function wide(room: Room, text: number): Layout {
  const { width, height, seats } = room;
  const [left] = HORSESHOE[seats]!;
  const header = headerOf(room, text);
  const boardTop = header + 4;
  const board = { x: 12, y: boardTop, w: width - 24, h: Math.max(height - boardTop - 12, 560) };
  const share = left === 0 ? 0.3 : left === 2 ? 0.175 : 0.19;
  const tileWidth = Math.max(220, Math.min(Math.round(width * share), left === 0 ? 420 : 320));
  const topHeight = Math.min(Math.max(board.h * 0.23, 150), 220);
  const around = horseshoe(pad(board, 14), seats, tileWidth, topHeight, tileWidth * 0.73);
  const inner = around.centre;
  const actionsHeight = 68;
  const sentenceHeight = 80;
  const youHeight = Math.min(Math.max(inner.h * 0.27, 126), 250);
  const column = centred(inner, Math.min(inner.w, 760));
  const actions = { ...column, y: inner.y + inner.h - actionsHeight, h: actionsHeight };
  const you = { ...centred(inner, Math.min(inner.w, 460)), y: actions.y - youHeight, h: youHeight };
  const sentence = { ...column, y: you.y - sentenceHeight, h: sentenceHeight };
  const centre = { ...inner, h: sentence.y - inner.y };
  const frame: Frame = { shape: "wide", width, header, height: board.y + board.h + 12, board, sentence, actions, talk: null };
  return finish(frame, [you, ...around.tiles], { centre }, text);
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
  const frame: Frame = { shape: "low", width, header, height: boardTop + tall + 4, board: table, sentence, actions, talk };
  return finish(frame, [you, ...around.tiles], around, text);
}

/** For text of 200 % and tiny windows: the page scrolls, but the actions stay in place. */
function list(room: Room, text: number): Layout {
  const { width, seats } = room;
  const across = Math.max(1, Math.min(3, Math.floor(width / (190 * text))));
  const tile = { w: Math.floor((width - 16) / across), h: 60 + 72 * text };
  const header = headerOf(room, text);
  const full = { x: 8, w: width - 16 };
  const talk = { ...full, y: header, h: TALK * 1.2 * text };
  const top = talk.y + talk.h;
  const tiles = Array.from({ length: seats - 1 }, (_, place) => ({
    x: 8 + (place % across) * tile.w,
    y: top + Math.floor(place / across) * (tile.h + GAP),
    ...tile,
  }));
  const centre = { ...full, y: top + Math.ceil((seats - 1) / across) * (tile.h + GAP), h: 170 };
  const you = { ...full, y: centre.y + centre.h, h: 100 + 50 * text };
  const board = { x: GAP, y: top, w: width - 2 * GAP, h: you.y - top };
  const frame: Frame = { shape: "list", width, header, height: you.y + you.h, board, sentence: null, actions: null, talk };
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

type Frame = Pick<Layout, "shape" | "width" | "height" | "header" | "board" | "sentence" | "actions" | "talk">;

function finish(frame: Frame, seats: Rect[], centre: Centre, text: number): Layout {
  const shared = splitCentre(centre);
  const columns = seats.map((seat) => columnOf(seat, labelHeight(seat, text)));
  const crowded = seats.map((seat) => columnOf(seat, labelHeight(seat, text, CROWD)));
  return { ...frame, seats, columns, crowded, ...shared };
}

const CROWD = 3; // cards; more than a column has between moves

/** Return the height of name and penalties: two lines of text and a row of small gifts, or one line above a crowded column. */
export function labelHeight(seat: Rect, text: number, cards = 1): number {
  if (seat.w > 260) return 30 * text; // all in one line
  if (cards >= CROWD && !hasRoomBesideName(seat.w)) return 32 * text;
  return (seat.w < 140 ? 44 : 50) * text;
}

/** Return the area for cards inside the outline of a seat. Cards are slightly rotated. */
function columnOf(seat: Rect, label: number): Rect {
  const side = Math.max(5, seat.w * 0.03);
  const tilt = Math.min(seat.w * 0.012, 4);
  return { x: seat.x + side, y: seat.y + label + tilt, w: seat.w - 2 * side, h: seat.h - label - 4 - 2 * tilt };
}

const COUNT = 18; // the line under the shop with the number of cards left

/** Split the centre between shop and gift on offer: side by side if it is broad, else one below the other. */
function splitCentre({ centre, below }: Centre): Pick<Layout, "shop" | "middle" | "gift"> {
  const area = pad(centre, centre.w < 130 ? 1 : 6);
  if (below) return shopAndGift(area, pad(below, 5));
  if (area.w > area.h * 1.25) {
    const shopWidth = Math.min(area.w * 0.24, (area.h - COUNT - 8) * CARD, 210);
    const gap = 14;
    return shopAndGift({ ...area, w: shopWidth }, { ...area, x: area.x + shopWidth + gap, w: area.w - shopWidth - gap });
  }
  const shopHeight = Math.min(area.h * 0.4, (area.w * 0.7) / CARD + COUNT, 140);
  return shopAndGift({ ...area, h: shopHeight }, { ...area, y: area.y + shopHeight + 6, h: area.h - shopHeight - 6 });
}

/** Make the gift on offer as large as possible, with some distance left to travel from edge to edge. */
function shopAndGift(shop: Rect, middle: Rect): Pick<Layout, "shop" | "middle" | "gift"> {
  const gift = Math.floor(Math.min(middle.w * (middle.w < 150 ? 0.92 : 0.66), middle.h * 0.8 * CARD, 360));
  return { shop: shopIn(shop, Math.min(190, gift / LARGEST)), middle, gift };
}

function shopIn(area: Rect, most: number): Rect {
  const w = Math.min(area.w, (area.h - COUNT) * CARD, most);
  const h = w / CARD + COUNT;
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
export function penaltySpot(seat: Rect, text: number, slot: number): Rect {
  const oneLine = seat.w > 260;
  const w = oneLine ? 36 : 25;
  const row = oneLine ? 26 : 20;
  const x = seat.x + seat.w / 2 + (oneLine ? 40 + slot * (w + 3) : 6 + slot * 14); // a narrow row stays centred as it grows
  return { x: Math.min(x, seat.x + seat.w - w), y: seat.y + labelHeight(seat, text) - row * text, w, h: w / CARD };
}

/** Return the direction of an arrow in degrees clockwise from the right. */
export function angle(from: Rect, to: Rect): number {
  const degrees = Math.atan2(to.y + to.h / 2 - (from.y + from.h / 2), to.x + to.w / 2 - (from.x + from.w / 2)) * (180 / Math.PI);
  return Math.round(degrees);
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

function centred(rect: Rect, width: number): Rect {
  return { ...rect, x: rect.x + (rect.w - width) / 2, w: width };
}
