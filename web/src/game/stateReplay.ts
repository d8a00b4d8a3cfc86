// Replays the recorded states of a table.

import type { Chair, Options, State, Story, TableView, View } from "../made/wire.ts";

/** `at` is the index of the state shown last. */
export class StateReplay {
  at = -1;

  constructor(
    private readonly states: State[],
    private readonly onState: (state: State) => void,
  ) {
    this.seek(0);
  }

  /** Show another state. Events are included only for the next one, so only a step forward is animated. */
  seek(to: number): void {
    const state = this.states[to];
    if (!state) return;
    const isNext = to === this.at + 1;
    this.at = to;
    this.onState(isNext ? state : { ...state, happened: [] });
  }
}

/** Return the states of a finished round. `view` is the present view of its table. */
export function statesOf(story: Story, view: TableView, you: number[]): State[] {
  const then: TableView = { ...view, stage: "play", options: story.options, paused: false, deadline: null };
  const first: State = { v: 0, view: { ...then, round: story.first }, happened: [], you, may: [] };
  const later = story.steps.map(({ view: round, events }, i): State => {
    return { ...first, v: i + 1, view: { ...then, round }, happened: events };
  });
  return [first, ...later];
}

/** Return a view for a round that is replayed without its table. */
export function replayedView(round: View, seats: Chair[], options: Options): TableView {
  const people = { host: null, host_away: false, screen: false, seats, waiting: [], watching: 0, locked: false };
  return { code: "", ...people, stage: "play", paused: false, options, match: null, deadline: null, round };
}
