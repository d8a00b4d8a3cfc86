// The layout of printed cards. Numbers, decks and backs come from Python, which makes PDFs of the same sheets.

import { href } from "../../net/base.ts";
import { fetchAsset } from "../../net/fetchAsset.ts";
import type { Language } from "../../words/words.svelte.ts";
import type { FaceDown } from "../../wire.ts";
import url from "../../made/paper.json?url";

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

/** The data that web_catalogue.py exports from src/notahat/paper. */
export interface Paper {
  decks: Record<"classic" | "special", Card[]>;
  backs: Record<Back, Record<"colour" | "saving", string>>;
  sizes: string[];
  grids: Record<string, Grid>;
  mark: number;
  air: number;
  frame: number;
  front: number;
  rules: [kind: string, of: string][];
  licence: string;
  players: number;
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

export interface Sheet {
  cards: Card[];
  fronts: Pair[];
  backs: Pair[];
}

const OTHER = { both: "", black: "right", white: "left" };

export const load = (missed: () => void): Promise<Paper> => fetchAsset(url, missed);

/** Return the cards of a variant (rule 7.1) in print order. */
export function cardsOf(paper: Paper, { deck, special_cards, arrows }: Choice, own: Card[] = []): Card[] {
  return (deck === "own" ? own : paper.decks[deck]).filter(([, back]) => back !== OTHER[arrows] && (back !== "any" || special_cards));
}

export const gridOf = (paper: Paper, choice: Choice): Grid => paper.grids[`${choice.paper} ${choice.size}`]!;

export function sheetsOf(cards: Card[], grid: Grid, flip: Choice["flip"]): Sheet[] {
  const each = grid.columns * grid.rows;
  return Array.from({ length: Math.ceil(cards.length / each) }, (_, n) => {
    const here = cards.slice(n * each, (n + 1) * each);
    const fronts = here.map((_, i) => place(grid, i));
    return { cards: here, fronts, backs: fronts.map((front) => backPlace(grid, front, flip)) };
  });
}

function place({ card, columns, corner }: Grid, i: number): Pair {
  return [corner[0] + (i % columns) * card[0], corner[1] + Math.floor(i / columns) * card[1]];
}

/** The place of a back: mirrored left to right when flipped over the long edge, top to bottom over the short one. */
function backPlace({ sheet, card }: Grid, [x, y]: Pair, flip: Choice["flip"]): Pair {
  return flip === "long" ? [sheet[0] - x - card[0], y] : [x, sheet[1] - y - card[1]];
}

/** Cut marks in the margins and small crosses between cards, as one path. */
export function cutMarks({ card, columns, rows, corner: [left, top] }: Grid, { mark, air }: Paper): string {
  const across = Array.from({ length: columns + 1 }, (_, i) => left + i * card[0]);
  const down = Array.from({ length: rows + 1 }, (_, i) => top + i * card[1]);
  const [right, bottom] = [across.at(-1)!, down.at(-1)!];
  const crosses = across.slice(1, -1).flatMap((x) => down.slice(1, -1).map((y) => `M${x - 1} ${y}h2M${x} ${y - 1}v2`));
  return [
    ...across.map((x) => `M${x} ${top - air - mark}v${mark}M${x} ${bottom + air}v${mark}`),
    ...down.map((y) => `M${left - air - mark} ${y}h${mark}M${right + air} ${y}h${mark}`),
    ...crosses,
  ].join("");
}

/** The URL of the same sheets as a PDF from the server. */
export function pdfUrl(choice: Choice): string {
  return `${href("/api/print.pdf")}?${new URLSearchParams(Object.entries(choice).map(([key, value]): [string, string] => [key, String(value)]))}`;
}
