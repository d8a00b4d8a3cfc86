// The board as data, made from a view: every card and its spot, the outlined seats, speech and sentence. No rules.

import type { FaceDown, FaceUp, Shown, ShopView, TableView } from "../made/wire.ts";
import { presentSentence, type Sentence } from "./sentences.ts";

export type CardSide = FaceUp | FaceDown;

export type Spot =
  | { at: "shop" }
  | { at: "middle"; toward: number } // in the middle, at a seat's edge of it
  | { at: "column"; seat: number; slot: number; of: number } // slot 0 is the bottom, the oldest
  | { at: "penalty"; seat: number; slot: number };

export interface RestingCard {
  card: CardSide;
  at: Spot;
}

/** A shift makes room or closes a gap; every other card is lifted, carried and put down. */
export interface CardMove {
  card: CardSide;
  from: Spot;
  to: Spot;
  shift?: true;
}

/** A card that turns over in its spot. */
export interface CardTurn {
  from: CardSide;
  to: CardSide;
  at: Spot;
}

export type Speech = { seat: number; line: "thanks" } | { seat: number; line: "offer" | "denial"; gift: string };

/** A refused gift seen from near: who gave it, who doubted it and, once it is open, what it is and who was wrong. */
export interface CloseUp {
  giver: number;
  receiver: number;
  claim: string | null;
  card: CardSide;
  wrong: number | null; // stamped
  nth: number; // which penalty it is
  crowd: { believed: number; doubted: number } | null;
}

export interface BoardModel {
  view: TableView; // names, options and the stage; cards are below
  resting: RestingCard[];
  moving: CardMove[];
  turning: CardTurn | null;
  shop: ShopView;
  penalties: string[][];
  giver: number | null; // outlined: acts, or has the gift in hand
  receiver: number | null; // outlined with dashes
  stamped: boolean;
  closeUp: CloseUp | null;
  crowned: readonly number[]; // winners of the round
  speech: Speech | null;
  thanks: number | null; // who says thank you for the claim that can still be read
  sentence: Sentence | null;
}

export interface Scene extends BoardModel {
  beat: string;
  ms: number; // least duration; 0 for the present, which stays
  reducedMs: number; // the same with reduced motion; 0 leaves the beat out
  pace: number; // factor on the duration of its motion
  happened: Shown[]; // announced when the scene begins
}

export const UNWRAPPING: ReadonlySet<string> = new Set(["opens", "opened"]); // all gifts, after a round
const REVEALED = new Set(["breath", "stamp", "keeps", ...UNWRAPPING]);

/** Return whether the gift is revealed: then a tap skips the rest. */
export function isRevealed({ beat }: Scene): boolean {
  return REVEALED.has(beat);
}

/** Return whether the middle is free for the shop: while somebody is about to draw. */
export function isShopOpen({ view, moving }: Scene): boolean {
  return view.round?.phase.name === "draw" && view.stage === "play" && moving.length === 0;
}

/** What lasts for one beat only. */
export const MOTIONLESS = { moving: [], turning: null, stamped: false, closeUp: null, speech: null, thanks: null };

/** Return the board of a view, without motion. */
export function boardOf(view: TableView, you: readonly number[]): BoardModel {
  const round = view.round;
  const bare = { ...MOTIONLESS, view, crowned: [], sentence: presentSentence(view, you) };
  if (!round) return { ...bare, resting: [], shop: { top: null, left: 0 }, penalties: [], giver: null, receiver: null };
  const resting = round.seats.flatMap((_, seat) => column(view, seat));
  const hand = giftInHand(view);
  return {
    ...bare,
    resting: hand ? [...resting, hand] : resting,
    shop: round.shop,
    penalties: round.seats.map(({ penalties }) => penalties),
    ...outlinedSeats(view),
    speech: offerOf(view),
  };
}

/** Return a seat's column, oldest first. A gift that is about to be wrapped is still at the bottom (5.2). */
export function column(view: TableView, seat: number): RestingCard[] {
  const { seats, phase } = view.round!;
  const rest: CardSide[] = seats[seat]!.column;
  const cards = phase.name === "wrap" && !phase.from_shop && phase.giver === seat ? [phase.card, ...rest] : rest;
  return cards.map((card, slot) => ({ card, at: { at: "column", seat, slot, of: cards.length } }));
}

function giftInHand(view: TableView): RestingCard | null {
  const { phase } = view.round!;
  if (!("card" in phase) || (phase.name === "wrap" && !phase.from_shop)) return null;
  return { card: phase.card, at: middle("receiver" in phase ? phase.receiver : phase.giver) };
}

export function middle(toward: number): Spot {
  return { at: "middle", toward };
}

function outlinedSeats(view: TableView): { giver: number | null; receiver: number | null } {
  const { phase } = view.round!;
  if (view.stage !== "play") return { giver: null, receiver: null };
  const giver = "giver" in phase ? phase.giver : null;
  if ("receiver" in phase) return { giver, receiver: phase.receiver };
  return { giver, receiver: phase.name === "give" ? onlyReceiver(phase.receivers) : null };
}

function offerOf(view: TableView): Speech | null {
  const { phase } = view.round!;
  if (phase.name !== "answer" || phase.claim === null || view.stage !== "play") return null;
  return { seat: phase.giver, line: "offer", gift: phase.claim };
}

export function onlyReceiver(receivers: readonly number[]): number | null {
  return receivers.length === 1 ? receivers[0]! : null;
}
