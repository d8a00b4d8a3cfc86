// Loads what printing needs: ready decks, those of .hat files (docs/decks.md), which stay in this browser, backs, and
// texts in any language, independent of the language of the page.

import { fetchAsset } from "../../net/fetchAsset.ts";
import { fetchTexts, type Key, type Language } from "../../words/words.svelte.ts";
import url from "../../made/print.json?url";
import { dataUrl, kindOf } from "../decks/giftImage.ts";
import type { Hat } from "../../made/wire.ts";
import type { Back, Card, Choice, Decks } from "./sheets.ts";

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

const MAX_CARDS = 200;

export interface OwnDeck {
  cards: Card[];
  pictures: Record<string, string>; // data URLs of own gifts by key: #1 and so on
}

/** Return the deck in a file's content; throw if it cannot be printed. */
export function ownDeck(hat: Hat, known: (gift: string) => boolean): OwnDeck {
  if (hat.hat !== 1) throw new Error("no deck");
  const pictures = Object.fromEntries((hat.own ?? []).map(({ picture }, i) => [`#${i + 1}`, urlOf(picture)]));
  const listed = (back: Back): Card[] => (hat[back] ?? []).map((gift) => [gift, back]);
  const [left, right] = [listed("left"), listed("right")];
  for (const gift of hat.balanced ?? []) {
    if (left.length <= right.length) left.push([gift, "left"]);
    else right.push([gift, "right"]);
  }
  const cards = [...left, ...right, ...listed("any")];
  const gifts = new Set(cards.map(([gift]) => gift));
  const isWhole = gifts.size === cards.length && [...gifts].every((gift) => gift in pictures || known(gift));
  if (!isWhole || cards.length === 0 || cards.length > MAX_CARDS) throw new Error("no deck");
  return { cards, pictures };
}

function urlOf(picture: string): string {
  if (!kindOf(picture) || !/^[A-Za-z0-9+/]+=*$/.test(picture)) throw new Error("no picture");
  return dataUrl(picture);
}
