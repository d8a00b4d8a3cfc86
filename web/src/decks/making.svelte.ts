// A deck in the making: what was picked, which arrows were chosen, and own gifts. It becomes a .hat file.

import type { Hat, Word } from "../wire.ts";
import type { Language } from "../words/words.svelte.ts";
import type { Picture } from "./picture.ts";

export const ARROWS = ["balanced", "left", "right", "any"] as const;
export type Arrow = (typeof ARROWS)[number];

export interface Own extends Picture {
  words: Partial<Record<Language, Word>>;
  alike: string[]; // gifts of the catalogue
  arrow: Arrow;
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
export const SOUNDS: Partial<Record<Language, NonNullable<Word["sound"]>[]>> = {
  en: ["vowel", "consonant"],
  fr: ["vowel", "consonant"],
  it: ["vowel", "consonant", "impure"],
  es: ["tonic_a"],
};

export class Making {
  name = $state("");
  language = $state<Language>("en");
  picked = $state<Record<string, Arrow>>({});
  own = $state<Own[]>([]);

  get cards(): number {
    return Object.keys(this.picked).length + this.own.length;
  }

  toggle(gift: string): void {
    const rest = Object.entries(this.picked).filter(([other]) => other !== gift);
    this.picked = Object.fromEntries(gift in this.picked ? rest : [...rest, [gift, "balanced"]]);
  }

  get hat(): Hat {
    const of = (arrow: Arrow): string[] => [
      ...Object.keys(this.picked).filter((gift) => this.picked[gift] === arrow),
      ...this.own.flatMap((own, i) => (own.arrow === arrow ? [`#${i + 1}`] : [])),
    ];
    const lists = Object.fromEntries(ARROWS.map((arrow) => [arrow, of(arrow)]).filter(([, gifts]) => gifts!.length > 0));
    const own = this.own.map(({ picture, words, alike }) => ({ picture, words: words as Record<string, Word>, look_alikes: alike }));
    return { hat: 1, name: this.name.trim(), language: this.language, ...lists, ...(own.length > 0 ? { own } : {}) };
  }

  /** Go on with a deck that was saved. Whether it makes sense, the server says when it is played. */
  take(hat: Hat): void {
    this.name = String(hat.name ?? "");
    this.language = hat.language ?? "en";
    const arrows = ARROWS.flatMap((arrow) => (hat[arrow] ?? []).map((gift) => [gift, arrow] as const));
    this.picked = Object.fromEntries(arrows.filter(([gift]) => !gift.startsWith("#")));
    const ofOwn: Partial<Record<string, Arrow>> = Object.fromEntries(arrows);
    this.own = (hat.own ?? []).map(({ picture, words, look_alikes = [] }, i) => ({
      picture,
      kind: kindOf(picture),
      words: words as Own["words"],
      alike: look_alikes.filter((gift) => !gift.startsWith("#")),
      arrow: ofOwn[`#${i + 1}`] ?? "balanced",
    }));
  }
}

/** By its first letters, as base64 has them; what is none of these is shown as nothing. */
export function kindOf(picture: string): string {
  if (picture.startsWith("iVBOR")) return "image/png";
  if (picture.startsWith("/9j/")) return "image/jpeg";
  return picture.startsWith("UklGR") ? "image/webp" : "";
}
