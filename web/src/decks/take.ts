// The gifts of a deck that somebody made, pictures and all. They come at once: no request tells which one is looked at.

import { askedAsGuest, askedHere, Declined, isHere } from "../net.ts";
import { drawings } from "../table/drawings.svelte.ts";
import type { DeckTold } from "../wire.ts";
import { words } from "../words/words.svelte.ts";

const PAUSES = [500, 1000, 2000, 4000, 8000, 16000]; // after each try
const KINDS = new Set(["image/png", "image/jpeg", "image/webp"]);
let wanted = "";
let table = ""; // whose decks are known

/** Know the deck of a table; version 0 is none. What was played with there before keeps its names and pictures, because somebody
    may still look at an older round; at another table, and at none, all of it is forgotten. */
export async function take(code: string, version: number): Promise<DeckTold | null> {
  const key = (wanted = `${code}/${version}`);
  const told = version ? await deckOf(code, version).catch(() => null) : null;
  if (key !== wanted) return told; // meanwhile there is another
  if (code !== table) forget();
  table = code;
  const own = told?.own ?? [];
  const fresh = own.filter(({ key }) => !(key in drawings.own));
  drawings.own = { ...drawings.own, ...Object.fromEntries(fresh.map(({ key, kind, picture }) => [key, addressOf(kind, picture)])) };
  words.older = { ...words.older, ...words.own };
  words.own = Object.fromEntries(own.map((gift) => [gift.key, gift]));
  return told;
}

function forget(): void {
  Object.values(drawings.own).forEach((address) => URL.revokeObjectURL(address));
  drawings.own = words.own = words.older = {};
}

/** Asked again while the network is away: without it, gifts of this deck would have no names. */
export async function deckOf(code: string, version: number): Promise<DeckTold> {
  if (isHere(code)) return askedHere({ what: "deck", code, version });
  for (const pause of PAUSES) {
    try {
      return await askedAsGuest("GET", `/api/tables/${encodeURIComponent(code)}/decks/${version}`);
    } catch (problem) {
      if ((problem as Declined).reason !== "offline") throw problem;
      await new Promise((done) => setTimeout(done, pause));
    }
  }
  throw new Declined("offline");
}

/** An address of a picture inside this page; whatever is no picture gets none. */
export function addressOf(kind: string, picture: string): string {
  if (!KINDS.has(kind)) return "";
  const bytes = Uint8Array.from(atob(picture), (letter) => letter.charCodeAt(0));
  return URL.createObjectURL(new Blob([bytes], { type: kind }));
}
