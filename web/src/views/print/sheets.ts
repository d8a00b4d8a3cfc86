// The layout of printed cards, in millimetres from the top left corner of a sheet, with every back behind its front.

import type { Language } from "../../words/words.svelte.ts";
import type { FaceDown } from "../../made/wire.ts";

export type Back = FaceDown["back"];
export type Card = [gift: string, back: Back];
type Pair = [x: number, y: number];

export interface Grid {
  sheet: Pair;
  card: Pair;
  columns: number;
  rows: number;
  corner: Pair;
}

export interface Choice {
  deck: "classic" | "special" | "own";
  special_cards: boolean;
  arrows: "both" | "black" | "white";
  language: Language;
  paper: "a4" | "letter";
  flip: "long" | "short";
  size: string;
  backs: "colour" | "saving";
}

export type Decks = Record<Choice["deck"], Card[]>;

export const SIZES = ["88x55", "72x45", "64x40", "56x35"];
export const FRONT = 0.86; // of a card's height, for its drawing
export const FRAME = 3; // white around a back: a sheet may slip by 2 mm and does not show the neighbour's back
const PAPERS: Record<Choice["paper"], Pair> = { a4: [210, 297], letter: [215.9, 279.4] };
const MARGIN = 6; // home printers may not print here
const MARK = 3; // the length of a cut mark
const AIR = 1; // between a mark and the cards
const OTHER = { both: "", black: "right", white: "left" };

/** Return the cards of a variant (rule 7.1) in print order. */
export function cardsOf({ deck, special_cards, arrows }: Choice, decks: Decks): Card[] {
  return decks[deck].filter(([, back]) => back !== OTHER[arrows] && (back !== "any" || special_cards));
}

/** Return the grid with as many cards as fit, in the middle, with room for cut marks within the printable area. */
export function gridOf({ paper, size }: Pick<Choice, "paper" | "size">): Grid {
  const sheet = PAPERS[paper];
  const card = size.split("x").map(Number) as Pair;
  const border = 2 * (MARGIN + MARK + AIR);
  const columns = Math.floor((sheet[0] - border) / card[0]);
  const rows = Math.floor((sheet[1] - border) / card[1]);
  return { sheet, card, columns, rows, corner: [(sheet[0] - columns * card[0]) / 2, (sheet[1] - rows * card[1]) / 2] };
}

/** Return the cards of each sheet. */
export function sheetsOf(cards: Card[], { columns, rows }: Grid): Card[][] {
  const each = columns * rows;
  return Array.from({ length: Math.ceil(cards.length / each) }, (_, n) => cards.slice(n * each, (n + 1) * each));
}

/** Return the place of a card's front on its sheet. */
export function frontPlace({ card, columns, corner }: Grid, i: number): Pair {
  return [corner[0] + (i % columns) * card[0], corner[1] + Math.floor(i / columns) * card[1]];
}

/** The place of a back: mirrored left to right when flipped over the long edge, top to bottom over the short one. */
export function backPlace(grid: Grid, i: number, flip: Choice["flip"]): Pair {
  const { sheet, card } = grid;
  const [x, y] = frontPlace(grid, i);
  return flip === "long" ? [sheet[0] - x - card[0], y] : [x, sheet[1] - y - card[1]];
}

/** Cut marks in the margins and small crosses between cards, as one path. */
export function cutMarks({ card, columns, rows, corner: [left, top] }: Grid): string {
  const across = Array.from({ length: columns + 1 }, (_, i) => left + i * card[0]);
  const down = Array.from({ length: rows + 1 }, (_, i) => top + i * card[1]);
  const [right, bottom] = [across.at(-1)!, down.at(-1)!];
  const crosses = across.slice(1, -1).flatMap((x) => down.slice(1, -1).map((y) => `M${x - 1} ${y}h2M${x} ${y - 1}v2`));
  return [
    ...across.map((x) => `M${x} ${top - AIR - MARK}v${MARK}M${x} ${bottom + AIR}v${MARK}`),
    ...down.map((y) => `M${left - AIR - MARK} ${y}h${MARK}M${right + AIR} ${y}h${MARK}`),
    ...crosses,
  ].join("");
}
