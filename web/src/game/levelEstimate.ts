// Whom somebody remembers like: the level of computer player whose hits and misses theirs are most like.

import { LEVELS } from "../wire.ts";
import type { Decision } from "./claimHistory.ts";

export type Level = (typeof LEVELS)[number];

// How often each names a wrapped gift rightly, so many moves after it was last seen: tools/likeness.py, 150 games a level.
const EDGES = [5, 9, 15, 24];
const RIGHT: Record<Level, number[]> = {
  goldfish: [0.99, 0.91, 0.72, 0.71, 0.56],
  casual: [0.99, 0.97, 0.89, 0.84, 0.84],
  regular: [0.99, 0.98, 0.92, 0.9, 0.94],
  elephant: [0.99, 0.99, 0.96, 0.94, 0.97],
};
const FEWEST = 3;

/** The likeliest level, and how sure that is (0 to 1); null after too few gifts that could have been forgotten. */
export function likeness(done: Pick<Decision, "kind" | "right" | "ago">[]): { level: Level; sure: number } | null {
  const named = done.filter(({ kind, ago }) => kind === "named" && ago > EDGES[0]!);
  if (named.length < FEWEST) return null;
  const weights = LEVELS.map((level) => named.reduce((weight, { ago, right }) => weight * chance(level, ago, right), 1));
  const sum = weights.reduce((total, weight) => total + weight, 0);
  const best = weights.indexOf(Math.max(...weights));
  return { level: LEVELS[best]!, sure: weights[best]! / sum };
}

function chance(level: Level, ago: number, right: boolean): number {
  const p = RIGHT[level][EDGES.filter((edge) => ago > edge).length]!;
  return right ? p : 1 - p;
}
