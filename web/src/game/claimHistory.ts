// The claims and answers of a finished round, read from its story: decisions, marks, journeys of gifts, best moves and
// votes.

import type { Moment, Story, View } from "../made/wire.ts";
import type { RoundEnd } from "./scenes.ts";

interface Claim {
  step: number; // index in the story
  gift: string;
  claim: string;
  ago: number; // moves since the gift was last seen
  passes: number; // how often it has changed hands since then
  took: number; // seconds
}

export interface Decision extends Claim {
  kind: "named" | "thanked" | "doubted";
  right: boolean;
  believed: boolean; // the claim was accepted
}

interface Offer extends Claim {
  giver: number;
  receiver: number;
  answer: Moment | undefined;
  refused: boolean;
}

/** Return every entered claim of a round with its answer. */
function offersOf(story: Story): Offer[] {
  const seen = new Map<string, { at: number; passes: number }>();
  noteOpenCards(story.first, 0, seen);
  const offers: Offer[] = [];
  story.steps.forEach((moment, step) => {
    const { gift, took } = moment;
    for (const event of moment.events) {
      const known = (gift && seen.get(gift)) || { at: step, passes: 0 };
      if (event.event === "offered" && event.claim !== null && gift !== null) {
        const { giver, receiver, claim } = event;
        const answer = story.steps[step + 1];
        const refused = answer?.events.some(({ event }) => event === "refused") ?? false;
        const since = { ago: step - known.at, passes: known.passes };
        offers.push({ step, giver, receiver, claim, gift, ...since, took, answer, refused });
      }
      if (event.event === "accepted" && gift) seen.set(gift, { ...known, passes: known.passes + 1 });
    }
    noteOpenCards(moment.view, step + 1, seen);
  });
  return offers;
}

/** Note which gifts are face up, in columns or in a giver's hand. */
function noteOpenCards(view: View, at: number, seen: Map<string, { at: number; passes: number }>): void {
  const cards = view.seats.flatMap(({ column }) => column);
  if (view.phase.name === "wrap") cards.push(view.phase.card);
  for (const card of cards) if (card.face === "up") seen.set(card.gift, { at, passes: 0 });
}

export function decisions(story: Story, seat: number): Decision[] {
  return offersOf(story).flatMap((offer): Decision[] => {
    const { step, gift, claim, ago, passes, took, answer, refused } = offer;
    const known = { gift, claim, ago, passes, believed: answer !== undefined && !refused };
    const isTrue = claim === gift;
    if (offer.giver === seat && story.steps[step]!.by === "person")
      return [{ ...known, step, took, kind: "named", right: isTrue }];
    if (offer.receiver !== seat || answer?.by !== "person") return [];
    const kind = refused ? "doubted" : "thanked";
    return [{ ...known, step: step + 1, took: answer.took, kind, right: refused !== isTrue }];
  });
}

export const MARKS = ["lie", "doubt", "lost"] as const;
export type Mark = { step: number; mark: (typeof MARKS)[number] };

/** Return lies, wrong doubts, and the first wrong answer of a seat. An own wrong name may be a bluff, and is a lie. */
export function marks(story: Story, seat: number | undefined): Mark[] {
  const all = offersOf(story).flatMap(({ step, claim, gift, refused }): Mark[] => {
    if (claim !== gift) return [{ step, mark: "lie" }];
    return refused ? [{ step: step + 1, mark: "doubt" }] : [];
  });
  const own = seat === undefined ? [] : decisions(story, seat);
  const lost = own.find(({ kind, right }) => kind !== "named" && !right);
  const found = all.filter(({ step }) => step !== lost?.step);
  if (lost) found.push({ step: lost.step, mark: "lost" });
  return found.sort((a, b) => a.step - b.step);
}

/** Return all cards of a finished round, and what was said about each gift. */
export function endOf(story: Story): RoundEnd {
  const all = journeys(story);
  return {
    columns: story.columns,
    claims: Object.fromEntries(all.map(({ gift, path }) => [gift, path.at(-1)!.claim])),
    lies: Object.fromEntries(all.map((journey) => [journey.gift, believedLies(journey)])),
  };
}

