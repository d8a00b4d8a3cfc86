// The gifts of a deck that somebody made, pictures and all. They come at once: no request tells which one is looked at.

import { askedAsGuest } from "../net.ts";
import { drawings } from "../table/drawings.svelte.ts";
import type { DeckTold } from "../wire.ts";
import { words } from "../words/words.svelte.ts";

const KINDS = new Set(["image/png", "image/jpeg", "image/webp"]);
let wanted = "";

/** Know the deck of a table; version 0 is none. */
export async function take(code: string, version: number): Promise<DeckTold | null> {
  const key = (wanted = `${code}/${version}`);
  const told = version ? await deckOf(code, version).catch(() => null) : null;
  if (key !== wanted) return told; // meanwhile there is another
  Object.values(drawings.own).forEach((address) => URL.revokeObjectURL(address));
  drawings.own = Object.fromEntries((told?.own ?? []).map(({ key, kind, picture }) => [key, addressOf(kind, picture)]));
  words.own = Object.fromEntries((told?.own ?? []).map((own) => [own.key, own]));
  return told;
}

export const deckOf = (code: string, version: number): Promise<DeckTold> =>
  askedAsGuest("GET", `/api/tables/${encodeURIComponent(code)}/decks/${version}`);

/** An address of a picture inside this page; whatever is no picture gets none. */
export function addressOf(kind: string, picture: string): string {
  if (!KINDS.has(kind)) return "";
  const bytes = Uint8Array.from(atob(picture), (letter) => letter.charCodeAt(0));
  return URL.createObjectURL(new Blob([bytes], { type: kind }));
}
