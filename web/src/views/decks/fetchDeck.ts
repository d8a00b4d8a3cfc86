// The gifts of a deck that somebody made, pictures and all. They come at once: no request tells which one is looked at.

import { askedAsGuest, askedHere, isHere } from "../../net/connection.ts";
import { patiently } from "../../net/retry.ts";
import { drawings } from "../table/drawings.svelte.ts";
import type { DeckTold } from "../../wire.ts";
import { words } from "../../words/words.svelte.ts";
import { isKind } from "./giftImage.ts";

let wanted = "/0";
let taken = Promise.resolve<string[]>([]); // the gifts of what is wanted
let table = ""; // whose decks are known

/** Know the deck of a table, and say what is in it; version 0 is none. It is asked for once, however many want to know. What was
    played with there before keeps its names and pictures, because somebody may still look at an older round; at another table, and
    at none, all of it is forgotten. */
export function take(code: string, version: number): Promise<string[]> {
  const key = `${code}/${version}`;
  if (key !== wanted) {
    wanted = key;
    taken = known(code, version);
  }
  return taken;
}

async function known(code: string, version: number): Promise<string[]> {
  const key = `${code}/${version}`;
  const told = version ? await deckOf(code, version).catch(() => null) : null;
  const gifts = told?.gifts ?? [];
  if (key !== wanted) return gifts; // meanwhile there is another
  if (code !== table) forget();
  table = code;
  const own = told?.own ?? [];
  const fresh = own.filter(({ key }) => !(key in drawings.own));
  drawings.own = { ...drawings.own, ...Object.fromEntries(fresh.map(({ key, kind, picture }) => [key, addressOf(kind, picture)])) };
  words.older = { ...words.older, ...words.own };
  words.own = Object.fromEntries(own.map((gift) => [gift.key, gift]));
  return gifts;
}

function forget(): void {
  Object.values(drawings.own).forEach((address) => URL.revokeObjectURL(address));
  drawings.own = words.own = words.older = {};
}

/** Without it, gifts of this deck would have no names. */
export function deckOf(code: string, version: number): Promise<DeckTold> {
  if (isHere(code)) return askedHere({ what: "deck", code, version });
  return patiently(() => askedAsGuest("GET", `/api/tables/${encodeURIComponent(code)}/decks/${version}`));
}

/** An address of a picture inside this page; whatever is no picture gets none. */
export function addressOf(kind: string, picture: string): string {
  if (!isKind(kind)) return "";
  const bytes = Uint8Array.from(atob(picture), (letter) => letter.charCodeAt(0));
  return URL.createObjectURL(new Blob([bytes], { type: kind }));
}
