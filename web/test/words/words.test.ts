import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { ARROWS, GENDERS, SOUNDS } from "../../src/views/decks/deckDraft.svelte.ts";
import type { Lesson } from "../../src/game/lesson.ts";
import { CHARACTERS, EMOTES, LEVELS, REASONS } from "../../src/wire.ts";
import { filled, type Message } from "../../src/words/message.ts";

type Texts = Record<string, Message>;
const LANGUAGES = ["en", "de", "fr", "it", "es", "pt", "nl"];
const SOURCE = new URL("../../src/", import.meta.url);

function texts(lang: string): Texts {
  return JSON.parse(readFileSync(new URL(`words/${lang}.json`, SOURCE), "utf-8"));
}

/** All source, without the texts themselves. */
function source(): string {
  const files = readdirSync(SOURCE, { recursive: true, encoding: "utf-8" }).filter((file) => /\.(svelte|ts)$/.test(file) && file !== "wire.ts");
  return files.map((file) => readFileSync(new URL(file, SOURCE), "utf-8")).join("\n");
}

function places(message: Message): string[] {
  const all = typeof message === "string" ? [message] : Object.values(message);
  return [...new Set(all.flatMap((text) => [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!)))].sort();
}

const OWN = new URL("../../src/notahat/", SOURCE);
const found = (text: string, pattern: RegExp): string[] => [...text.matchAll(pattern)].map(([, word]) => word!);
const read = (file: string): string => readFileSync(new URL(file, SOURCE), "utf-8");
const { chapters } = JSON.parse(read("made/lesson.json")) as Lesson;
const choices = [...read("views/lobby/Variants.svelte").matchAll(/option: "(\w+)", values: \[(.*?)\]/g)];
const options = [...choices.map(([, option]) => option!), "starter"];
const valued = choices.flatMap(([, option, values]) => values!.split(", ").map((value) => `${option}.${value.replaceAll('"', "")}`));

/** Where a text is chosen by a word that stands in no source of ours: which words there are. */
const FROM_DATA: Record<string, readonly string[]> = {
  "reason.": [...REASONS, ...found(source(), /(?:Declined\(|reason(?:: | = ))"([a-z_]+)"/g)],
  "emote.": EMOTES,
  "level.": LEVELS,
  "level_about.": LEVELS,
  "temper.": CHARACTERS,
  "live.": found(read("wire.ts"), /event: "([a-z_]+)"/g),
  "award.": found(read("wire.ts").match(/award: .*/)![0], /"([a-z_]+)"/g),
  "feat.": found(read("game/claimHistory.ts").match(/feat: "long".*?;/)![0], /"([a-z]+)"/g),
  "watch.": found(read("game/claimHistory.ts").match(/mark: "lie".*?\}/)![0], /"([a-z]+)"/g),
  "learn.": chapters.flatMap(({ chapter, hint }) => [chapter, hint]),
  "do.correct_": ["giver", "receiver"],
  "around.": ["spoken", "entered"],
  "option.": [...options, ...valued],
  "option.arrows.": ["both", "black", "white"],
  "option_why.": options,
  "decks.": readdirSync(new URL("gifts/examples", OWN)).map((file) => file.replace(".hat", "")),
  "decks.arrow.": ARROWS,
  "decks.gender.": [...new Set(Object.values(GENDERS).flat())],
  "decks.sound.": [...new Set(Object.values(SOUNDS).flatMap((sounds) => Object.keys(sounds)))],
};