export interface Journey {
  gift: string;
  path: Pick<Offer, "step" | "giver" | "receiver" | "claim" | "refused">[];
}

/** Return each gift's path from seat to seat with the claims about it, the longest first. */
export function journeys(story: Story): Journey[] {
  const paths = new Map<string, Journey["path"]>();
  for (const { step, giver, receiver, claim, gift, refused } of offersOf(story)) {
    paths.set(gift, [...(paths.get(gift) ?? []), { step, giver, receiver, claim, refused }]);
  }
  return [...paths].map(([gift, path]) => ({ gift, path })).sort((a, b) => b.path.length - a.path.length);
}

function believedLies({ gift, path }: Journey): number {
  return path.filter(({ claim, refused }) => claim !== gift && !refused).length;
}

/** Return the journey of the gift that travelled furthest under a wrong name, from there on; without lies, that of a
 * true claim that was refused. */
export function bestJourney(story: Story): Journey | null {
  const isCaught = ({ path }: Journey): number => Number(path.at(-1)!.refused);
  const all = journeys(story);
  const lies = all.flatMap(({ gift, path }): Journey[] => {
    const first = path.findIndex(({ claim }) => claim !== gift);
    return first < 0 ? [] : [{ gift, path: path.slice(first) }];
  });
  const [best] = lies.sort(
    (a, b) => believedLies(b) - believedLies(a) || isCaught(b) - isCaught(a) || b.path.length - a.path.length,
  );
  const doubted = all.find(isCaught);
  return best ?? (doubted ? { ...doubted, path: doubted.path.slice(-1) } : null);
}

type BestMove = { kind: "long" | "caught" | "lie" | "thanks" | "clean"; n: number; gift: string; claim: string };

/** Return a seat's best move in this round, if there was one. */
export function bestMoveOf(story: Story, seat: number): BestMove | null {
  const done = decisions(story, seat);
  const best = (of: Decision[]): Decision | undefined => of.sort((a, b) => b.passes - a.passes || b.ago - a.ago)[0];
  const move = (kind: BestMove["kind"], { gift, claim }: Decision, n: number): BestMove => ({ kind, n, gift, claim });
  const caught = best(done.filter(({ kind, right }) => kind === "doubted" && right));
  const long = best(done.filter(({ kind, right, ago }) => kind === "named" && right && ago > 4));
  const lie = best(done.filter(({ kind, right, believed }) => kind === "named" && !right && believed));
  const thanked = done.filter(({ kind, right }) => kind === "thanked" && right);
  if (long && long.passes > 0) return move("long", long, long.passes);
  if (caught) return move("caught", caught, caught.passes);
  if (lie) return move("lie", lie, lie.passes);
  if (long) return move("long", long, 1);
  if (story.scores[seat] === 0 && !story.ended_early) return { kind: "clean", n: 0, gift: "", claim: "" };
  return thanked.length > 0 ? move("thanks", thanked[0]!, thanked.length) : null;
}

/** Return a sign for each decision. It names no gift. */
export function signs(story: Story, seat: number): string {
  return decisions(story, seat)
    .map(({ kind, right, believed }) => (right ? "🟩" : kind === "named" && believed ? "🟨" : "🟥"))
    .join("");
}

/** Whether the user believed the claim of a turn. */
export type Votes = Record<number, boolean>;

/** Count this player's votes on the claims of others, and the right ones. */
export function countVotes(story: Story, seat: number, votes: Votes): { votes: number; right: number } {
  const count = { votes: 0, right: 0 };
  for (const { events, gift, view } of story.steps)
    for (const event of events) {
      if (event.event !== "offered" || event.giver === seat || event.claim === null || !(view.turn in votes)) continue;
      count.votes += 1;
      if (votes[view.turn] === (event.claim === gift)) count.right += 1;
    }
  return count;
}
