// The user's votes on the claims of one round, by turn, and how many in a row were right here; in localStorage.

import type { Votes } from "../game/claimHistory.ts";
import { readStored, writeStored } from "./storage.ts";

interface TableVotes {
  code: string;
  round: number;
  turns: Votes;
  streak?: number; // right votes in a row, of those that a reveal answered
}

const KEY = "notahat-thumbs";

function stored(code: string): TableVotes | null {
  const votes = readStored<TableVotes | null>(KEY, null);
  return votes?.code === code ? votes : null;
}

export function readVotes(code: string, round: number): Votes {
  const votes = stored(code);
  return votes?.round === round ? votes.turns : {};
}

export function saveVote(code: string, round: number, turn: number, believed: boolean): void {
  const turns = { ...readVotes(code, round), [turn]: believed };
  writeStored(KEY, { code, round, turns, streak: stored(code)?.streak ?? 0 } satisfies TableVotes);
}

/** Count an answered vote. Return how many in a row were right. */
export function countAnswer(code: string, right: boolean): number {
  const votes = stored(code);
  if (!votes) return 0;
  const streak = right ? (votes.streak ?? 0) + 1 : 0;
  writeStored(KEY, { ...votes, streak } satisfies TableVotes);
  return streak;
}
