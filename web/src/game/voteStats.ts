// What somebody would have believed of others, counted from the story of a finished round.

import type { Thumbs } from "../app/votes.ts";
import type { Story } from "../wire.ts";

export interface Watched {
  watched: number;
  watchedRightly: number;
}

export function memoryOf(story: Story, seat: number, thumbs: Thumbs = {}): Watched {
  const memory: Watched = { watched: 0, watchedRightly: 0 };
  for (const { events, gift, view } of story.steps)
    for (const event of events) {
      if (event.event !== "offered" || event.giver === seat || event.claim === null || !(view.turn in thumbs)) continue;
      memory.watched += 1;
      if (thumbs[view.turn] === (event.claim === gift)) memory.watchedRightly += 1;
    }
  return memory;
}
