import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { ownDeck } from "../../src/views/print/ownDeck.ts";
import { address, cardsOf, cuts, gridOf, sheetsOf, type Choice, type Paper } from "../../src/views/print/sheets.ts";

const paper = JSON.parse(readFileSync(new URL("../../src/made/paper.json", import.meta.url), "utf-8")) as Paper;
const usual: Choice = {
  deck: "classic", special_cards: true, arrows: "both", language: "en", paper: "a4", flip: "long", size: "88x55", backs: "colour",
};

describe("a deck on paper", () => {
  it.each([
    [{}, 110],
    [{ arrows: "black" }, 55],
    [{ deck: "special" }, 110],
    [{ deck: "special", special_cards: false }, 80],
    [{ deck: "special", arrows: "white" }, 70],
  ] as [Partial<Choice>, number][])("with %j has %i cards (2, 7.1)", (chosen, count) => {
    expect(cardsOf(paper, { ...usual, ...chosen })).toHaveLength(count);
  });

  const grids = ["a4", "letter"].flatMap((name) => paper.sizes.map((size) => [name, size] as const));
  it.each(grids)("on %s with cards of %s has every back behind its front", (name, size) => {
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

  it("has marks for every cut", () => {
    const grid = gridOf(paper, usual);
    expect(cuts(grid, paper).split("M")).toHaveLength(1 + 2 * (grid.columns + 1) + 2 * (grid.rows + 1) + 2 * (grid.columns - 1) * (grid.rows - 1));
  });

  it("is asked for in one address", () => {
    expect(address(usual)).toBe(
      "/api/print.pdf?deck=classic&special_cards=true&arrows=both&language=en&paper=a4&flip=long&size=88x55&backs=colour",
    );
  });
});

describe("a deck of one's own on paper", () => {
  const known = (gift: string): boolean => /^[a-z]+$/.test(gift);
  const PNG = "iVBORw0KGgo=";

  it("has the arrows of its file, and the fewer colour where none was chosen", () => {
    const hat = { hat: 1, name: "x", left: ["cup"], any: ["#1"], balanced: ["egg", "hat", "key"], own: [{ picture: PNG, words: {} }] };
    const { cards, pictures } = ownDeck(hat, known);
    expect(cards).toEqual([["cup", "left"], ["hat", "left"], ["egg", "right"], ["key", "right"], ["#1", "any"]]);
    expect(pictures).toEqual({ "#1": `data:image/png;base64,${PNG}` });
    expect(cardsOf(paper, { ...usual, deck: "own", special_cards: false, arrows: "black" }, cards)).toEqual([["cup", "left"], ["hat", "left"]]);
  });

  it.each([
    null, [], "hat", { hat: 2, left: ["cup"] }, { hat: 1 }, { hat: 1, left: "cup" }, { hat: 1, left: ["cup", "cup"] }, { hat: 1, left: ["No!"] },
    { hat: 1, left: ["#1"], own: [{ picture: "PHN2Zz48c2NyaXB0Lz4=" }] }, { hat: 1, left: ["#1"], own: [{ picture: `${PNG}" onload="` }] },
    { hat: 1, left: ["#1"], own: [null] },
  ])("is refused where it is none: %j", (hat) => {
    expect(() => ownDeck(hat, known)).toThrow();
  });
});
