// The texts of one language: the app's messages, the words of gifts, and the remarks of computer players.

import type { FindingFacts, GiftWords } from "./finder.ts";
import LANGUAGES from "../made/languageNames.json";
import type english from "./en.json";
import { fetchAsset } from "../net/fetchAsset.ts";
import type { OwnContents } from "../made/wire.ts";

export type Key = keyof typeof english;
/** A text with {placeholders}, or several by plural category, chosen by {n}. */
export type Message = string | Partial<Record<Intl.LDMLPluralRule, string>>;
type Messages = Record<string, Message>;
type Values = Record<string, string | number>;
export type Language = keyof typeof LANGUAGES;
export { LANGUAGES };

const EUROPEAN: Partial<Record<Language, string>> = { en: "en-GB", es: "es-ES", pt: "pt-PT" };

/** Return the locale for plurals, dates, lists (British ones have no comma before *and*) and voices. */
export const locale = (lang: Language): string => EUROPEAN[lang] ?? lang;

const late = import.meta.glob<string>("./*.json", { import: "late", eager: true }); // bundled: shown while texts load
const messageUrls = import.meta.glob<string>("./*.json", { query: "?url", import: "default", eager: true });
const catalogueUrls = import.meta.glob<string>("../made/words/*.json", {
  query: "?url",
  import: "default",
  eager: true,
});

/** What the catalogue says in one language. */
export interface Catalogue {
  gifts: Record<string, GiftWords>;
  kinds: { key: string; name: string; gifts: string[] }[];
  remarks: Record<string, Record<string, string[]>>; // of computer players, by character and occasion
  finding: FindingFacts;
}

/** Fetch the messages of the app and the catalogue in one language. `onMiss` is called after each failure. */
export function fetchTexts(lang: Language, onMiss?: () => void): Promise<[Messages, Catalogue]> {
  const messages = fetchAsset<Messages>(messageUrls[`./${lang}.json`]!, onMiss);
  return Promise.all([messages, fetchCatalogue(lang, onMiss)]);
}

function fetchCatalogue(lang: Language, onMiss?: () => void): Promise<Catalogue> {
  return fetchAsset(catalogueUrls[`../made/words/${lang}.json`]!, onMiss);
}

const EMPTY: Catalogue = {
  gifts: {},
  kinds: [],
  remarks: {},
  finding: { articles: "", head: null, compounds: false, silent_h: false },
};

export function formatMessage(message: Message, values: Values, plural: Intl.PluralRules): string {
  const text =
    typeof message === "string" ? message : (message[plural.select(Number(values["n"]))] ?? message.other ?? "");
  return text.replace(/\{(\w+)\}/g, (placeholder, name: string) => String(values[name] ?? placeholder));
}

