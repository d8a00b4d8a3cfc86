// Loads the texts to print, in any language, independent of the language of the page.

import { fetchAsset } from "../../net/fetchAsset.ts";
import type { Key, Language } from "../../words/words.svelte.ts";
import type { GiftWords } from "../../words/finder.ts";

const texts = import.meta.glob<string>("../../words/*.json", { query: "?url", import: "default", eager: true });
const gifts = import.meta.glob<string>("../../made/words/*.json", { query: "?url", import: "default", eager: true });

export interface PrintTexts {
  lang: Language;
  say: (key: Key) => string;
  offer: (gift: string) => string;
  denial: (gift: string) => string;
}

export async function loadPrintTexts(lang: Language, missed: () => void): Promise<PrintTexts> {
  const [sentences, names] = await Promise.all([
    fetchAsset<Record<string, string>>(texts[`../../words/${lang}.json`]!, missed),
    fetchAsset<Record<string, GiftWords>>(gifts[`../../made/words/${lang}.json`]!, missed),
  ]);
  return {
    lang,
    say: (key) => sentences[key] ?? "",
    offer: (gift) => names[gift]?.[2] ?? "",
    denial: (gift) => names[gift]?.[3] ?? "",
  };
}
