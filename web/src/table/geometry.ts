// Where everything lies on the table, for 2 to 8 seats on any screen. Pure numbers: nothing overlaps by construction.

export interface Rect {
  x: number;
  y: number;
  w: number;
  h: number;
}

/** `tall` has your place below the table, `wide` inside the horseshoe, `low` beside it, `list` is for very large text. */
export type Shape = "tall" | "wide" | "low" | "list";

export interface Layout {
  shape: Shape;
  width: number;
  height: number; // more than the window's only where large text needs it
  board: Rect;
  seats: Rect[]; // by place: 0 is you, then clockwise from your left
  columns: Rect[]; // where the cards of each place lie
  shop: Rect;
  air: Rect; // the card being given, with room to lean toward giver or receiver
  sentence: Rect;
  actions: Rect;
}

export interface Room {
  width: number;
  height: number;
  seats: number;
  text?: number; // 1 is normal, 2 is text at 200 %
  header?: number; // the height of what stands above the table, where that is not one line
}

// How many sit left, on top and right of the table, by number of players.
const HORSESHOE: Record<number, [number, number, number]> = {
  2: [0, 1, 0],
  3: [1, 0, 1],
  4: [1, 1, 1],
  5: [1, 2, 1],
  6: [2, 1, 2],
  7: [2, 2, 2],
  8: [2, 3, 2],
};

export const CARD = 1.6; // width of a card for each unit of height
export const LEAN = 0.07; // how far the card in the air leans toward a person, in card widths
const GAP = 4;

export function layout(room: Room): Layout {
  const text = room.text ?? 1;
  const shape = shapeOf(room.width, room.height, text);
  switch (shape) {
    case "tall":
      return tall(room, text);
    case "wide":
      return wide(room, text);
    case "low":
      return low(room, text);
    case "list":
      return list(room, text);
  }
}

function shapeOf(width: number, height: number, text: number): Shape {
  if (width < 300 || text > 1.3) return "list";
  if (height < 480 && width > height * 1.4) return "low";
  if (width >= 900 && width > height) return "wide";
  return "tall";
}

function headerOf(room: Room, text: number): number {
  return room.header ?? Math.max(44, 40 * text);
}

function tall(room: Room, text: number): Layout {
  const { width, height, seats } = room;
  const [left, top] = HORSESHOE[seats]!;
  const roomy = width >= 700;
  const small = width < 360 || height < 640;
  const third = Math.min(Math.floor((width - 2 * GAP) / 3), roomy ? 240 : 150);
  const tileWidth = left === 0 ? Math.min(width * 0.62, 380) : third; // two players have two gifts each
  const sentenceHeight = small ? 66 : roomy ? 116 : 88;
  const actionsHeight = small ? 68 : roomy ? 92 : 80;
  const youHeight = small ? 92 : roomy ? 200 : 136;
  const boardTop = headerOf(room, text);
  const rows = (top > 0 ? 1 : 0) + left;
  const leastTile = small ? 98 : roomy ? 150 : 112;
  const least = rows * leastTile + (left === 0 ? 130 : 0);
  const boardHeight = Math.max(height - boardTop - sentenceHeight - youHeight - actionsHeight, least);
  const board = { x: GAP, y: boardTop, w: width - 2 * GAP, h: boardHeight };
  const around = aboveTheAir(board, seats, tileWidth, leastTile) ?? horseshoe(board, seats, tileWidth, left === 0 ? Math.min(board.h * 0.42, tileWidth * 0.5 + 20) : leastTile, leastTile);
  const y = board.y + board.h;
  const sentence = { x: 8, y, w: width - 16, h: sentenceHeight };
  const you = { x: 8, y: y + sentenceHeight, w: width - 16, h: youHeight };
  const actions = { x: 8, y: you.y + you.h, w: width - 16, h: actionsHeight };
  return finish("tall", width, actions.y + actions.h, board, [you, ...around.tiles], around, sentence, actions, text);
}

/** Where there is room below everybody, the card in the air has it to itself, large and close to you. */
function aboveTheAir(board: Rect, seats: number, tileWidth: number, leastTile: number): Around | null {
  const [left, top] = HORSESHOE[seats]!;
  if (left === 0) return null;
  const rows = left + (top > 0 ? 1 : 0);
  const wanted = Math.min(board.h * 0.34, board.w * 0.37);
  const tileHeight = Math.min(Math.floor((board.h - wanted) / rows), Math.round(tileWidth * 1.16));
  if (tileHeight < leastTile) return null;
  const above = { ...board, h: tileHeight * rows };
  const around = horseshoe(above, seats, tileWidth, tileHeight, tileHeight);
  const below = { x: board.x, y: above.y + above.h, w: board.w, h: board.h - above.h };
  return { ...around, below };
}

