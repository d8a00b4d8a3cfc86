import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { Finder, folded, type GiftWords } from "../../src/words/finder.ts";

const LANGUAGES = ["en", "de", "fr", "it", "es", "pt", "nl"];

function words(lang: string): Record<string, GiftWords> {
  return JSON.parse(readFileSync(new URL(`../../src/made/words/${lang}.json`, import.meta.url), "utf-8"));
}

// what people might call a bee, a violin, a trumpet or a broccoli, and is none
const WRONG: Record<string, [string, string][]> = Object.fromEntries(
  Object.entries({
    en: "wasp cello trombone cauliflower",
    de: "Wespe Cello Posaune Blumenkohl",
    fr: "guêpe violoncelle trombone chou-fleur",
    it: "vespa violoncello trombone cavolfiore",
    es: "avispa violonchelo trombón coliflor",
    pt: "vespa violoncelo trombone couve-flor",
    nl: "wesp cello trombone bloemkool",
  }).map(([lang, names]) => [lang, names.split(" ").map((name, n) => [name, ["bee", "violin", "trumpet", "broccoli"][n]!])]),
);

/** A slip of each kind, in the middle of a word that is long enough to be told from others. */
function slipped(name: string): string[] {
  if (name.length < 5) return [];
  const at = Math.floor(name.length / 2);
  const [before, after] = [name.slice(0, at), name.slice(at + 1)];
  return [before + after, before + name[at] + name[at] + after, name.slice(0, at - 1) + name[at] + name[at - 1] + after];
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

  it("never takes the name of another thing for a slip: only who goes on typing may mean a gift", () => {
    for (const [gift, [name, , , , synonyms, others]] of Object.entries(gifts)) {
      const begins = [...name.split(/[\s'-]+/), name, ...synonyms].map(folded);
      for (const other of others.map(folded))
        if (!begins.some((word) => word.startsWith(other))) expect(finder.find(other), other).not.toContain(gift);
    }
  });

  it("does not know a wasp, a cello, a trombone or a cauliflower, nor what one types on the way there", () => {
    for (const [name, gift] of WRONG[lang]!) {
      expect(finder.find(name), name).toEqual([]);
      const own = [gifts[gift]![0], ...gifts[gift]![4]].map(folded);
      for (let letters = 5; letters < folded(name).length; letters++) {
        const typed = folded(name).slice(0, letters);
        if (!own.some((word) => word.startsWith(typed))) expect(finder.find(typed), typed).not.toContain(gift);
      }
    }
  });

  it("forgives a slip in nineteen names of twenty: a letter too few, too many, or two changed about", () => {
    const slips = Object.entries(gifts).flatMap(([gift, [name]]) => slipped(folded(name)).map((typed) => ({ gift, typed })));
    const read = slips.filter(({ gift, typed }) => finder.find(typed)[0] === gift);
    expect(slips.length).toBeGreaterThan(400);
    expect(read.length / slips.length).toBeGreaterThan(0.95);
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
