// The sentences under the table as data: for the present from its view, for a scene from its event.

import type { TableView } from "../made/wire.ts";
import type { Outcome } from "./ending.ts";
import { absentSeat, idleSeat } from "./absence.ts";
import type { Key } from "../words/words.svelte.ts";

export interface Sentence {
  say: Key;
  names: Record<string, number>; // seats by placeholder
  spoken?: { line: "offer" | "denial"; gift: string } | { line: "thanks" }; // a spoken line, shown larger
  thing?: string; // a gift, named with its article as {thing} and without as {gift}
  claim?: string; // another gift
  together?: number[]; // seats listed in one placeholder
  numbers?: Record<string, number>;
  aside?: Pick<Sentence, "say" | "names" | "numbers">; // a second sentence: who is away or idle, how others voted
}

export function presentSentence(view: TableView, you: readonly number[]): Sentence | null {
  if (!view.round) return null;
  if (view.paused) return { say: "say.paused", names: {} };
  if (view.stage === "between") return { say: "say.between", names: {} };
  if (view.stage === "over") return { say: "say.over", names: {} };
  const waits = waitsFor(view, you);
  const { phase } = view.round;
  if (waits === null) return phaseSentence(view, you);
  if (phase.name !== "answer" || phase.claim === null) return waits;
  return { ...offered(phase, phase.claim, you), aside: waits };
}

/** Name the player who is away or idle. It stands in place of any sentence but a claim, which it follows. */
function waitsFor(view: TableView, you: readonly number[]): Sentence | null {
  const absent = absentSeat(view);
  if (absent !== null) return { say: view.seats[absent]!.gone ? "say.gone" : "say.away", names: { name: absent } };
  const idle = idleSeat(view);
  return idle === null || you.includes(idle) ? null : { say: "say.idle", names: { name: idle } };
}

/** Moves of a moment, as those of computer players, need no sentence: the picture shows them. */
function phaseSentence(view: TableView, you: readonly number[]): Sentence | null {
  const { phase, turn } = view.round!;
  const isBot = "giver" in phase && view.seats[phase.giver]?.kind === "bot";
  switch (phase.name) {
    case "draw":
      if (turn === 0) return about("say.look", phase.giver, you);
      return isBot ? null : about("say.draw", phase.giver, you);
    case "wrap":
      return phase.from_shop ? NEW_GIFT : null;
    case "give": {
      const own = isYou(you, phase.giver);
      const to = phase.receivers.length === 1 ? phase.receivers[0]! : null;
      if (isBot) return null;
      const isForYou = to !== null && isYou(you, to);
      if (!own) return { say: isForYou ? "say.choosing_for_you" : "say.choosing", names: { name: phase.giver } };
      if (to === null) return { say: "say.give_any", names: {} };
      return { say: view.options.claims === "spoken" ? "say.give_aloud" : "say.give", names: { name: to } };
    }
    case "answer": {
      if (phase.claim !== null) return offered(phase, phase.claim, you);
      const { giver, receiver } = phase;
      return { ...about("say.offers_aloud", receiver, you), names: { giver, receiver } };
    }
    case "judge":
      return withCrowd({ say: "say.judge", names: {} }, view.crowd, null);
    case "over":
      return { say: "say.over", names: {} };
  }
}

type Pair = Record<"giver" | "receiver", number>;

function offered({ giver, receiver }: Pair, claim: string, you: readonly number[]): Sentence {
  const say = isYou(you, receiver) ? "say.offers_you" : isYou(you, giver) ? "say.you_offer" : "say.offers";
  return { say, names: { giver, receiver }, spoken: { line: "offer", gift: claim } };
}

export const NEW_GIFT: Sentence = { say: "say.new", names: {} };

export function thanks(receiver: number, you: readonly number[]): Sentence {
  return { ...about("say.thanks", receiver, you), spoken: { line: "thanks" } };
}

