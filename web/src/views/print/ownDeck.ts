// Reads what printing needs of a .hat file (docs/decks.md). The file stays in this browser.

import { kindOf } from "../decks/giftImage.ts";
import type { Card } from "./sheets.ts";

const MAX_CARDS = 200;

export interface OwnDeck {
  cards: Card[];
  pictures: Record<string, string>; // data URLs of own gifts by key: #1 and so on
}

type Lists = Partial<Record<"left" | "right" | "any" | "balanced", unknown>> & { own?: unknown };

/** Return the deck in a file's content; throw if it cannot be printed. */
export function ownDeck(hat: unknown, known: (gift: string) => boolean): OwnDeck {
  if (typeof hat !== "object" || hat === null || (hat as { hat?: unknown }).hat !== 1) throw new Error("no deck");
  const lists = hat as Lists;
  const pictures = Object.fromEntries(list(lists.own).map((own, i) => [`#${i + 1}`, pictureOf(own)]));
  const named = (what: "left" | "right" | "any" | "balanced"): string[] => list(lists[what]).map(String);
  const [left, right, any] = [named("left"), named("right"), named("any")];
  for (const gift of named("balanced")) (left.length <= right.length ? left : right).push(gift);
  const cards = [
    ...left.map((gift): Card => [gift, "left"]),
    ...right.map((gift): Card => [gift, "right"]),
    ...any.map((gift): Card => [gift, "any"]),
  ];
  const fine =
    cards.every(([gift]) => gift in pictures || known(gift)) &&
    new Set(cards.map(([gift]) => gift)).size === cards.length;
  if (!fine || cards.length === 0 || cards.length > MAX_CARDS) throw new Error("no deck");
  return { cards, pictures };
}

function list(what: unknown): unknown[] {
  if (what !== undefined && !Array.isArray(what)) throw new Error("no deck");
  return what ?? [];
}

function pictureOf(own: unknown): string {
  const picture = String((own as { picture?: unknown } | null)?.picture);
  const kind = kindOf(picture);
  if (!kind || !/^[A-Za-z0-9+/]+=*$/.test(picture)) throw new Error("no picture");
  return `data:${kind};base64,${picture}`;
}
