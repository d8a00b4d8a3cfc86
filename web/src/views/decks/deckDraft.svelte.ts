// A deck being edited: its cards with their arrows, and own gifts. It is saved as a .hat file.

import type { Hat, Word } from "../../wire.ts";
import { FACTS } from "../../words/formFacts.ts";
import type { Language } from "../../words/words.svelte.ts";
import { kindOf, type Picture } from "./giftImage.ts";

export const ARROWS = ["balanced", "left", "right", "any"] as const;
export type Arrow = (typeof ARROWS)[number];

export interface Own extends Picture {
  words: Partial<Record<Language, Word>>;
  alike: string[]; // keys as in the file: of the catalogue, or #1 for the first own gift
}

/** Return whether a word has all that its spoken lines need: a name and, where the language has them, an article. */
export function isComplete(lang: Language, word: Word | undefined): boolean {
  if (!word || word.name.trim().length < 2) return false;
  const needsArticle =
    Object.keys(FACTS[lang].genders).length > 0 && !(word.plural && FACTS[lang].plural_without_gender);
  return !needsArticle || word.gender != null;
}

export class DeckDraft {
  name = $state("");
  language = $state<Language>("en");
  arrows = $state<Record<string, Arrow>>({}); // by key, in the order of the file
  own = $state<Own[]>([]);

  get cards(): number {
    return Object.keys(this.arrows).length;
  }

  toggle(gift: string): void {
    const rest = Object.entries(this.arrows).filter(([other]) => other !== gift);
    this.arrows = Object.fromEntries(gift in this.arrows ? rest : [...rest, [gift, "balanced"]]);
  }

  /** Add or replace an own gift. */
  put(at: number, own: Own): void {
    this.own[at] = own;
    this.arrows[ownKey(at)] ??= "balanced";
  }

  /** Remove an own gift and renumber the following ones and all references to them. */
  remove(at: number): void {
    const renumber = (gift: string): string[] => {
      const number = numberOf(gift);
      return number === at ? [] : [number > at ? ownKey(number - 1) : gift];
    };
    this.arrows = Object.fromEntries(
      Object.entries(this.arrows).flatMap(([gift, arrow]) => renumber(gift).map((key) => [key, arrow])),
    );
    this.own = this.own.filter((_, i) => i !== at).map((own) => ({ ...own, alike: own.alike.flatMap(renumber) }));
  }

  /** Return the name of a gift; own gifts have one in the deck's language. */
  nameOf(gift: string, catalogueName: (gift: string) => string): string {
    const own = this.own[numberOf(gift)];
    return own ? (own.words[this.language] ?? Object.values(own.words)[0])?.name ?? "" : catalogueName(gift);
  }

  /** Return the index of the first own gift that lacks a name in the deck's language or an article, or -1. */
  get firstIncomplete(): number {
    return this.own.findIndex(
      ({ words }) =>
        !isComplete(this.language, words[this.language]) ||
        Object.entries(words).some(([lang, word]) => !isComplete(lang as Language, word)),
    );
  }

  get hat(): Hat {
    const of = (arrow: Arrow): string[] => Object.keys(this.arrows).filter((gift) => this.arrows[gift] === arrow);
    const lists = Object.fromEntries(
      ARROWS.map((arrow) => [arrow, of(arrow)]).filter(([, gifts]) => gifts!.length > 0),
    );
    const own = this.own.map(({ picture, words, alike }) => ({
      picture,
      words: words as Record<string, Word>,
      ...(alike.length > 0 ? { look_alikes: alike } : {}),
    }));
    return { hat: 1, name: this.name.trim(), language: this.language, ...lists, ...(own.length > 0 ? { own } : {}) };
  }

  /** Continue with a saved deck. It is not validated here; the server does that when it is played. */
  load(hat: Hat): void {
    this.name = String(hat.name ?? "");
    this.language = hat.language ?? "en";
    this.arrows = Object.fromEntries(ARROWS.flatMap((arrow) => (hat[arrow] ?? []).map((gift) => [gift, arrow])));
    this.own = [];
    (hat.own ?? []).forEach(({ picture, words, look_alikes: alike = [] }, i) =>
      this.put(i, { picture, kind: kindOf(picture), words: words as Own["words"], alike }),
    );
  }
}

export const ownKey = (at: number): string => `#${at + 1}`;

/** The index of an own gift, or -1. */
const numberOf = (gift: string): number => (gift.startsWith("#") ? Number(gift.slice(1)) - 1 : -1);