describe("the texts", () => {
  const english = texts("en");
  const written = source();

  it.each(LANGUAGES)("in %s have the same keys as in English", (lang) => {
    expect(Object.keys(texts(lang)).sort()).toEqual(Object.keys(english).sort());
  });

  it.each(LANGUAGES)("in %s have the same places to fill in", (lang) => {
    for (const [key, message] of Object.entries(texts(lang))) {
      const other = places(message).filter((place) => place !== "n");
      expect(other, key).toEqual(places(english[key]!).filter((place) => place !== "n"));
    }
  });

  it.each(LANGUAGES)("in %s have every plural form that the language has", (lang) => {
    const forms = new Intl.PluralRules(lang).resolvedOptions().pluralCategories.filter((form) => form !== "many");
    for (const [key, message] of Object.entries(texts(lang)))
      if (typeof message !== "string") expect(Object.keys(message).sort(), key).toEqual([...forms].sort());
  });

  it("are all used: as they stand, for who is spoken to, or with a word that can come from the server or from data", () => {
    const suffixed = [...written.matchAll(/about\("([a-z_.]+)"/g)].map(([, key]) => `${key}_you`);
    const made = Object.entries(FROM_DATA).flatMap(([start, words]) => words.map((word) => start + word));
    const used = new Set([...suffixed, ...made]);
    expect(Object.keys(english).filter((key) => !written.includes(`"${key}"`) && !used.has(key))).toEqual([]);
  });

  it("are made of such words only where this test knows which there are", () => {
    const starts = [...written.matchAll(/`([a-z_]+\.[a-z_.]*)\$\{(?!")|saying\("([a-z_]+)"/g)].map(([, made, said]) => made ?? `${said}.`);
    expect([...new Set(starts)].sort()).toEqual(Object.keys(FROM_DATA).sort());
    const unsaid = ["reason.", "live.", "option.", "watch.", "learn."]; // some have a word for all others, or none at all
    const told = Object.entries(FROM_DATA).filter(([start]) => !unsaid.includes(start));
    expect(told.flatMap(([start, words]) => words.map((word) => start + word)).filter((key) => !(key in english))).toEqual([]);
  });

  it("that the source asks for are there", () => {
    const asked = [...written.matchAll(/words\.say\(\s*"([a-z_.0-9]+)"/g)].map(([, key]) => key!);
    expect(asked.filter((key) => !(key in english))).toEqual([]);
    const suffixed = [...written.matchAll(/about\("([a-z_.]+)"/g)].map(([, key]) => `${key}_you`);
    expect(suffixed.filter((key) => !(key in english))).toEqual([]);
  });

  it("name every emote and every level", () => {
    for (const emote of EMOTES) expect(english).toHaveProperty([`emote.${emote}`]);
    for (const level of LEVELS) {
      expect(english).toHaveProperty([`level.${level}`]);
      expect(english).toHaveProperty([`level_about.${level}`]);
    }
  });

  it.each(LANGUAGES.slice(1))("in %s are not left in English", (lang) => {
    const same = Object.entries(texts(lang)).filter(([key, message]) => typeof message === "string" && message.length > 24 && message === english[key]);
    expect(same).toEqual([]);
  });
});

describe("the signs between the words", () => {
  const table = JSON.parse(readFileSync(new URL("../../src/notahat/clients/terminal/words/cldr.json", SOURCE), "utf-8"));
  const other = /["'«»„“”‘]/g;

  it.each(LANGUAGES)("in %s are one apostrophe and the language's own quotation marks", (lang) => {
    const own: string = table[lang].quoted;
    for (const [key, message] of Object.entries(texts(lang)))
      for (const text of typeof message === "string" ? [message] : Object.values(message))
        expect((text.match(other) ?? []).filter((sign) => !own.includes(sign)), `${key}: ${text}`).toEqual([]);
  });

  it("in French stand off by a narrow space that breaks no line", () => {
    for (const [key, message] of Object.entries(texts("fr")))
      for (const text of typeof message === "string" ? [message] : Object.values(message))
        expect(text.match(/[^\u202f][!?;:»%]|«[^\u202f]/g) ?? [], `${key}: ${text}`).toEqual([]);
  });

  it.each(LANGUAGES)("in %s list names as Intl does, in the terminal too", (lang) => {
    const intl = new Intl.ListFormat(lang === "en" ? "en-GB" : lang === "pt" ? "pt-PT" : lang);
    const { "2": two, start, end } = table[lang].listed as Record<string, string>;
    const joined = (pattern: string, a: string, b: string) => pattern.replace("{0}", a).replace("{1}", b);
    expect(joined(two!, "Ada", "Bo")).toBe(intl.format(["Ada", "Bo"]));
    expect(joined(end!, joined(start!, "Ada", "Bo"), "Cleo")).toBe(intl.format(["Ada", "Bo", "Cleo"]));
  });
});

describe("a message", () => {
  it("is chosen by number and filled in", () => {
    const plural = new Intl.PluralRules("en");
    const message = { one: "{n} gift for {name}", other: "{n} gifts for {name}" };
    expect(filled(message, { n: 1, name: "Bo" }, plural)).toBe("1 gift for Bo");
    expect(filled(message, { n: 0, name: "Bo" }, plural)).toBe("0 gifts for Bo");
  });
  it("counts nought as one in French", () => {
    expect(filled({ one: "{n} cadeau", other: "{n} cadeaux" }, { n: 0 }, new Intl.PluralRules("fr"))).toBe("0 cadeau");
  });
});