function wide(room: Room, text: number): Layout {
  const { width, height, seats } = room;
  const [left] = HORSESHOE[seats]!;
  const boardTop = headerOf(room, text) + 4;
  const board = { x: 12, y: boardTop, w: width - 24, h: Math.max(height - boardTop - 12, 560) };
  const share = left === 0 ? 0.3 : left === 2 ? 0.175 : 0.19;
  const tileWidth = Math.max(220, Math.min(Math.round(width * share), left === 0 ? 420 : 320));
  const topHeight = Math.min(Math.max(board.h * 0.23, 134), 220);
  const around = horseshoe(pad(board, 14), seats, tileWidth, topHeight, tileWidth * 0.73);
  const inner = around.centre;
  const actionsHeight = 76;
  const sentenceHeight = 86;
  const youHeight = Math.min(Math.max(inner.h * 0.37, 140), 250);
  const column = middle(inner, Math.min(inner.w, 760));
  const actions = { ...column, y: inner.y + inner.h - actionsHeight, h: actionsHeight };
  const you = { ...middle(inner, Math.min(inner.w, 460)), y: actions.y - youHeight, h: youHeight };
  const sentence = { ...column, y: you.y - sentenceHeight, h: sentenceHeight };
  const centre = { ...inner, h: sentence.y - inner.y };
  return finish("wide", width, board.y + board.h + 12, board, [you, ...around.tiles], { centre }, sentence, actions, text);
}

function low(room: Room, text: number): Layout {
  const { width, height, seats } = room;
  const panel = Math.max(280, Math.min(Math.round(width * 0.36), 360));
  const boardTop = headerOf(room, text);
  const tall = Math.max(height - boardTop - 4, 300);
  const strip = seats >= 6;
  const stripHeight = 104;
  const board = { x: GAP, y: boardTop, w: width - panel - 2 * GAP, h: tall };
  const around = strip
    ? onOneStrip({ x: GAP, y: boardTop, w: width - 2 * GAP, h: tall }, seats, stripHeight, board.w)
    : horseshoe(board, seats, Math.min(130, Math.floor(board.w / 4)), 118, 118);
  const top = boardTop + (strip ? stripHeight : 0);
  const side = { x: width - panel, w: panel - 8 };
  const sentence = { ...side, y: top, h: strip ? 84 : 92 };
  const actions = { ...side, y: boardTop + tall - 68, h: 68 };
  const you = { ...side, y: sentence.y + sentence.h, h: actions.y - sentence.y - sentence.h };
  const table = strip ? { ...board, y: boardTop, h: tall, w: width - 2 * GAP } : board;
  return finish("low", width, boardTop + tall + 4, table, [you, ...around.tiles], around, sentence, actions, text);
}

/** For text of 200 % and for tiny windows: people one below the other; the page may scroll, nothing is lost. */
function list(room: Room, text: number): Layout {
  const { width, seats } = room;
  const across = Math.max(1, Math.min(3, Math.floor(width / (190 * text))));
  const tile = { w: Math.floor((width - 16) / across), h: 60 + 72 * text };
  const top = headerOf(room, text);
  const tiles = Array.from({ length: seats - 1 }, (_, place) => ({
    x: 8 + (place % across) * tile.w,
    y: top + Math.floor(place / across) * (tile.h + GAP),
    ...tile,
  }));
  const full = { x: 8, w: width - 16 };
  const centre = { ...full, y: top + Math.ceil((seats - 1) / across) * (tile.h + GAP), h: 150 };
  const sentence = { ...full, y: centre.y + centre.h, h: (width < 480 ? 150 : 110) * text };
  const you = { ...full, y: sentence.y + sentence.h, h: 100 + 50 * text };
  const actions = { ...full, y: you.y + you.h, h: (width < 480 ? 200 : 90) * text };
  const board = { x: GAP, y: top, w: width - 2 * GAP, h: sentence.y - top };
  return finish("list", width, actions.y + actions.h, board, [you, ...tiles], { centre }, sentence, actions, text);
}

interface Centre {
  centre: Rect;
  below?: Rect; // room for the card in the air; then the centre is the shop's alone
}

interface Around extends Centre {
  tiles: Rect[];
}

