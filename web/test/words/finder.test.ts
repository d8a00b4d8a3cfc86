import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { Finder, foldText, type GiftWords } from "../../src/words/finder.ts";
import { LANGUAGES, type Catalogue } from "../../src/words/words.svelte.ts";


function catalogue(lang: string): Catalogue {
  return JSON.parse(readFileSync(new URL(`../../src/made/words/${lang}.json`, import.meta.url), "utf-8"));
}

interface Queries {
  wanted: Record<string, string[]>;
  only: Record<string, string[]>;
  nothing: string[];
}

/** Return what players type, and what they mean; pytest reads the same lists. */
function queries(lang: string): Queries {
  return JSON.parse(readFileSync(new URL(`../../../tests/gifts/queries/${lang}.json`, import.meta.url), "utf-8"));
}

const GIFTS = ["bee", "violin", "trumpet", "broccoli"];
// similar to these, but no gifts
const WRONG: Record<string, [string, string][]> = Object.fromEntries(
  Object.entries({
    en: "wasp cello trombone cauliflower",
    de: "Wespe Cello Posaune Blumenkohl",
    fr: "guêpe violoncelle trombone chou-fleur",
    it: "vespa violoncello trombone cavolfiore",
    es: "avispa violonchelo trombón coliflor",
    pt: "vespa violoncelo trombone couve-flor",
    nl: "wesp cello trombone bloemkool",
  }).map(([lang, names]) => [lang, names.split(" ").map((name, n) => [name, GIFTS[n]!])]),
);

/** Return typing errors of each kind in the middle of a long enough word. */
function misspellings(name: string): string[] {
  if (name.length < 5) return [];
  const at = Math.floor(name.length / 2);
  const [before, after] = [name.slice(0, at), name.slice(at + 1)];
  const swapped = name.slice(0, at - 1) + name[at] + name[at - 1] + after;
  return [before + after, before + name[at] + name[at] + after, swapped];
}

/** Return a spelling from each of its words on, folded. */
function tails(spelling: string): string[] {
  const parts = spelling.split(/[\s'’-]+/);
  return parts.map((_, at) => foldText(parts.slice(at).join("")));
}

/** Return the fewest keys for a gift: its first letters, then Enter or a number. */
function keystrokes(finder: Finder, name: string, gift: string): number {
  for (let letters = 1; letters <= foldText(name).length; letters++)
    if (finder.find(foldText(name).slice(0, letters)).includes(gift)) return letters + 1;
  return Infinity;
}

describe.each(Object.keys(LANGUAGES))("the finder in %s", (lang) => {
  const { gifts, finding } = catalogue(lang);
  const finder = new Finder(gifts, lang, finding);

  it("offers what a query means among the first three in 97 %", () => {
    const wanted = Object.entries(queries(lang).wanted);
    const missed = wanted.filter(([typed, gifts]) => {
      const offered = finder.find(typed).slice(0, Math.max(3, gifts.length));
      return !gifts.every((gift) => offered.includes(gift));
    });
    expect(wanted.length).toBeGreaterThanOrEqual(40);
    expect(missed.length / wanted.length, missed.join("; ")).toBeLessThanOrEqual(0.03);
  });

  it("offers nothing unrelated beside what is meant", () => {
    for (const [typed, gifts] of Object.entries(queries(lang).only)) expect(finder.find(typed), typed).toEqual(gifts);
  });

  it("searches the first 60 letters", () => {
    const typed = gifts["hat"]![0].padEnd(60);
    expect(finder.find(" ".repeat(100_000) + typed + "x".repeat(100_000))).toEqual(finder.find(typed));
  });

  it("offers nothing for words that mean no gift", () => {
    for (const typed of ["  ", "xqzxqzxqz", ...queries(lang).nothing]) expect(finder.find(typed), typed).toEqual([]);
  });

  it("needs at most four keystrokes for 90 % of gifts", () => {
    const all = Object.entries(gifts).map(([gift, [name]]) => keystrokes(finder, name, gift));
    expect(all.filter((keys) => keys <= 4).length / all.length).toBeGreaterThanOrEqual(0.9);
  });

  it("ranks a fully typed name first, ignoring case and accents", () => {
    for (const [gift, [name]] of Object.entries(gifts)) expect(finder.find(foldText(name).toUpperCase())[0]).toBe(gift);
  });

  it("takes no name of another thing for a misspelling", () => {
    for (const [gift, [name, , , , synonyms, others]] of Object.entries(gifts)) {
      const begins = [name, ...synonyms].flatMap(tails);
      for (const other of others.map(foldText))
        if (!begins.some((word) => word.startsWith(other))) expect(finder.find(other), other).not.toContain(gift);
    }
  });

  it("finds nothing for similar things or their first letters", () => {
    for (const [name, gift] of WRONG[lang]!) {
      expect(finder.find(name), name).toEqual([]);
      const own = [gifts[gift]![0], ...gifts[gift]![4]].map(foldText);
      for (let letters = 5; letters < foldText(name).length; letters++) {
        const typed = foldText(name).slice(0, letters);
        if (!own.some((word) => word.startsWith(typed))) expect(finder.find(typed), typed).not.toContain(gift);
      }
    }
  });

  it("corrects one missing, extra or swapped letter in 95 %", () => {
    const typos = Object.entries(gifts).flatMap(([gift, [name]], n) => {
      const typed = misspellings(foldText(name))[n % 3]; // one kind each
      return typed ? [{ gift, typed }] : [];
    });
    const corrected = typos.filter(({ gift, typed }) => finder.find(typed)[0] === gift);
    expect(typos.length).toBeGreaterThan(130);
    expect(corrected.length / typos.length).toBeGreaterThan(0.95);
  });

  it("finds gifts by every synonym", () => {
    for (const [gift, [, , , , synonyms]] of Object.entries(gifts))
      for (const synonym of synonyms) expect(finder.find(synonym), synonym).toContain(gift);
  });
});

it("finds gifts by names of a second language, too", () => {
  const word = (name: string): GiftWords => [name, name, name, name, [], []];
  const [french, german] = [{ hat: word("chapeau"), cup: word("tasse") }, { hat: word("Hut"), cup: word("Tasse") }];
  const finder = new Finder(french, "fr", catalogue("fr").finding, german);
  expect(finder.find("chap")).toEqual(["hat"]);
  expect(finder.find("Hut")).toEqual(["hat"]);
});
