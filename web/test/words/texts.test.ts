import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { ARROWS } from "../../src/views/decks/deckDraft.svelte.ts";
import { MARKS } from "../../src/game/claimHistory.ts";
import { FACTS } from "../../src/views/decks/deckDraft.svelte.ts";
import type { Lesson } from "../../src/game/lesson.ts";
import { CHARACTERS, EMOTES, FACES, LEVELS, REASONS } from "../../src/made/wire.ts";
import { LANGUAGES, type Message } from "../../src/words/words.svelte.ts";

type Texts = Record<string, Message>;
const SOURCE = new URL("../../src/", import.meta.url);

function texts(lang: string): Texts {
  return JSON.parse(readFileSync(new URL(`words/${lang}.json`, SOURCE), "utf-8"));
}

/** All source, without the texts themselves. */
function source(): string {
  const files = readdirSync(SOURCE, { recursive: true, encoding: "utf-8" });
  const written = files.filter((file) => /\.(svelte|ts)$/.test(file) && file !== "made/wire.ts");
  return [...written, "../plugins/manifestPlugin.ts"].map(read).join("\n");
}

const forms = (message: Message): string[] => (typeof message === "string" ? [message] : Object.values(message));

function placeholders(message: Message): string[] {
  return [...new Set(forms(message).flatMap((text) => found(text, /\{(\w+)\}/g)))].sort();
}

const OWN = new URL("../../src/notahat/", SOURCE);
const found = (text: string, pattern: RegExp): string[] => [...text.matchAll(pattern)].map(([, word]) => word!);
const read = (file: string): string => readFileSync(new URL(file, SOURCE), "utf-8");
const { chapters } = JSON.parse(read("made/lesson.json")) as Lesson;
const choices = [...read("views/lobby/TableOptions.svelte").matchAll(/option: "(\w+)", values: \[(.*?)\]/g)];
const completed = (key: string, values: string): string[] =>
  values.replaceAll('"', "").split(", ").map((value) => `${key}.${value}`);
