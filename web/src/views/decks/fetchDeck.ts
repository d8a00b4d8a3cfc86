// Loads the own deck of a table with all its pictures at once, so that no request shows which gift is looked at.

import { requestAsGuest, requestTable, isRemote } from "../../net/api.ts";
import { retryTransient } from "../../net/retry.ts";
import { drawings } from "../../ui/drawings.svelte.ts";
import type { DeckContents } from "../../made/wire.ts";
import { words } from "../../words/words.svelte.ts";
import { isKind } from "./giftImage.ts";

let wanted = "/0";
let loading = Promise.resolve<string[]>([]); // the gifts of the wanted deck
let table = ""; // the table whose decks are loaded

/** Load a version of a table's deck once and return its gifts; version 0 is no deck. Earlier decks of the same table
    keep their names and pictures, because older rounds may still be shown; another table, or none, drops them. */
export function useDeck(code: string, version: number): Promise<string[]> {
  const key = `${code}/${version}`;
  if (key !== wanted) {
    wanted = key;
    loading = loadDeck(code, version, () => key === wanted);
  }
  return loading;
}

async function loadDeck(code: string, version: number, isWanted: () => boolean): Promise<string[]> {
  const load = (): Promise<DeckContents> => fetchDeck(code, version);
  const deck = version ? await retryTransient(load, isWanted).catch(() => null) : null;
  const gifts = deck?.gifts ?? [];
  if (!isWanted()) return gifts; // superseded
  if (code !== table) dropDecks();
  table = code;
  const own = deck?.own ?? [];
  const fresh = own.filter(({ key }) => !(key in drawings.own));
  drawings.own = {
    ...drawings.own,
    ...Object.fromEntries(fresh.map(({ key, kind, picture }) => [key, objectUrlOf(kind, picture)])),
  };
  words.earlierGifts = { ...words.earlierGifts, ...words.ownGifts };
  words.ownGifts = Object.fromEntries(own.map((gift) => [gift.key, gift]));
  words.deckGifts = gifts;
  return gifts;
}

function dropDecks(): void {
  Object.values(drawings.own).forEach((url) => URL.revokeObjectURL(url));
  drawings.own = words.ownGifts = words.earlierGifts = {};
}

const fetchDeck = (code: string, version: number): Promise<DeckContents> =>
  !isRemote(code)
    ? requestTable({ what: "deck", code, version })
    : requestAsGuest("GET", `/api/tables/${encodeURIComponent(code)}/decks/${version}`);

/** Return an object URL of a picture, or "" if it is none. */
function objectUrlOf(kind: string, picture: string): string {
  if (!isKind(kind)) return "";
  const bytes = Uint8Array.from(atob(picture), (letter) => letter.charCodeAt(0));
  return URL.createObjectURL(new Blob([bytes], { type: kind }));
}
