import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { SIZES, backPlace, cardsOf, cutMarks, frontPlace, gridOf, sheetsOf } from "../../../src/views/print/sheets.ts";
import type { Choice, Decks } from "../../../src/views/print/sheets.ts";

const usual: Choice = {
  deck: "classic", special_cards: true, arrows: "both", language: "en",
  paper: "a4", flip: "long", size: "88x55", backs: "colour",
};
const made = readFileSync("src/made/print.json", "utf-8");
const { decks, backs } = JSON.parse(made) as { decks: Decks; backs: Record<string, string> };
const papers = ["a4", "letter"] as const;

describe("print sheets", () => {
  it.each([
    [{}, 110],
    [{ arrows: "black" }, 55],
    [{ deck: "special" }, 110],
    [{ deck: "special", special_cards: false }, 80],
    [{ deck: "special", arrows: "white" }, 70],
  ] as [Partial<Choice>, number][])("of %j have %i cards (2, 7.1)", (chosen, count) => {
    expect(cardsOf({ ...usual, ...chosen }, decks)).toHaveLength(count);
  });

  it("have ten cards on A4 and eight on Letter", () => {
    const sheets = papers.map((paper) => sheetsOf(cardsOf(usual, decks), gridOf({ ...usual, paper }))[0]!);
    expect(sheets.map(({ length }) => length)).toEqual([10, 8]);
  });

  const grids = papers.flatMap((paper) => SIZES.map((size) => [paper, size] as const));
  it.each(grids)("on %s with cards of %s have backs behind fronts, in the printable area", (paper, size) => {
    const grid = gridOf({ paper, size });
    const [wide, high] = grid.sheet;
    const sheets = sheetsOf(cardsOf(usual, decks), grid);
    expect(sheets.flat()).toEqual(cardsOf(usual, decks));
    for (const i of sheets[0]!.keys()) {
      const [x, y] = frontPlace(grid, i);
      expect(backPlace(grid, i, "long")).toEqual([expect.closeTo(wide - x - grid.card[0]), y]);
      expect(backPlace(grid, i, "short")).toEqual([x, expect.closeTo(high - y - grid.card[1])]);
      const margin = 6 + 3 + 1; // of the printer, a mark and air
      expect(Math.min(x, y, wide - x - grid.card[0], high - y - grid.card[1])).toBeGreaterThanOrEqual(margin);
    }
  });

  it("have marks for every cut", () => {
    const grid = gridOf(usual);
    const { columns, rows } = grid;
    const cuts = 2 * (columns + 1) + 2 * (rows + 1) + 2 * (columns - 1) * (rows - 1);
    expect(cutMarks(grid).split("M")).toHaveLength(1 + cuts);
  });

  it("have three backs, in colour and in lines, without identifiers", () => {
    const kinds = ["left", "right", "any"].flatMap((back) => [`${back}-colour`, `${back}-saving`]);
    const drawn = kinds.map((kind) => backs[kind]!);
    expect(new Set(drawn).size).toBe(6);
    expect(drawn.filter((svg) => /\bid=|url\(|style=/.test(svg))).toEqual([]);
  });
});
