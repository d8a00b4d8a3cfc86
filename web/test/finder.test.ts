import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { Finder, folded, type GiftWords } from "../src/words/finder.ts";

const LANGUAGES = ["en", "de", "fr", "it", "es", "pt", "nl"];

function words(lang: string): Record<string, GiftWords> {
  return JSON.parse(readFileSync(new URL(`../src/made/words/${lang}.json`, import.meta.url), "utf-8"));
}

/** The fewest keys for a gift: some first letters, then Enter for the first suggestion or the number of a later one. */
function keystrokes(finder: Finder, name: string, gift: string): number {
  for (let letters = 1; letters <= folded(name).length; letters++)
    if (finder.find(folded(name).slice(0, letters)).includes(gift)) return letters + 1;
  return Infinity;
}

describe.each(LANGUAGES)("the picker in %s", (lang) => {
  const gifts = words(lang);
  const finder = new Finder(gifts);

  it("needs at most four keystrokes for nine gifts of ten", () => {
    const all = Object.entries(gifts).map(([gift, [name]]) => keystrokes(finder, name, gift));
    expect(all.filter((keys) => keys <= 4).length / all.length).toBeGreaterThanOrEqual(0.9);
  });

  it("puts a gift first whose whole name is typed, without accents and in capitals", () => {
    for (const [gift, [name]] of Object.entries(gifts)) expect(finder.find(folded(name).toUpperCase())[0]).toBe(gift);
  });

  it("knows every other word for a gift", () => {
    for (const [gift, [, , , , synonyms]] of Object.entries(gifts))
      for (const synonym of synonyms) expect(finder.find(synonym), synonym).toContain(gift);
  });
});

describe("the picker's patience with slips", () => {
  const finder = new Finder(words("en"));
  it.each([
    ["umbrela", "umbrella"],
    ["brocoli", "broccoli"],
    ["gutiar", "guitar"],
    ["pinaple", "pineapple"],
  ])("reads %s as %s", (typed, gift) => expect(finder.find(typed)[0]).toBe(gift));

  it("suggests nothing for nothing, and nothing for nonsense", () => {
    expect(finder.find("  ")).toEqual([]);
    expect(finder.find("xqzxqzxqz")).toEqual([]);
  });
});
