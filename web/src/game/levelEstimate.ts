// Estimates a player's level: the computer players' level whose right and wrong claims are most like theirs.

import { LEVELS } from "../made/wire.ts";
import type { Decision } from "./claimHistory.ts";

export type Level = (typeof LEVELS)[number];

// Share of right claims by moves since the gift was last seen.
// Measured in 150 games per level of four computer players with the classic deck (`notahat_lab.game.play_out`).
const EDGES = [5, 9, 15, 24];
const RIGHT: Record<Level, number[]> = {
  goldfish: [0.99, 0.81, 0.71, 0.69, 0.55],
  casual: [0.99, 0.9, 0.83, 0.82, 0.73],
  regular: [0.99, 0.94, 0.89, 0.89, 0.89],
  elephant: [0.99, 0.94, 0.91, 0.92, 0.96],
};
const MIN_CLAIMS = 3;
const MIN_SURE = 0.7;
const LOST = 3; // penalties that end a round

type Claim = Pick<Decision, "kind" | "right" | "ago">;

/** Return the likeliest level and its probability; null if it is not sure, or too good for this many penalties. */
export function estimateLevel(decisions: Claim[], penalties: number): { level: Level; sure: number } | null {
  const named = decisions.filter(({ kind, ago }) => kind === "named" && ago > EDGES[0]!);
  if (named.length < MIN_CLAIMS) return null;
  const weights = LEVELS.map((level) => named.reduce((weight, claim) => weight * likelihood(level, claim), 1));
  const sum = weights.reduce((total, weight) => total + weight, 0);
  const best = weights.indexOf(Math.max(...weights));
  const [level, sure] = [LEVELS[best]!, weights[best]! / sum];
  return sure < MIN_SURE || (level === "elephant" && penalties >= LOST) ? null : { level, sure };
}

function likelihood(level: Level, { ago, right }: Claim): number {
  const p = RIGHT[level][EDGES.filter((edge) => ago > edge).length]!;
  return right ? p : 1 - p;
}
