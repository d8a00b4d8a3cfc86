// What lies on the table, as data: every card and its place, who is outlined, who speaks, and the sentence that belongs to it.
// Made of what everybody sees; it knows no rules and remembers nothing.

import type { FaceDown, FaceUp, Shown, ShopView, TableView } from "../wire.ts";
import { sentence, type Sentence } from "./sentence.ts";

export type Side = FaceUp | FaceDown;

export type Place =
  | { at: "shop" }
  | { at: "middle"; toward: number } // in the air, at somebody's edge of the middle
  | { at: "column"; seat: number; slot: number; of: number } // slot 0 is the bottom, the oldest
  | { at: "penalty"; seat: number; slot: number };

/** A card that lies still. */
export interface Lying {
  card: Side;
  at: Place;
}

/** A card on its way. A short shift makes room or closes a gap; everything else is lifted, carried and put down. */
export interface Moving {
  card: Side;
  from: Place;
  to: Place;
  shift?: true;
}

/** A card that turns over where it lies. */
export interface Turning {
  from: Side;
  to: Side;
  at: Place;
}

export type Speech = { seat: number; line: "thanks" } | { seat: number; line: "offer" | "denial"; gift: string };

export interface Picture {
  view: TableView; // names, options and the stage; for cards look below
  lying: Lying[];
  moving: Moving[];
  turning: Turning | null;
  shop: ShopView;
  penalties: string[][];
  giver: number | null; // outlined: who acts, or has the gift in hand
  receiver: number | null; // outlined with dashes: whom it is for
  stamped: boolean;
  speech: Speech | null;
  sentence: Sentence | null;
}

export interface Scene extends Picture {
  beat: string; // what is shown, in one word
  ms: number; // how long at least; 0 is the present, which stays
  calm: number; // how long where nothing moves and the way is drawn instead; 0 leaves the beat out
  pace: number; // how much longer than normal its motion takes
  happened: Shown[]; // what is said aloud when the scene begins
}

const KNOWN = new Set(["breath", "stamp", "keeps", "opens", "opened"]);

/** What was in there is known: a tap goes on. */
export function isKnown({ beat }: Scene): boolean {
  return KNOWN.has(beat);
}

/** The present: what a view says, lying still. */
export function present(view: TableView, you: readonly number[]): Picture {
  const round = view.round;
  const bare = { view, moving: [], turning: null, stamped: false, sentence: sentence(view, you) };
  if (!round) return { ...bare, lying: [], shop: { top: null, left: 0 }, penalties: [], giver: null, receiver: null, speech: null };
  const lying = round.seats.flatMap((_, seat) => column(view, seat));
  const hand = inHand(view);
  return {
    ...bare,
    lying: hand ? [...lying, hand] : lying,
    shop: round.shop,
    penalties: round.seats.map(({ penalties }) => penalties),
    ...outlined(view),
    speech: spoken(view),
  };
}

/** What lies in front of somebody, the bottom first. A gift that is to be wrapped first still lies at the bottom (5.2). */
export function column(view: TableView, seat: number): Lying[] {
  const { seats, phase } = view.round!;
  const rest: Side[] = seats[seat]!.column;
  const cards = phase.name === "wrap" && !phase.from_shop && phase.giver === seat ? [phase.card, ...rest] : rest;
  return cards.map((card, slot) => ({ card, at: { at: "column", seat, slot, of: cards.length } }));
}

/** The gift being given. */
function inHand(view: TableView): Lying | null {
  const { phase } = view.round!;
  switch (phase.name) {
    case "wrap":
      return phase.from_shop ? { card: phase.card, at: middle(phase.giver) } : null;
    case "give":
      return { card: phase.card, at: middle(phase.giver) };
    case "answer":
    case "judge":
      return { card: phase.card, at: middle(phase.receiver) };
    default:
      return null;
  }
}

export function middle(toward: number): Place {
  return { at: "middle", toward };
}

function outlined(view: TableView): { giver: number | null; receiver: number | null } {
  const { phase } = view.round!;
  if (view.stage !== "play") return { giver: null, receiver: null };
  const giver = "giver" in phase ? phase.giver : null;
  if ("receiver" in phase) return { giver, receiver: phase.receiver };
  return { giver, receiver: phase.name === "give" ? only(phase.receivers) : null };
}

function spoken(view: TableView): Speech | null {
  const { phase } = view.round!;
  if (phase.name !== "answer" || phase.claim === null || view.stage !== "play") return null;
  return { seat: phase.giver, line: "offer", gift: phase.claim };
}

export function only(receivers: readonly number[]): number | null {
  return receivers.length === 1 ? receivers[0]! : null;
}
