// A deck in the making: what was picked, which arrows were chosen, and own gifts. It becomes a .hat file.

import type { Hat, Word } from "../../wire.ts";
import type { Language } from "../../words/words.svelte.ts";
import { kindOf, type Picture } from "./giftImage.ts";

export const ARROWS = ["balanced", "left", "right", "any"] as const;
export type Arrow = (typeof ARROWS)[number];

export interface Own extends Picture {
  words: Partial<Record<Language, Word>>;
  alike: string[]; // gifts of the catalogue by key, own ones by number, as the file has them: #1
}

/** What each language asks of a word; English asks nothing. */
export const GENDERS: Record<Language, NonNullable<Word["gender"]>[]> = {
  en: [],
  de: ["m", "f", "n"],
  fr: ["m", "f"],
  it: ["m", "f"],
  es: ["m", "f"],
  pt: ["m", "f"],
  nl: ["c", "n"],
};
/** Where spelling misleads grammar: with what a word can begin for the ear, each with a word that does. */
export const SOUNDS: Partial<Record<Language, Partial<Record<NonNullable<Word["sound"]>, string>>>> = {
  en: { vowel: "hour", consonant: "unicorn" },
  fr: { vowel: "hôtel", consonant: "hibou" },
  it: { vowel: "hotel", consonant: "whisky", impure: "specchio" },
  es: { tonic_a: "águila" },
};

export class Making {
  name = $state("");
  language = $state<Language>("en");
  arrows = $state<Record<string, Arrow>>({}); // of every card, in the order of the file; own gifts by their number
  own = $state<Own[]>([]);

  get cards(): number {
    return Object.keys(this.arrows).length;
  }

  toggle(gift: string): void {
    const rest = Object.entries(this.arrows).filter(([other]) => other !== gift);
    this.arrows = Object.fromEntries(gift in this.arrows ? rest : [...rest, [gift, "balanced"]]);
  }

  /** An own gift in its place: a new one, or one that was changed. */
  put(at: number, own: Own): void {
    this.own[at] = own;
    this.arrows[numbered(at)] ??= "balanced";
  }

  /** Those behind it move up, and so does whatever names them. */
  remove(at: number): void {
    const moved = (gift: string): string[] => {
      const number = numberOf(gift);
      return number === at ? [] : [number > at ? numbered(number - 1) : gift];
    };
    this.arrows = Object.fromEntries(Object.entries(this.arrows).flatMap(([gift, arrow]) => moved(gift).map((now) => [now, arrow])));
    this.own = this.own.filter((_, i) => i !== at).map((own) => ({ ...own, alike: own.alike.flatMap(moved) }));
  }

  /** What somebody reads: a gift's name, own ones in the deck's language. */
  nameOf(gift: string, known: (gift: string) => string): string {
    const own = this.own[numberOf(gift)];
    return own ? (own.words[this.language] ?? Object.values(own.words)[0])?.name ?? "" : known(gift);
  }

  get hat(): Hat {
    const of = (arrow: Arrow): string[] => Object.keys(this.arrows).filter((gift) => this.arrows[gift] === arrow);
    const lists = Object.fromEntries(ARROWS.map((arrow) => [arrow, of(arrow)]).filter(([, gifts]) => gifts!.length > 0));
    const own = this.own.map(({ picture, words, alike }) => ({
      picture,
      words: words as Record<string, Word>,
      ...(alike.length > 0 ? { look_alikes: alike } : {}),
    }));
    return { hat: 1, name: this.name.trim(), language: this.language, ...lists, ...(own.length > 0 ? { own } : {}) };
  }

  /** Go on with a deck that was saved. Whether it makes sense, the server says when it is played. */
  take(hat: Hat): void {
    this.name = String(hat.name ?? "");
    this.language = hat.language ?? "en";
    this.arrows = Object.fromEntries(ARROWS.flatMap((arrow) => (hat[arrow] ?? []).map((gift) => [gift, arrow])));
    this.own = [];
    (hat.own ?? []).forEach(({ picture, words, look_alikes: alike = [] }, i) =>
      this.put(i, { picture, kind: kindOf(picture), words: words as Own["words"], alike }),
    );
  }
}

export const numbered = (at: number): string => `#${at + 1}`;

/** Which own gift it is, from 0; none of them: -1. */
const numberOf = (gift: string): number => (gift.startsWith("#") ? Number(gift.slice(1)) - 1 : -1);
