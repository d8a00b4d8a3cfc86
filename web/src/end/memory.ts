// How somebody remembered, counted from the story of a finished round.

import type { Thumbs } from "../table/thumbs.ts";
import type { Story } from "../wire.ts";

export interface Memory {
  given: number;
  namedRightly: number;
  refused: number;
  refusedRightly: number;
  believedWrongly: number;
  watched: number;
  watchedRightly: number;
}

export function memoryOf(story: Story, seat: number, thumbs: Thumbs = {}): Memory {
  const memory: Memory = { given: 0, namedRightly: 0, refused: 0, refusedRightly: 0, believedWrongly: 0, watched: 0, watchedRightly: 0 };
  let claim: string | null = null;
  for (const { events, gift, view } of story.steps)
    for (const event of events)
      switch (event.event) {
        case "offered":
          claim = event.claim;
          if (event.giver === seat && claim !== null) {
            memory.given += 1;
            if (claim === gift) memory.namedRightly += 1;
          } else if (claim !== null && view.turn in thumbs) {
            memory.watched += 1;
            if (thumbs[view.turn] === (claim === gift)) memory.watchedRightly += 1;
          }
          break;
        case "accepted":
          if (event.receiver === seat && claim !== null && claim !== gift) memory.believedWrongly += 1;
          break;
        case "refused":
          if (event.receiver === seat && event.claim !== null) {
            memory.refused += 1;
            if (event.claim !== event.gift) memory.refusedRightly += 1;
          }
          break;
      }
  return memory;
}
