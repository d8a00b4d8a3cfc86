// A .hat file on its way: from a file, a drop or a link, to a table. What is in it, whoever keeps the table checks.

import { askedAsGuest, askedHere, Declined, inPocket, isHere } from "../../net/connection.ts";
import { to } from "../../app/router.svelte.ts";
import type { DeckView, Hat, LinesTold, Word } from "../../wire.ts";
import { LARGEST } from "./maxDeckBytes.ts";

const files = import.meta.glob<string>("../../../src/notahat/gifts/examples/*.hat", { query: "?url", import: "default", eager: true });

/** Decks to start with, by name. */
export const EXAMPLES = ["kitchen", "look-alikes", "first-words"] as const;
export type Example = (typeof EXAMPLES)[number];

export async function example(name: Example): Promise<Hat> {
  return (await (await fetch(files[`../../../src/notahat/gifts/examples/${name}.hat`]!)).json()) as Hat;
}

export async function readFile(file: Blob): Promise<Hat> {
  if (file.size > LARGEST) throw new Declined("deck_too_big");
  return parsed(await file.text());
}

function parsed(text: string): Hat {
  try {
    const hat = JSON.parse(text) as Hat;
    if (typeof hat === "object" && hat !== null && "hat" in hat) return hat;
  } catch {
    // as below
  }
  throw new Declined("deck_unreadable");
}

/** A deck of the catalogue's gifts is a link: all of it stands behind the #, which no browser sends to anybody. */
export function linkOf(hat: Hat): string {
  const bytes = new TextEncoder().encode(JSON.stringify(hat));
  return `${location.origin}${to("/decks")}#${btoa(String.fromCharCode(...bytes)).replace(/\+/g, "-").replace(/\//g, "_").replace(/=/g, "")}`;
}

/** The deck in a link of this server. */
export function fromLink(link: string): Hat {
  let address: URL;
  try {
    address = new URL(link.trim());
  } catch {
    throw new Declined("deck_unreadable");
  }
  if (address.origin !== location.origin || !/\/decks\/?$/.test(address.pathname) || address.hash.length < 2) throw new Declined("deck_unreadable");
  return fromHash(address.hash);
}

export function fromHash(hash: string): Hat {
  try {
    const bytes = atob(hash.slice(1).replace(/-/g, "+").replace(/_/g, "/"));
    return parsed(new TextDecoder().decode(Uint8Array.from(bytes, (letter) => letter.charCodeAt(0))));
  } catch {
    throw new Declined("deck_unreadable");
  }
}

export const putDeck = (code: string, hat: Hat): Promise<DeckView> =>
  isHere(code)
    ? askedHere({ what: "put_deck", code, hat: JSON.stringify(hat) })
    : askedAsGuest("POST", `/api/tables/${encodeURIComponent(code)}/deck`, hat);

const AWAY = new Set(["offline", "needs_server"]);

/** What people will say of an own gift, as grammar has it: asked of the server, or of the pocket where there is none. */
export async function linesOf(asked: { lang: string; word: Word }): Promise<LinesTold> {
  try {
    return await askedAsGuest("POST", "/api/lines", asked);
  } catch (error) {
    if (!(error instanceof Declined) || !AWAY.has(error.reason)) throw error;
    if (!(await inPocket())) throw new Declined("no_pocket");
    return askedHere({ what: "lines", asked: JSON.stringify(asked) });
  }
}
