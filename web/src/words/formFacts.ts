// How words of each language are formed, for own gifts; from src/notahat/gifts/languages.toml.

import type { Word } from "../made/wire.ts";
import made from "../made/formFacts.json";
import type { Language } from "./words.svelte.ts";

interface Facts {
  genders: Partial<Record<NonNullable<Word["gender"]>, string>>; // each with its article
  sounds: Partial<Record<NonNullable<Word["sound"]>, string>>; // that spelling does not show, each with an example
  plural_without_gender: boolean;
}

export const FACTS: Record<Language, Facts> = made;
