// What somebody did with what they remembered, move by move, read from the story of a finished round.

import type { Moment, Story, View } from "../wire.ts";

export interface Decision {
  step: number; // where in the story
  kind: "named" | "thanked" | "doubted";
  right: boolean;
  ago: number; // moves since the gift was last seen
  passes: number; // how often it has changed hands since
  took: number; // seconds
  gift: string;
  claim: string;
  believed: boolean; // what was said was taken for true
}

interface Offer {
  step: number;
  giver: number;
  receiver: number;
  claim: string;
  gift: string;
  ago: number;
  passes: number;
  took: number;
}

/** Every claim of a round with what became of it; spoken ones are nobody's to judge here. */
export function offers(story: Story): { offer: Offer; answer: Moment | undefined }[] {
  const seen = new Map<string, { at: number; passes: number }>();
  look(story.first, 0, seen);
  const found: { offer: Offer; answer: Moment | undefined }[] = [];
  story.steps.forEach((moment, step) => {
    const { gift, took } = moment;
    for (const event of moment.events) {
      const known = (gift && seen.get(gift)) || { at: step, passes: 0 };
      if (event.event === "offered" && event.claim !== null && gift !== null) {
        const { giver, receiver, claim } = event;
        const offer = { step, giver, receiver, claim, gift, ago: step - known.at, passes: known.passes, took };
        found.push({ offer, answer: story.steps[step + 1] });
      }
      if (event.event === "accepted" && gift) seen.set(gift, { ...known, passes: known.passes + 1 });
    }
    look(moment.view, step + 1, seen);
  });
  return found;
}

/** What lies open, in columns or in a giver's hand, is seen. */
function look(view: View, at: number, seen: Map<string, { at: number; passes: number }>): void {
  const cards = view.seats.flatMap(({ column }) => column);
  if (view.phase.name === "wrap") cards.push(view.phase.card);
  for (const card of cards) if (card.face === "up") seen.set(card.gift, { at, passes: 0 });
}

export function decisions(story: Story, seat: number): Decision[] {
  return offers(story).flatMap(({ offer, answer }): Decision[] => {
    const { step, giver, receiver, gift, claim, ago, passes, took } = offer;
    const refused = answer?.events.some(({ event }) => event === "refused") ?? false;
    const known = { gift, claim, ago, passes, believed: !refused };
    if (giver === seat && story.steps[step]!.by === "person") return [{ ...known, step, took, kind: "named", right: claim === gift }];
    if (receiver !== seat || answer?.by !== "person") return [];
    const right = refused === (claim !== gift);
    return [{ ...known, step: step + 1, took: answer.took, kind: refused ? "doubted" : "thanked", right }];
  });
}

export type Mark = { step: number; mark: "lie" | "doubt" | "lost" };

/** Lies, wrong doubts, and where somebody lost it: the first time they were wrong. */
export function marks(story: Story, seat: number | undefined): Mark[] {
  const told = offers(story).flatMap(({ offer, answer }): Mark[] => {
    const refused = answer?.events.some(({ event }) => event === "refused") ?? false;
    const false_ = offer.claim !== offer.gift;
    if (false_) return [{ step: offer.step, mark: "lie" as const }];
    return refused ? [{ step: offer.step + 1, mark: "doubt" as const }] : [];
  });
  const lost = seat === undefined ? undefined : decisions(story, seat).find(({ right }) => !right);
  const rest = told.filter(({ step }) => step !== lost?.step);
  return [...rest, ...(lost ? [{ step: lost.step, mark: "lost" as const }] : [])].sort((a, b) => a.step - b.step);
}

export interface Journey {
  gift: string;
  way: { step: number; giver: number; receiver: number; claim: string; refused: boolean }[];
}

/** Each gift's way round the table, with what it was called. */
export function journeys(story: Story): Journey[] {
  const ways = new Map<string, Journey["way"]>();
  for (const { offer, answer } of offers(story)) {
    const { step, giver, receiver, claim, gift } = offer;
    const refused = answer?.events.some(({ event }) => event === "refused") ?? false;
    ways.set(gift, [...(ways.get(gift) ?? []), { step, giver, receiver, claim, refused }]);
  }
  return [...ways].map(([gift, way]) => ({ gift, way })).sort((a, b) => b.way.length - a.way.length);
}

export type Feat = { feat: "long" | "caught" | "lie" | "thanks" | "clean"; n: number; gift: string; claim: string };

/** The best that somebody did in this round; nothing where there was nothing. */
export function featOf(story: Story, seat: number): Feat | null {
  const done = decisions(story, seat);
  const best = (of: Decision[]): Decision | undefined => [...of].sort((a, b) => b.passes - a.passes || b.ago - a.ago)[0];
  const told = (feat: Feat["feat"], { gift, claim }: Decision, n: number): Feat => ({ feat, n, gift, claim });
  const caught = best(done.filter(({ kind, right }) => kind === "doubted" && right));
  const long = best(done.filter(({ kind, right, ago }) => kind === "named" && right && ago > 4));
  const lie = best(done.filter(({ kind, right, believed }) => kind === "named" && !right && believed));
  const thanked = done.filter(({ kind, right }) => kind === "thanked" && right);
  if (long && long.passes > 0) return told("long", long, long.passes);
  if (caught) return told("caught", caught, caught.passes);
  if (lie) return told("lie", lie, lie.passes);
  if (long) return told("long", long, 1);
  if (story.scores[seat] === 0 && !story.ended_early) return { feat: "clean", n: 0, gift: "", claim: "" };
  return thanked.length > 0 ? told("thanks", thanked[0]!, thanked.length) : null;
}

/** A day's result without what it was about: a sign for each decision. */
export function signs(story: Story, seat: number): string {
  return decisions(story, seat)
    .map(({ kind, right, believed }) => (right ? "🟩" : kind === "named" && believed ? "🟨" : "🟥"))
    .join("");
}