const options = [...choices.map(([, option]) => option!), "starter"];
const valued = choices.flatMap(([, option, values]) => completed(option!, values!));
const headings = [...read("views/print/PrintPage.svelte").matchAll(/texts\("([a-z_.]+)", \[(.*?)\]/g)];
const printed = headings.flatMap(([, key, values]) => completed(key!, values!));
const awards = found(read("made/wire.ts").match(/award: .*/)![0], /"([a-z_]+)"/g);

/** The words that complete a key prefix at run time. */
const FROM_DATA: Record<string, readonly string[]> = {
  "reason.": [
    ...REASONS,
    ...found(source(), /(?:Declined\(|reason(?:: | = ))"([a-z_]+)"/g),
    ...found(source(), /"(peer_[a-z_]+|not_loaded)"/g),
  ],
  "emote.": EMOTES,
  "face.": [...FACES, "choose", "change", "another"],
  "level.": LEVELS,
  "level_about.": LEVELS,
  "temper.": CHARACTERS,
  "live.": found(read("made/wire.ts"), /event: "([a-z_]+)"/g),
  "award.": awards,
  "award_why.": awards,
  "best_move.": found(read("game/claimHistory.ts").match(/kind: "long".*?;/)![0], /"([a-z]+)"/g),
  "watch.": MARKS,
  "learn.": chapters.flatMap(({ chapter, hint }) => [chapter, hint]),
  "do.correct_": ["giver", "receiver"],
  "around.": ["spoken", "entered"],
  "option.": [...options, ...valued],
  "option_why.": options,
  "day.": ["right", "lie", "wrong"],
  "decks.": readdirSync(new URL("gifts/examples", OWN)).map((file) => file.replace(".hat", "")),
  "option.pace.": ["relaxed", "normal", "brisk"],
  "menu.": found(read("views/table/Menu.svelte").match(/ABOUT_PEOPLE = .*/)![0], /"([a-z_]+)"/g),
  "away.": ["sit_in", "deal_again", "draw", "give", "accept", "refuse"],
  "decks.arrow.": ARROWS,
  "hand.": ["used", "unknown", "moved", "unreadable"],
  "decks.sound.": [...new Set(Object.values(FACTS).flatMap(({ sounds }) => Object.keys(sounds)))],
};

describe("texts", () => {
  const english = texts("en");
  const written = source();
  const about = found(written, /(?:about|these)\("([a-z_.]+)"/g).map((key) => `${key}_you`);

  it.each(Object.keys(LANGUAGES))("in %s have the same keys as in English", (lang) => {
    expect(Object.keys(texts(lang)).sort()).toEqual(Object.keys(english).sort());
  });

  it.each(Object.keys(LANGUAGES))("in %s have the same placeholders as in English", (lang) => {
    for (const [key, message] of Object.entries(texts(lang))) {
      const other = placeholders(message).filter((name) => name !== "n");
      expect(other, key).toEqual(placeholders(english[key]!).filter((name) => name !== "n"));
    }
  });

  it.each(Object.keys(LANGUAGES))("in %s have every plural form of the language", (lang) => {
    const forms = new Intl.PluralRules(lang).resolvedOptions().pluralCategories.filter((form) => form !== "many");
    for (const [key, message] of Object.entries(texts(lang)))
      if (typeof message !== "string") expect(Object.keys(message).sort(), key).toEqual([...forms].sort());
  });

  it("are all used", () => {
    const suffixed = [...about, ...FROM_DATA["live."]!.map((event) => `live.${event}_you`)];
    const made = Object.entries(FROM_DATA).flatMap(([start, words]) => words.map((word) => start + word));
    const quoted = found(written, /"([a-z_.0-9]+)"/g);
    const used = new Set([...suffixed, ...made, ...printed, ...quoted]);
    expect(Object.keys(english).filter((key) => !used.has(key))).toEqual([]);
  });

  it("have only known prefixes for keys completed at run time", () => {
    const made = [...written.matchAll(/`([a-z_]+\.[a-z_.]*)\$\{(?!")|lookup\("([a-z_]+)"/g)];
    const starts = made.map(([, start, looked]) => start ?? `${looked}.`);
    expect([...new Set(starts)].sort()).toEqual(Object.keys(FROM_DATA).sort());
    const unsaid = ["reason.", "live.", "option.", "watch.", "learn."]; // these have a fallback, or no text
    const complete = Object.entries(FROM_DATA).filter(([start]) => !unsaid.includes(start));
    const keys = complete.flatMap(([start, words]) => words.map((word) => start + word));
    expect(keys.filter((key) => !(key in english))).toEqual([]);
  });

  it("exist for every key in the source", () => {
    expect([...about, ...printed].filter((key) => !(key in english))).toEqual([]);
  });

  it.each(Object.keys(LANGUAGES).slice(1))("in %s are translated", (lang) => {
    const long = Object.entries(english).filter(([, message]) => typeof message === "string" && message.length > 24);
    const translated = texts(lang);
    expect(long.filter(([key, message]) => translated[key] === message)).toEqual([]);
  });
});

describe("punctuation", () => {
  const facts = readFileSync(new URL("../../src/notahat/gifts/languages.toml", SOURCE), "utf-8");
  const fact = (lang: string, name: string): string =>
    new RegExp(`\\[${lang}\\][^[]*?\\n${name} = "(.*?)"`).exec(facts)![1]!;
  const other = /["'«»„“”‘]/g;

  it.each(Object.keys(LANGUAGES))("in %s has one apostrophe and the language's quotation marks", (lang) => {
    const own = fact(lang, "quoted");
    for (const [key, message] of Object.entries(texts(lang)))
      for (const text of forms(message))
        expect((text.match(other) ?? []).filter((sign) => !own.includes(sign)), `${key}: ${text}`).toEqual([]);
  });

  it("in French has narrow no-break spaces", () => {
    for (const [key, message] of Object.entries(texts("fr")))
      for (const text of forms(message))
        expect(text.match(/[^\u202f][!?;:»%]|«[^\u202f]/g) ?? [], `${key}: ${text}`).toEqual([]);
  });

  it.each(Object.keys(LANGUAGES))("in %s joins names as Intl does, in the terminal too", (lang) => {
    const intl = new Intl.ListFormat(lang === "en" ? "en-GB" : lang === "pt" ? "pt-PT" : lang);
    expect(`Ada ${fact(lang, "and")} Bo`).toBe(intl.format(["Ada", "Bo"]));
    expect(`Ada, Bo ${fact(lang, "and")} Cleo`).toBe(intl.format(["Ada", "Bo", "Cleo"]));
  });
});
