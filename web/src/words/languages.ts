// What is particular to each language, from src/notahat/gifts/languages.toml.

import type { Word } from "../wire.ts";
import made from "../made/languages.json";

export type Language = keyof typeof made;

interface Facts {
  name: string;
  articles: string; // that players may type
  genders: Partial<Record<NonNullable<Word["gender"]>, string>>; // each with its article
  sounds: Partial<Record<NonNullable<Word["sound"]>, string>>; // that spelling does not show, each with an example
  head: string | null; // whether the first or the last word says what a thing is
  compounds: boolean;
  silent_h: boolean;
  plural_without_gender: boolean;
}

export const FACTS: Record<Language, Facts> = made;
export const LANGUAGES = Object.fromEntries(Object.entries(FACTS).map(([lang, { name }]) => [lang, name])) as Record<Language, string>;
