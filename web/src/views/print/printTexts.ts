// The sentences of any language, whatever the page itself speaks: what is printed may be for somebody else.

import { fetched } from "../../net/fetchAsset.ts";
import type { Key, Language } from "../../words/words.svelte.ts";
import type { GiftWords } from "../../words/finder.ts";

const texts = import.meta.glob<string>("../words/*.json", { query: "?url", import: "default", eager: true });
const gifts = import.meta.glob<string>("../../made/words/*.json", { query: "?url", import: "default", eager: true });

export interface Told {
  lang: Language;
  say: (key: Key) => string;
  offer: (gift: string) => string;
  denial: (gift: string) => string;
}

export async function toldIn(lang: Language, missed: () => void): Promise<Told> {
  const [sentences, names] = await Promise.all([
    fetched<Record<string, string>>(texts[`../words/${lang}.json`]!, missed),
    fetched<Record<string, GiftWords>>(gifts[`../made/words/${lang}.json`]!, missed),
  ]);
  return {
    lang,
    say: (key) => sentences[key] ?? "",
    offer: (gift) => names[gift]?.[2] ?? "",
    denial: (gift) => names[gift]?.[3] ?? "",
  };
}
