// The texts of one language: the app's messages, the words of gifts, and the remarks of computer players.

import type { GiftWords } from "./finder.ts";
import LANGUAGES from "../made/languageNames.json";
import { formatMessage, type Message, type Values } from "./message.ts";
import type english from "./en.json";
import { fetchAsset } from "../net/fetchAsset.ts";
import type { OwnContents } from "../wire.ts";

export type Key = keyof typeof english;

export type Language = keyof typeof LANGUAGES;
export { LANGUAGES };

/** Return the locale for plurals, lists and voices. Portuguese and Spanish are European here. */
export function locale(lang: Language): string {
  return lang === "pt" ? "pt-PT" : lang === "es" ? "es-ES" : lang;
}

const late = import.meta.glob<string>("./*.json", { import: "late", eager: true }); // bundled: shown while the other texts load

const messageUrls = import.meta.glob<string>("./*.json", { query: "?url", import: "default", eager: true });
const remarkUrls = import.meta.glob<string>("../made/remarks/*.json", {
  query: "?url",
  import: "default",
  eager: true,
});
const giftUrls = import.meta.glob<string>("../made/words/*.json", { query: "?url", import: "default", eager: true });

class Words {
  lang = $state<Language>("en");
  #messages = $state.raw<Record<string, Message>>({});
  #gifts = $state.raw<Record<string, GiftWords>>({});
  #remarks = $state.raw<Record<string, Record<string, string[]>>>({});
  #plural = new Intl.PluralRules("en");
  ready = $state(false);
  loadingNotice = $state(""); // shown while the texts are missing
  #wanted: Language = "en";
  #wantedLearning: Language | null = null;
  /** Own gifts of the deck on this table, by key. */
  ownGifts = $state.raw<Record<string, OwnContents>>({});
  /** Own gifts of earlier decks: named where an older round is shown, but not offered for claims. */
  earlierGifts = $state.raw<Record<string, OwnContents>>({});
  /** The language in which gifts are named and offered, for users who learn it. */
  learning = $state<Language | null>(null);
  #learningGifts = $state.raw<Record<string, GiftWords> | null>(null);
  #giftWords = $derived<Record<string, GiftWords>>({
    ...(this.#learningGifts ?? this.#gifts),
    ...Object.fromEntries(Object.values(this.ownGifts).map((own) => [own.key, own.words[this.#languageOf(own)]!])),
  });
  findable = $derived([this.#giftWords, this.learning ?? this.lang, this.#learningGifts && this.#gifts] as const); // for a Finder

  async load(lang: Language): Promise<void> {
    this.#wanted = lang;
    const onMiss = (): void => this.#showLoadingNotice(lang);
    const [messages, gifts, remarks] = await Promise.all([
      fetchAsset<Record<string, Message>>(messageUrls[`./${lang}.json`]!, onMiss),
      fetchAsset<Record<string, GiftWords>>(giftUrls[`../made/words/${lang}.json`]!, onMiss),
      fetchAsset<Record<string, Record<string, string[]>>>(remarkUrls[`../made/remarks/${lang}.json`]!, onMiss),
    ]);
    if (lang !== this.#wanted) return; // another language was chosen meanwhile
    this.#plural = new Intl.PluralRules(locale(lang));
    this.#messages = messages;
    this.#gifts = gifts;
    this.#remarks = remarks;
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
    const gifts = wanted && (await fetchAsset<Record<string, GiftWords>>(giftUrls[`../made/words/${wanted}.json`]!));
    if (wanted !== this.#wantedLearning) return;
    this.#learningGifts = gifts;
    this.learning = wanted;
  }

  /** Return the language of a gift's name and spoken lines. */
  langOf(gift: string): Language {
    const own = this.ownGifts[gift] ?? this.earlierGifts[gift];
    return own ? (own.lang[this.#languageOf(own)] as Language) : (this.learning ?? this.lang);
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
    const thing = this.#wordOf(gift, 1);
    return thing.charAt(0).toLocaleUpperCase(this.lang) + thing.slice(1);
  }

  offer(gift: string): string {
    return this.#wordOf(gift, 2);
  }

  denial(gift: string): string {
    return this.#wordOf(gift, 3);
  }

  /** Return a character's remark on an occasion, or an empty text. */
  remark(character: string, occasion: string, number: number): string {
    const lines = this.#remarks[character]?.[occasion] ?? [];
    return lines[number % Math.max(lines.length, 1)] ?? "";
  }

  /** Join names: Ada, Bo and Cleo. English is British here: no comma before *and*. */
  list(names: readonly string[]): string {
    return new Intl.ListFormat(this.lang === "en" ? "en-GB" : locale(this.lang)).format(names);
  }

  /** Format a date such as 2026-11-16. */
  date(day: string): string {
    return new Date(`${day}T12:00`).toLocaleDateString(this.lang === "en" ? "en-GB" : locale(this.lang), {
      dateStyle: "long",
    });
  }

  get giftKeys(): string[] {
    return Object.keys(this.#giftWords).sort((a, b) => this.name(a).localeCompare(this.name(b), this.lang));
  }
}

/** Return the chosen language, else the first supported one of the browser's. */
export function preferredLanguage(chosen: string | null, browser: readonly string[]): Language {
  const wanted = [chosen ?? "", ...browser].map((lang) => lang.slice(0, 2).toLowerCase());
  return (wanted.find((lang) => lang in LANGUAGES) as Language | undefined) ?? "en";
}

export const words = new Words();
