// The words of one language: our own texts, and the gifts' names and spoken lines as the catalogue makes them.

import { Finder, type GiftWords } from "./finder.ts";
import { filled, type Message, type Values } from "./message.ts";
import type english from "./en.json";
import { fetched } from "../net/fetchAsset.ts";
import type { OwnTold } from "../wire.ts";
import { late as de } from "./de.json";
import { late as en } from "./en.json";
import { late as es } from "./es.json";
import { late as fr } from "./fr.json";
import { late as it } from "./it.json";
import { late as nl } from "./nl.json";
import { late as pt } from "./pt.json";

export type Key = keyof typeof english;

export const LANGUAGES = {
  en: "English",
  de: "Deutsch",
  fr: "Français",
  it: "Italiano",
  es: "Español",
  pt: "Português",
  nl: "Nederlands",
} as const;
export type Language = keyof typeof LANGUAGES;

/** Portuguese and Spanish are European here, for plurals, lists and voices. */
export function locale(lang: Language): string {
  return lang === "pt" ? "pt-PT" : lang === "es" ? "es-ES" : lang;
}

const LATE: Record<Language, string> = { en, de, fr, it, es, pt, nl }; // the one sentence that must not be waited for

const texts = import.meta.glob<string>("./*.json", { query: "?url", import: "default", eager: true });
const remarks = import.meta.glob<string>("../made/remarks/*.json", { query: "?url", import: "default", eager: true });
const gifts = import.meta.glob<string>("../made/words/*.json", { query: "?url", import: "default", eager: true });

class Words {
  lang = $state<Language>("en");
  #messages = $state.raw<Record<string, Message>>({});
  #gifts = $state.raw<Record<string, GiftWords>>({});
  #remarks = $state.raw<Record<string, Record<string, string[]>>>({});
  #plural = new Intl.PluralRules("en");
  ready = $state(false);
  late = $state(""); // said while there are no other words
  #wanted: Language = "en";
  #toLearn: Language | null = null;
  /** Gifts of the deck on this table that are in no catalogue, by key. */
  own = $state.raw<Record<string, OwnTold>>({});
  /** Those of decks that lay here before: still named where an older round is seen, and not to be claimed. */
  older = $state.raw<Record<string, OwnTold>>({});
  /** In which language gifts are named and offered, by somebody who learns it. */
  learning = $state<Language | null>(null);
  #learnt = $state.raw<Record<string, GiftWords> | null>(null);
  #named = $derived<Record<string, GiftWords>>({
    ...(this.#learnt ?? this.#gifts),
    ...Object.fromEntries(Object.values(this.own).map((own) => [own.key, own.words[this.#heardIn(own)]!])),
  });
  finder = $derived(new Finder(this.#named, this.#learnt && this.#gifts));

  async load(lang: Language): Promise<void> {
    this.#wanted = lang;
    const missed = (): void => this.#isLate(lang);
    const [messages, gifted, remarked] = await Promise.all([
      fetched<Record<string, Message>>(texts[`./${lang}.json`]!, missed),
      fetched<Record<string, GiftWords>>(gifts[`../made/words/${lang}.json`]!, missed),
      fetched<Record<string, Record<string, string[]>>>(remarks[`../made/remarks/${lang}.json`]!, missed),
    ]);
    if (lang !== this.#wanted) return; // meanwhile another was chosen
    this.#plural = new Intl.PluralRules(locale(lang));
    this.#messages = messages;
    this.#gifts = gifted;
    this.#remarks = remarked;
    this.lang = lang;
    this.ready = true;
    this.late = "";
    document.documentElement.lang = lang;
  }

  #isLate(lang: Language): void {
    if (this.ready) return;
    this.late = LATE[lang];
    document.documentElement.lang = lang;
  }

  async learn(lang: Language | null): Promise<void> {
    const other = (this.#toLearn = lang !== null && lang !== this.lang ? lang : null);
    const learnt = other && (await fetched<Record<string, GiftWords>>(gifts[`../made/words/${other}.json`]!));
    if (other !== this.#toLearn) return;
    this.#learnt = learnt;
    this.learning = other;
  }

  /** The language of a gift's name and lines, for voices. */
  langOf(gift: string): Language {
    const own = this.own[gift] ?? this.older[gift];
    return own ? (own.lang[this.#heardIn(own)] as Language) : (this.learning ?? this.lang);
  }

  /** An own gift without a name in the language somebody learns is named in theirs, or else in the maker's. */
  #heardIn({ lang }: OwnTold): Language {
    return this.learning !== null && lang[this.learning] === this.learning ? this.learning : this.lang;
  }

  #of(gift: string, which: 0 | 1 | 2 | 3): string {
    const older = this.older[gift];
    return (this.#named[gift] ?? older?.words[this.#heardIn(older)])?.[which] ?? "";
  }

  say(key: Key, values: Values = {}): string {
    const message = this.#messages[key];
    return message === undefined ? "" : filled(message, values, this.#plural);
  }

  /** A text whose key is made of a word from the server, such as a reason; `other` where the word is new to us. */
  saying(prefix: string, word: string, other: Key): string {
    const key = `${prefix}.${word}`;
    return key in this.#messages ? this.say(key as Key) : this.say(other);
  }

  name(gift: string): string {
    return this.#of(gift, 0);
  }

  /** With its article, as a sentence of its own begins: "A hat". */
  thing(gift: string): string {
    const thing = this.#of(gift, 1);
    return thing.charAt(0).toLocaleUpperCase(this.lang) + thing.slice(1);
  }

  offer(gift: string): string {
    return this.#of(gift, 2);
  }

  denial(gift: string): string {
    return this.#of(gift, 3);
  }

  /** One of a character's lines for an occasion, counted round; empty where there is none. */
  remark(character: string, occasion: string, number: number): string {
    const lines = this.#remarks[character]?.[occasion] ?? [];
    return lines[number % Math.max(lines.length, 1)] ?? "";
  }

  /** Names as people list them: Ada, Bo and Cleo. English is British here: no comma before its *and*. */
  list(names: readonly string[]): string {
    return new Intl.ListFormat(this.lang === "en" ? "en-GB" : locale(this.lang)).format(names);
  }

  /** A day such as 2026-11-16, as people write it. */
  date(day: string): string {
    return new Date(`${day}T12:00`).toLocaleDateString(this.lang === "en" ? "en-GB" : locale(this.lang), { dateStyle: "long" });
  }

  get allGifts(): string[] {
    return Object.keys(this.#named).sort((a, b) => this.name(a).localeCompare(this.name(b), this.lang));
  }
}

/** The language somebody chose, else the first of the browser's that we speak. */
export function preferred(kept: string | null, spoken: readonly string[]): Language {
  const wanted = [kept ?? "", ...spoken].map((lang) => lang.slice(0, 2).toLowerCase());
  return (wanted.find((lang) => lang in LANGUAGES) as Language | undefined) ?? "en";
}

export const words = new Words();
