import { describe, expect, it } from "vitest";
import type { Hat } from "../../../src/made/wire.ts";
import { ownDeck } from "../../../src/views/print/printData.ts";
import { cardsOf, type Choice } from "../../../src/views/print/sheets.ts";

const usual: Choice = {
  deck: "classic", special_cards: true, arrows: "both", language: "en",
  paper: "a4", flip: "long", size: "88x55", backs: "colour",
};

describe("ownDeck", () => {
  const known = (gift: string): boolean => /^[a-z]+$/.test(gift);
  const PNG = "iVBORw0KGgo=";

  it("has the arrows of its file, and balances the others", () => {
    const own = [{ picture: PNG, words: {} }];
    const hat = { hat: 1 as const, name: "x", left: ["cup"], any: ["#1"], balanced: ["egg", "hat", "key"], own };
    const { cards, pictures } = ownDeck(hat, known);
    expect(cards).toEqual([["cup", "left"], ["hat", "left"], ["egg", "right"], ["key", "right"], ["#1", "any"]]);
    expect(pictures).toEqual({ "#1": `data:image/png;base64,${PNG}` });
    const black: Choice = { ...usual, deck: "own", special_cards: false, arrows: "black" };
    expect(cardsOf(black, { classic: [], special: [], own: cards })).toEqual([["cup", "left"], ["hat", "left"]]);
  });

  it.each([
    null, [], "hat", { hat: 2, left: ["cup"] }, { hat: 1 },
    { hat: 1, left: "cup" }, { hat: 1, left: ["cup", "cup"] }, { hat: 1, left: ["No!"] },
    { hat: 1, left: ["#1"], own: [{ picture: "PHN2Zz48c2NyaXB0Lz4=" }] },
    { hat: 1, left: ["#1"], own: [{ picture: `${PNG}" onload="` }] },
    { hat: 1, left: ["#1"], own: [null] },
  ])("refuses a file that is no deck: %j", (hat) => {
    expect(() => ownDeck(hat as Hat, known)).toThrow();
  });
});
