// Reads .hat decks from files and links and puts them on a table. The table's backend validates their content.

import { requestAsGuest, requestLocal, Declined, isInstalled, isRemote, requestTable } from "../../net/api.ts";
import { fromBase64Url, toBase64Url } from "../../net/encoding.ts";
import { href } from "../../app/router.svelte.ts";
import type { DeckView, Hat, SpokenLines, Word } from "../../made/wire.ts";
import { words } from "../../words/words.svelte.ts";

const MAX_DECK_BYTES = 2_000_000; // the same as on the server
const files = import.meta.glob<string>("../../../../src/notahat/gifts/examples/*.hat", {
  query: "?url",
  import: "default",
  eager: true,
});

/** Ready decks, each with the gift that stands for it. */
export const EXAMPLES = {
  kitchen: "teapot",
  animals: "elephant",
  music: "trumpet",
  workshop: "hammer",
  journey: "rocket",
  party: "cake",
  "look-alikes": "rubber_duck",
  "first-words": "apple",
} as const;
export type Example = keyof typeof EXAMPLES;
export const EXAMPLE_NAMES = Object.keys(EXAMPLES) as Example[];

/** Return a ready deck, named in the user's language. */
export async function fetchExample(example: Example): Promise<Hat> {
  const file = await fetch(files[`../../../../src/notahat/gifts/examples/${example}.hat`]!);
  return { ...((await file.json()) as Hat), name: words.say(`decks.${example}`) };
}

export async function readFile(file: Blob): Promise<Hat> {
  if (file.size > MAX_DECK_BYTES) throw new Declined("deck_too_big");
  const text = await file.text();
  return parseHat(() => text);
}

/** Return the deck that another app has shared with the installed one, once. The service worker keeps it. */
export async function takeSharedFile(): Promise<Hat> {
  const url = href("/shared.hat");
  const file = await caches.match(url);
  if (!file) throw new Declined("deck_unreadable");
  for (const name of await caches.keys()) await (await caches.open(name)).delete(url);
  return readFile(await file.blob());
}

function parseHat(read: () => string): Hat {
  try {
    const hat = JSON.parse(read()) as Hat;
    if (typeof hat === "object" && hat !== null && "hat" in hat) return hat;
  } catch {
    // handled below
  }
  throw new Declined("deck_unreadable");
}

/** Return a link with the whole deck, without own gifts, after the #, which browsers do not send to the server. */
export function linkOf(hat: Hat): string {
  return `${pageUrl()}#${toBase64Url(new TextEncoder().encode(JSON.stringify(hat)))}`;
}

const pageUrl = (): string => `${location.origin}${href("/decks")}`;

/** Return the deck in a link of this server. */
export function fromLink(link: string): Hat {
  const [page = "", hash = ""] = link.trim().split("#");
  if (page.replace(/\/$/, "") !== pageUrl()) throw new Declined("deck_unreadable");
  return fromHash(`#${hash}`);
}

export function fromHash(hash: string): Hat {
  return parseHat(() => new TextDecoder().decode(fromBase64Url(hash.slice(1))));
}

export const putDeck = (code: string, hat: Hat): Promise<DeckView> =>
  !isRemote(code)
    ? requestTable({ what: "put_deck", code, hat: JSON.stringify(hat) })
    : requestAsGuest("POST", `/api/tables/${encodeURIComponent(code)}/deck`, hat);

const NO_SERVER = new Set(["offline", "needs_server"]);

/** Return the offer and the denial of an own gift, from the server or, without one, from the local backend. */
export async function fetchLines(query: { lang: string; word: Word }): Promise<SpokenLines> {
  try {
    return await requestAsGuest("POST", "/api/lines", query);
  } catch (error) {
    if (!(error instanceof Declined) || !NO_SERVER.has(error.reason)) throw error;
    if (!(await isInstalled())) throw new Declined("no_pocket");
    return requestLocal({ what: "lines", query: JSON.stringify(query) });
  }
}
