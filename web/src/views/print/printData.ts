// Loads what printing needs: ready decks, backs, and texts in any language, independent of the language of the page.

import { fetchAsset } from "../../net/fetchAsset.ts";
import { fetchTexts, type Key, type Language } from "../../words/words.svelte.ts";
import url from "../../made/print.json?url";
import type { Back, Choice, Decks } from "./sheets.ts";

type Editions = Omit<Decks, "own">;

export interface PrintTexts {
  lang: Language;
  say: (key: Key) => string;
  offer: (gift: string) => string;
  denial: (gift: string) => string;
}

let backs: Record<string, string> = {};

/** Return the decks of all editions, and keep the backs. */
export async function loadEditions(): Promise<Editions> {
  const loaded = await fetchAsset<{ decks: Editions; backs: Record<string, string> }>(url);
  backs = loaded.backs;
  return loaded.decks;
}

/** Return the drawing of a back. Four signs show its direction, so that it can be read without colour: the arrow, its
 *  colour (black or white), the slant of the stripes and the darkness of the paper. */
export const backSvg = (back: Back, how: Choice["backs"]): string => backs[`${back}-${how}`]!;

export async function loadPrintTexts(lang: Language, missed: () => void): Promise<PrintTexts> {
  const [messages, { gifts }] = await fetchTexts(lang, missed);
  return {
    lang,
    say: (key) => (messages[key] ?? "") as string, // none of the printed ones has plural forms
    offer: (gift) => gifts[gift]?.[2] ?? "",
    denial: (gift) => gifts[gift]?.[3] ?? "",
  };
}