function horseshoe(board: Rect, seats: number, tileWidth: number, aboveHeight: number, mostSide: number): Around {
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
    x: Math.floor(board.x + (top === 3 ? placed(place, board.w, tileWidth) : spread * (place + 0.5) - tileWidth / 2)),
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

/** Three on top: the outer two above the side seats, one in the middle. */
function placed(place: number, width: number, tile: number): number {
  return [0, width / 2 - tile / 2, width - tile][place]!;
}

function onOneStrip(area: Rect, seats: number, height: number, boardWidth: number): Around {
  const each = Math.floor(area.w / (seats - 1));
  const tiles = Array.from({ length: seats - 1 }, (_, place) => ({ x: area.x + place * each, y: area.y, w: each, h: height }));
  return { tiles, centre: { x: area.x, y: area.y + height, w: boardWidth, h: area.h - height } };
}

function finish(
  shape: Shape,
  width: number,
  height: number,
  board: Rect,
  seats: Rect[],
  centre: Centre,
  sentence: Rect,
  actions: Rect,
  text: number,
): Layout {
  const columns = seats.map((seat) => columnOf(seat, text));
  return { shape, width, height, board, seats, columns, ...shared(centre), sentence, actions };
}

/** Below name and penalties, which take two lines of text and a row of small gifts. */
export function labelHeight(seat: Rect, text: number): number {
  if (seat.w > 260) return 30 * text; // there is room for all of it on one line
  return (seat.w < 140 ? 46 : 50) * text;
}

function columnOf(seat: Rect, text: number): Rect {
  const label = labelHeight(seat, text);
  const side = Math.max(6, seat.w * 0.035); // cards lie a little askew
  const askew = Math.min(seat.w * 0.012, 4);
  return { x: seat.x + side, y: seat.y + label + askew, w: seat.w - 2 * side, h: seat.h - label - 6 - 2 * askew };
}

const COUNT = 18; // the line under the shop that says how many are left

/** Shop and the card in the air share the centre: side by side where it is broad, else one below the other. */
function shared({ centre, below }: Centre): { shop: Rect; air: Rect } {
  const area = pad(centre, 6);
  const count = COUNT;
  if (below) return { shop: shopIn(area), air: cardIn(pad(below, 7)) };
  if (area.w > area.h * 1.25) {
    const airWidth = Math.min(area.w * 0.5, (area.h - 8) * CARD, 330);
    const shopWidth = Math.min(area.w * 0.3, (area.h - count - 8) * CARD, airWidth * 0.72);
    const gap = Math.min(36, (area.w - airWidth - shopWidth) / 2);
    const x = area.x + (area.w - airWidth - shopWidth - gap) / 2;
    const shopHeight = shopWidth / CARD + count;
    return {
      shop: { x, y: area.y + (area.h - shopHeight) / 2, w: shopWidth, h: shopHeight },
      air: { x: x + shopWidth + gap, y: area.y + (area.h - airWidth / CARD) / 2, w: airWidth, h: airWidth / CARD },
    };
  }
  const airWidth = Math.min(area.w, ((area.h - count - 12) * 0.6) * CARD, 260);
  const shopWidth = Math.min(area.w * 0.7, ((area.h - count - 12) * 0.4) * CARD, airWidth * 0.75);
  const shopHeight = shopWidth / CARD + count;
  const gap = Math.min(24, area.h - shopHeight - airWidth / CARD);
  const y = area.y + (area.h - shopHeight - airWidth / CARD - gap) / 2;
  return {
    shop: { x: area.x + (area.w - shopWidth) / 2, y, w: shopWidth, h: shopHeight },
    air: { x: area.x + (area.w - airWidth) / 2, y: y + shopHeight + gap, w: airWidth, h: airWidth / CARD },
  };
}

function shopIn(area: Rect): Rect {
  const w = Math.min(area.w, (area.h - COUNT) * CARD, 190);
  const h = w / CARD + COUNT;
  return { x: area.x + (area.w - w) / 2, y: area.y + (area.h - h) / 2, w, h };
}

function cardIn(area: Rect): Rect {
  const w = Math.min(area.w, area.h * CARD, 340);
  return { x: area.x + (area.w - w) / 2, y: area.y + (area.h - w / CARD) / 2, w, h: w / CARD };
}

/** Where the cards of a column lie, oldest first, none covering another. */
export function slots(column: Rect, count: number): Rect[] {
  if (count === 0) return [];
  const gap = 6;
  const w = Math.floor(Math.min((column.w - gap * (count - 1)) / count, column.h * CARD));
  const h = w / CARD;
  const x = column.x + (column.w - w * count - gap * (count - 1)) / 2;
  return Array.from({ length: count }, (_, place) => ({ x: x + place * (w + gap), y: column.y + (column.h - h) / 2, w, h }));
}

/** The card in the air, leaning toward somebody or nobody. */
export function leaning(air: Rect, toward: Rect | null): Rect {
  const w = air.w * (1 - 2 * LEAN);
  const h = w / CARD;
  const still = { x: air.x + (air.w - w) / 2, y: air.y + (air.h - h) / 2, w, h };
  if (toward === null) return still;
  const dx = toward.x + toward.w / 2 - (air.x + air.w / 2);
  const dy = toward.y + toward.h / 2 - (air.y + air.h / 2);
  const far = Math.hypot(dx, dy) || 1;
  return { ...still, x: still.x + (dx / far) * (air.w - w) * 0.5, y: still.y + (dy / far) * (air.h - h) * 0.5 };
}

/** The way an arrow on a card points, in degrees clockwise from the right. */
export function angle(from: Rect, to: Rect): number {
  const degrees = Math.atan2(to.y + to.h / 2 - (from.y + from.h / 2), to.x + to.w / 2 - (from.x + from.w / 2)) * (180 / Math.PI);
  return Math.round(degrees);
}

function pad(rect: Rect, by: number): Rect {
  return { x: rect.x + by, y: rect.y + by, w: rect.w - 2 * by, h: rect.h - 2 * by };
}

function middle(rect: Rect, width: number): Rect {
  return { ...rect, x: rect.x + (rect.w - width) / 2, w: width };
}
