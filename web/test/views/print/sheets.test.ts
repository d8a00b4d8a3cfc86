import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { pdfUrl, cardsOf, cutMarks, gridOf, sheetsOf, type Choice, type Paper } from "../../../src/views/print/sheets.ts";

const paper = JSON.parse(readFileSync(new URL("../../../src/made/paper.json", import.meta.url), "utf-8")) as Paper;
const usual: Choice = {
  deck: "classic", special_cards: true, arrows: "both", language: "en", paper: "a4", flip: "long", size: "88x55", backs: "colour",
};

describe("print sheets", () => {
  it.each([
    [{}, 110],
    [{ arrows: "black" }, 55],
    [{ deck: "special" }, 110],
    [{ deck: "special", special_cards: false }, 80],
    [{ deck: "special", arrows: "white" }, 70],
  ] as [Partial<Choice>, number][])("of %j have %i cards (2, 7.1)", (chosen, count) => {
    expect(cardsOf(paper, { ...usual, ...chosen })).toHaveLength(count);
  });

  const grids = ["a4", "letter"].flatMap((name) => paper.sizes.map((size) => [name, size] as const));
  it.each(grids)("on %s with cards of %s have backs behind fronts", (name, size) => {
    for (const flip of ["long", "short"] as const) {
      const choice = { ...usual, paper: name, size, flip } as Choice;
      const grid = gridOf(paper, choice);
      const sheets = sheetsOf(cardsOf(paper, choice), grid, flip);
      expect(sheets.flatMap(({ cards }) => cards)).toEqual(paper.decks.classic);
      for (const { fronts, backs } of sheets)
        fronts.forEach(([x, y], i) => {
          const [bx, by] = backs[i]!;
          expect(flip === "long" ? grid.sheet[0] - bx - grid.card[0] : bx).toBeCloseTo(x);
          expect(flip === "long" ? by : grid.sheet[1] - by - grid.card[1]).toBeCloseTo(y);
        });
    }
  });

  it("have marks for every cut", () => {
    const grid = gridOf(paper, usual);
    expect(cutMarks(grid, paper).split("M")).toHaveLength(1 + 2 * (grid.columns + 1) + 2 * (grid.rows + 1) + 2 * (grid.columns - 1) * (grid.rows - 1));
  });

  it("have one URL for all options", () => {
    expect(pdfUrl(usual)).toBe(
      "/api/print.pdf?deck=classic&special_cards=true&arrows=both&language=en&paper=a4&flip=long&size=88x55&backs=colour",
    );
  });
});
