// A deck being edited: its cards with their arrows, and own gifts. This browser keeps it after every change; it is
// saved as a .hat file.

import { readStored, writeStored } from "../../app/storage.ts";
import type { Hat, Word } from "../../made/wire.ts";
import made from "../../made/formFacts.json";
import { words, type Language } from "../../words/words.svelte.ts";
import type { Stroke } from "./giftImage.ts";

export const ARROWS = ["balanced", "left", "right", "any"] as const;
type Arrow = (typeof ARROWS)[number];

export interface Own {
  picture: string; // base64
  words: Partial<Record<Language, Word>>;
  alike: string[]; // keys as in the file: of the catalogue, or #1 for the first own gift
  strokes?: Stroke[]; // of a drawing
}

interface Content {
  name: string;
  language: Language;
  arrows: Record<string, Arrow>; // by key, in the order of the file
  own: Own[];
}

const DRAFT_KEY = "notahat.deck";
const MAX_UNDO = 50;

interface Facts {
  genders: Partial<Record<NonNullable<Word["gender"]>, string>>; // each with its article
  sounds: Partial<Record<NonNullable<Word["sound"]>, string>>; // that spelling does not show, each with an example
  plural_without_gender: boolean;
}
/** How words of each language are formed; from src/notahat/gifts/languages.toml. */
export const FACTS: Record<Language, Facts> = made;

/** Return whether a word has all that its spoken lines need: a name and, where the language has them, an article. */
export function isComplete(lang: Language, word: Word | undefined): boolean {
  if (!word || word.name.trim().length < 2) return false;
  const needsArticle =
    Object.keys(FACTS[lang].genders).length > 0 && !(word.plural && FACTS[lang].plural_without_gender);
  return !needsArticle || word.gender != null;
}

export class DeckDraft {
  #content = $state.raw<Content>({ name: "", language: "en", arrows: {}, own: [] });
  #past = $state.raw<Content[]>([]);
  #editing: number | null = null; // all changes of one own gift in a row are undone together
  kept = $state(true); // false: this browser refuses to keep it
  readonly name = $derived(this.#content.name);
  readonly language = $derived(this.#content.language);
  readonly arrows = $derived<Readonly<Record<string, Arrow>>>(this.#content.arrows);
  readonly own = $derived<readonly Own[]>(this.#content.own);
  readonly cards = $derived(Object.keys(this.arrows).length);
  readonly canUndo = $derived(this.#past.length > 0);
  /** The index of the first own gift that is not whole, or -1. */
  readonly firstIncomplete = $derived(this.own.findIndex((own) => !this.isWhole(own)));

  /** Continue with the draft that this browser has kept, or begin one. */
  static kept(language: Language): DeckDraft {
    const draft = new DeckDraft();
    draft.#content = { ...draft.#content, language, ...readStored<Partial<Content>>(DRAFT_KEY, {}) };
    return draft;
  }

  undo(): void {
    const last = this.#past.at(-1);
    if (!last) return;
    this.#past = this.#past.slice(0, -1);
    this.#editing = null;
    this.keep(last);
  }

  toggle(gift: string): void {
    const rest = Object.entries(this.arrows).filter(([other]) => other !== gift);
    this.#change({ arrows: Object.fromEntries(gift in this.arrows ? rest : [...rest, [gift, "balanced"]]) });
  }

  setArrow(gift: string, arrow: Arrow): void {
    this.#change({ arrows: { ...this.arrows, [gift]: arrow } });
  }

  /** Add or replace an own gift. */
  put(at: number, own: Own): void {
    const arrows = { ...this.arrows, [ownKey(at)]: this.arrows[ownKey(at)] ?? "balanced" };
    this.#change({ own: [...this.own.slice(0, at), own, ...this.own.slice(at + 1)], arrows }, at);
  }

  /** Remove an own gift and renumber the following ones and all references to them. */
  remove(at: number): void {
    const renumber = (gift: string): string[] => {
      const number = numberOf(gift);
      return number === at ? [] : [number > at ? ownKey(number - 1) : gift];
    };
    const arrows = Object.fromEntries(
      Object.entries(this.arrows).flatMap(([gift, arrow]) => renumber(gift).map((key) => [key, arrow])),
    );
    const own = this.own.filter((_, i) => i !== at).map((one) => ({ ...one, alike: one.alike.flatMap(renumber) }));
    this.#change({ arrows, own });
  }

  clear(): void {
    this.#change({ name: "", arrows: {}, own: [] });
  }

  /** Return the name of a gift; own gifts have one in the deck's language. */
  nameOf(gift: string): string {
    const own = this.own[numberOf(gift)];
    return own ? (own.words[this.language] ?? Object.values(own.words)[0])?.name ?? "" : words.name(gift);
  }

  /** Return whether an own gift has a picture, a name in the deck's language, and complete words. */
  isWhole({ picture, words }: Own): boolean {
    const needed = Object.entries({ [this.language]: undefined, ...words }) as [Language, Word | undefined][];
    return picture !== "" && needed.every(([lang, word]) => isComplete(lang, word));
  }

  get hat(): Hat {
    const of = (arrow: Arrow): string[] => Object.keys(this.arrows).filter((gift) => this.arrows[gift] === arrow);
    const lists = Object.fromEntries(
      ARROWS.map((arrow) => [arrow, of(arrow)]).filter(([, gifts]) => gifts!.length > 0),
    );
    const own = this.own.map(({ picture, words, alike }) => ({
      picture,
      words: trimmed(words),
      ...(alike.length > 0 ? { look_alikes: alike } : {}),
    }));
    return { hat: 1, name: this.name.trim(), language: this.language, ...lists, ...(own.length > 0 ? { own } : {}) };
  }

  /** Continue with a saved deck. It is not validated here; the server does that when it is played. */
  load(hat: Hat): void {
    const own = (hat.own ?? []).map(({ picture, words, look_alikes: alike = [] }): Own => ({ picture, words, alike }));
    this.#change({ name: String(hat.name ?? ""), language: hat.language ?? "en", arrows: arrowsOf(hat, own), own });
  }

  /** Continue with a ready-made deck, and keep the own gifts. */
  loadExample(hat: Hat): void {
    this.#change({ name: this.name || hat.name, arrows: arrowsOf(hat, this.own) });
  }

  #change(changes: Partial<Content>, editing: number | null = null): void {
    if (editing === null || editing !== this.#editing) this.#past = [...this.#past, this.#content].slice(-MAX_UNDO);
    this.#editing = editing;
    this.keep(changes);
  }

  /** Change something that needs no undo. */
  keep(changes: Partial<Content>): void {
    this.#content = { ...this.#content, ...changes };
    this.kept = writeStored(DRAFT_KEY, this.#content);
  }
}

/** Return the arrows of all cards; own gifts are cards in any case. */
function arrowsOf(hat: Hat, own: readonly Own[]): Record<string, Arrow> {
  const listed = ARROWS.flatMap((arrow) => (hat[arrow] ?? []).map((gift) => [gift, arrow]));
  const arrows = Object.fromEntries(listed) as Record<string, Arrow>;
  own.forEach((_, at) => (arrows[ownKey(at)] ??= "balanced"));
  return arrows;
}

function trimmed(words: Own["words"]): Own["words"] {
  return Object.fromEntries(Object.entries(words).map(([lang, word]) => [lang, { ...word, name: word.name.trim() }]));
}

export const ownKey = (at: number): string => `#${at + 1}`;

/** The index of an own gift, or -1. */
const numberOf = (gift: string): number => (gift.startsWith("#") ? Number(gift.slice(1)) - 1 : -1);
