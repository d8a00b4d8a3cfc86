import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { SIZES, cardsOf, cutMarks, gridOf, sheetsOf, type Choice, type Decks } from "../../../src/views/print/sheets.ts";

const usual: Choice = {
  deck: "classic", special_cards: true, arrows: "both", language: "en", paper: "a4", flip: "long", size: "88x55", backs: "colour",
};
const made = readFileSync(new URL("../../../src/made/print.json", import.meta.url), "utf-8");
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
    const counts = papers.map((paper) => sheetsOf(cardsOf(usual, decks), gridOf({ ...usual, paper }), "long")[0]!.cards.length);
    expect(counts).toEqual([10, 8]);
  });

  const grids = papers.flatMap((paper) => SIZES.map((size) => [paper, size] as const));
  it.each(grids)("on %s with cards of %s have backs behind fronts, in the printable area", (paper, size) => {
    for (const flip of ["long", "short"] as const) {
      const grid = gridOf({ paper, size });
      const [wide, high] = grid.sheet;
      const sheets = sheetsOf(cardsOf(usual, decks), grid, flip);
      expect(sheets.flatMap(({ cards }) => cards)).toEqual(cardsOf(usual, decks));
      for (const { fronts, backs } of sheets)
        fronts.forEach(([x, y], i) => {
          const [bx, by] = backs[i]!;
          expect(flip === "long" ? wide - bx - grid.card[0] : bx).toBeCloseTo(x);
          expect(flip === "long" ? by : high - by - grid.card[1]).toBeCloseTo(y);
          expect(Math.min(x, y, wide - x - grid.card[0], high - y - grid.card[1])).toBeGreaterThanOrEqual(6 + 3 + 1); // margin, mark and air
        });
    }
  });

  it("have marks for every cut", () => {
    const grid = gridOf(usual);
    expect(cutMarks(grid).split("M")).toHaveLength(1 + 2 * (grid.columns + 1) + 2 * (grid.rows + 1) + 2 * (grid.columns - 1) * (grid.rows - 1));
  });

  it("have three different backs, in colour and in lines, that fit on a page many times", () => {
    const drawn = ["left", "right", "any"].flatMap((back) => ["colour", "saving"].map((how) => backs[`${back}-${how}`]!));
    expect(new Set(drawn).size).toBe(6);
    expect(drawn.filter((svg) => /\bid=|url\(|style=/.test(svg))).toEqual([]);
  });
});
