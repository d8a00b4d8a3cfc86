// A player's votes on other players' claims: the answer at a reveal, and the count from the story of a finished round.

import type { Story } from "../made/wire.ts";

/** Whether the user believed the claim of a turn. */
export type Votes = Record<number, boolean>;

export type VoteAnswer = "knew" | "fooled" | "fooled_too";

/** Judge a vote by the gift that was revealed, always after a refusal: at a true claim the receiver was fooled, too. */
export function answerVote(believed: boolean, isTrue: boolean): VoteAnswer {
  if (believed === isTrue) return "knew";
  return isTrue ? "fooled_too" : "fooled";
}

export interface VoteCount {
  votes: number;
  right: number;
}

export function countVotes(story: Story, seat: number, votes: Votes = {}): VoteCount {
  const count: VoteCount = { votes: 0, right: 0 };
  for (const { events, gift, view } of story.steps)
    for (const event of events) {
      if (event.event !== "offered" || event.giver === seat || event.claim === null || !(view.turn in votes)) continue;
      count.votes += 1;
      if (votes[view.turn] === (event.claim === gift)) count.right += 1;
    }
  return count;
}