class Words {
  lang = $state<Language>("en");
  #messages = $state.raw<Messages>({});
  #catalogue = $state.raw<Catalogue>(EMPTY);
  #plural = new Intl.PluralRules("en");
  ready = $state(false);
  loadingNotice = $state(""); // shown while the texts are missing
  #wanted: Language = "en";
  #wantedLearning: Language | null = null;
  /** Own gifts of the deck on this table, by key. */
  ownGifts = $state.raw<Record<string, OwnContents>>({});
  /** All gifts of the deck on this table; empty for an edition. */
  deckGifts = $state.raw<string[]>([]);
  /** Own gifts of earlier decks: named where an older round is shown, but not offered for claims. */
  earlierGifts = $state.raw<Record<string, OwnContents>>({});
  /** The language in which gifts are named and offered, for users who learn it. */
  learning = $state<Language | null>(null);
  #learned = $state.raw<Catalogue | null>(null);
  #giftWords = $derived<Record<string, GiftWords>>({
    ...(this.#learned ?? this.#catalogue).gifts,
    ...Object.fromEntries(Object.values(this.ownGifts).map((own) => [own.key, own.words[this.#languageOf(own)]!])),
  });
  readonly kinds = $derived(this.#catalogue.kinds);
  readonly giftKeys = $derived(
    Object.keys(this.#giftWords).sort((a, b) => this.name(a).localeCompare(this.name(b), this.lang)),
  );
  /** For a Finder; with the user's own words while learning another language. */
  findable = $derived([
    this.#giftWords,
    this.learning ?? this.lang,
    (this.#learned ?? this.#catalogue).finding,
    this.#learned && this.#catalogue.gifts,
  ] as const);

  async load(lang: Language): Promise<void> {
    this.#wanted = lang;
    const [messages, catalogue] = await fetchTexts(lang, () => this.#showLoadingNotice(lang));
    if (lang !== this.#wanted) return; // another language was chosen meanwhile
    this.#plural = new Intl.PluralRules(locale(lang));
    this.#messages = messages;
    this.#catalogue = catalogue;
    this.lang = lang;
    this.ready = true;
    this.loadingNotice = "";
    document.documentElement.lang = lang;
  }

  #showLoadingNotice(lang: Language): void {
    if (this.ready) return;
    this.loadingNotice = late[`./${lang}.json`]!;
    document.documentElement.lang = lang;
  }

  async learn(lang: Language | null): Promise<void> {
    const wanted = (this.#wantedLearning = lang !== null && lang !== this.lang ? lang : null);
    const catalogue = wanted && (await fetchCatalogue(wanted));
    if (wanted !== this.#wantedLearning) return;
    this.#learned = catalogue;
    this.learning = wanted;
  }

  /** Return the language of a gift's spoken lines. */
  langOf(gift: string): Language {
    const own = this.ownGifts[gift] ?? this.earlierGifts[gift];
    return own ? this.#languageOf(own) : (this.learning ?? this.lang);
  }

  /** Return whether an own gift has no name in the language of its lines: they quote the name that it has. */
  #isForeign(gift: string): boolean {
    const own = this.ownGifts[gift] ?? this.earlierGifts[gift];
    return own !== undefined && own.lang[this.#languageOf(own)] !== this.#languageOf(own);
  }

  /** An own gift may have no name in the learned language; then it is named in the user's. */
  #languageOf({ lang }: OwnContents): Language {
    return this.learning !== null && lang[this.learning] === this.learning ? this.learning : this.lang;
  }

  #wordOf(gift: string, which: 0 | 1 | 2 | 3): string {
    const earlier = this.earlierGifts[gift];
    return (this.#giftWords[gift] ?? earlier?.words[this.#languageOf(earlier)])?.[which] ?? "";
  }

  say(key: Key, values: Values = {}): string {
    const message = this.#messages[key];
    return message === undefined ? "" : formatMessage(message, values, this.#plural);
  }

  /** Return the text of a word from the server, such as a reason; `fallback` for an unknown word. */
  lookup(prefix: string, word: string, fallback: Key): string {
    const key = `${prefix}.${word}`;
    return key in this.#messages ? this.say(key as Key) : this.say(fallback);
  }

  name(gift: string): string {
    return this.#wordOf(gift, 0);
  }

  /** Return the name with its article and a capital: "A hat". */
  withArticle(gift: string): string {
    const thing = this.#wordOf(gift, this.#isForeign(gift) ? 0 : 1);
    return thing.charAt(0).toLocaleUpperCase(this.lang) + thing.slice(1);
  }

  offer(gift: string): string {
    return this.#isForeign(gift) ? this.say("own.offer", { name: this.name(gift) }) : this.#wordOf(gift, 2);
  }

  denial(gift: string): string {
    return this.#isForeign(gift) ? this.say("own.denial", { name: this.name(gift) }) : this.#wordOf(gift, 3);
  }

  /** Return a character's remark on an occasion, or an empty text. */
  remark(character: string, occasion: string, number: number): string {
    const lines = this.#catalogue.remarks[character]?.[occasion] ?? [];
    return lines[number % Math.max(lines.length, 1)] ?? "";
  }

  /** Join names: Ada, Bo and Cleo. */
  list(names: readonly string[]): string {
    return new Intl.ListFormat(locale(this.lang)).format(names);
  }

  /** Format a date such as 2026-11-16. */
  date(day: string): string {
    return new Date(`${day}T12:00`).toLocaleDateString(locale(this.lang), { dateStyle: "long" });
  }
}

/** Return the chosen language, else the first supported one of the browser's. */
export function preferredLanguage(chosen: string | null, browser: readonly string[]): Language {
  const wanted = [chosen ?? "", ...browser].map((lang) => lang.slice(0, 2).toLowerCase());
  return (wanted.find((lang) => lang in LANGUAGES) as Language | undefined) ?? "en";
}

export const words = new Words();
