// A spectator's or player's votes on other players' claims, compared with the story of a finished round.

import type { Story } from "../wire.ts";

/** Whether the user believed the claim of a turn. */
export type Votes = Record<number, boolean>;

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
