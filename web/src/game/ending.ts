// The ending of a round or match as data: who is large, how the others rank, their moods, and who wants to go on.

import type { Chair, TableView } from "../made/wire.ts";
import type { Mood } from "./moods.ts";

/** A player at the end. Equal points have the same place. */
export interface Standing {
  seat: number;
  chair: Chair;
  points: number;
  place: number; // from 1
  mood: Mood;
  crowned: boolean;
}

export interface Outcome {
  winners: number[];
  rest: number[]; // who did not win
  losers: number[]; // of the rest, those with most points
  isFinal: boolean; // of the match
}

/** Return who won and lost the match if it is over, else the round. */
export function outcomeOf(view: TableView, isFinal = view.stage === "over"): Outcome {
  const winners = (isFinal ? view.match?.winners : undefined) ?? view.round?.winners ?? [];
  const points = pointsOf(view, isFinal);
  const rest = [...points.keys()].filter((seat) => winners.length > 0 && !winners.includes(seat));
  const losers = rest.filter((seat) => points[seat] === Math.max(...points));
  return { winners, rest, losers, isFinal };
}

/** Return all players, best first, as two groups: the winners, who are shown large, and the others. */
export function podiumOf(view: TableView): { large: Standing[]; others: Standing[] } {
  const { winners, losers, isFinal } = outcomeOf(view);
  const points = pointsOf(view, isFinal);
  const worst = Math.max(...points);
  const all = view.seats.map((chair, seat): Standing => {
    const own = points[seat]!;
    const crowned = winners.includes(seat);
    const lost = losers.includes(seat) ? "done" : own >= worst - 1 ? "worried" : "relieved";
    const mood = crowned ? "laughing" : chair.away ? "asleep" : lost;
    return { seat, chair, points: own, place: points.filter((other) => other < own).length + 1, mood, crowned };
  });
  const ranked = all.sort((a, b) => a.points - b.points || a.seat - b.seat);
  return { large: ranked.filter(({ crowned }) => crowned), others: ranked.filter(({ crowned }) => !crowned) };
}

function pointsOf({ seats, match, round }: TableView, isFinal: boolean): number[] {
  const totals = (isFinal && match?.totals) || [];
  return seats.map((_, seat) => totals[seat] ?? round?.seats[seat]?.penalties.length ?? 0);
}

/** Return the people who were asked whether to go on, and those of them who want to. */
export function votesOf({ seats, stage }: TableView): { asked: number[]; ready: number[] } {
  const vote = ({ ready, again }: Chair): boolean | undefined => (stage === "over" ? again : ready);
  const asked = [...seats.keys()].filter((seat) => vote(seats[seat]!) !== undefined && !seats[seat]!.gone);
  return { asked, ready: asked.filter((seat) => vote(seats[seat]!)) };
}
