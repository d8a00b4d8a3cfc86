// The user's votes on the claims of one round, by turn, in localStorage.

import type { Votes } from "../game/voteStats.ts";
import { readStored, writeStored } from "./storage.ts";

interface RoundVotes {
  code: string;
  round: number;
  turns: Votes;
}

const KEY = "notahat-thumbs";

export function readVotes(code: string, round: number): Votes {
  const stored = readStored<RoundVotes | null>(KEY, null);
  return stored?.code === code && stored.round === round ? stored.turns : {};
}

export function saveVote(code: string, round: number, turn: number, believed: boolean): void {
  writeStored(KEY, { code, round, turns: { ...readVotes(code, round), [turn]: believed } } satisfies RoundVotes);
}