export function doubts(receiver: number, claim: string | null, you: readonly number[]): Sentence {
  if (claim === null) return about("say.doubts_aloud", receiver, you);
  const say = isYou(you, receiver) ? "say.you_doubt" : "say.doubts";
  return { say, names: { name: receiver }, spoken: { line: "denial", gift: claim } };
}

export function keeps(wrong: number, gift: string, claim: string | null, you: readonly number[]): Sentence {
  const said = claim === gift ? about("say.it_was", wrong, you) : about("say.kept", wrong, you);
  return { ...said, thing: gift };
}

/** Add how the crowd voted on a claim. Only lies can fool it; `right` is null if only people know (12.2). */
export function withCrowd(sentence: Sentence, crowd: TableView["crowd"] | null, right: boolean | null): Sentence {
  if (!crowd) return sentence;
  const { believed, doubted } = crowd;
  const fooled = believed === 0 ? "say.crowd_none" : "say.crowd";
  const say = right === false ? fooled : "say.crowd_believed";
  return { ...sentence, aside: { say, names: {}, numbers: { n: believed, of: believed + doubted } } };
}

/** Say in a close-up what was claimed, and who has won the duel. Spoken claims are unknown. */
export function claimed(giver: number, claim: string, you: readonly number[]): Sentence {
  return { ...about("reveal.said", giver, you), claim };
}

export function duelWon(winner: number, isLie: boolean, you: readonly number[]): Sentence {
  return isLie ? about("reveal.caught", winner, you) : about("reveal.honest", winner, you);
}

/** Name a gift that is opened after the round, and what it was last called. Spoken claims are unknown. */
export function wasCalled(seat: number, gift: string, claim: string | undefined, you: readonly number[]): Sentence {
  if (claim === undefined) return { ...about("end.was", seat, you), thing: gift };
  const said = claim === gift ? about("end.was_so", seat, you) : about("end.was_not", seat, you);
  return { ...said, thing: gift, claim };
}

/** Name the winners of a round or match; if most share the win, all but a few. */
export function won({ winners, rest, isFinal }: Outcome, you: readonly number[]): Sentence {
  const others = winners.filter((seat) => !isYou(you, seat));
  const own = others.length < winners.length;
  if (winners.length === 0) return { say: "end.nobody", names: {} };
  if (rest.length === 0) return { say: "end.all", names: {} };
  if (winners.length > rest.length) return own ? { say: "end.you_all", names: {} } : these("end.all_but", rest, you);
  if (own && others.length > 0) return { say: "end.you_share", names: {}, together: others };
  if (own) return { say: isFinal ? "end.you_win" : "end.you_round", names: {} };
  return { say: isFinal ? "end.match" : "end.round", names: {}, together: others };
}

export function alsoLost({ losers }: Outcome, you: readonly number[]): Sentence | null {
  return losers.length === 0 ? null : these("end.most", losers, you);
}

function these(say: "end.most" | "end.all_but", seats: number[], you: readonly number[]): Sentence {
  const isOnlyYou = seats.length === 1 && isYou(you, seats[0]!);
  return isOnlyYou ? { say: `${say}_you`, names: {} } : { say, names: {}, together: seats };
}

/** Keys of sentences about a player that have a second text for "you". */
type Personal =
  | `say.${"look" | "draw" | "offers_aloud" | "thanks" | "doubts_aloud" | "it_was" | "kept"}`
  | `reveal.${"said" | "caught" | "honest"}`
  | `end.${"was" | "was_so" | "was_not"}`;

function about(say: Personal, seat: number, you: readonly number[]): Sentence {
  return { say: isYou(you, seat) ? `${say}_you` : say, names: { name: seat } };
}

/** Return whether a seat is addressed as "you". With several seats on this device everyone has a name. */
function isYou(you: readonly number[], seat: number): boolean {
  return you.length === 1 && you[0] === seat;
}
