// A line to a table that was played before: it tells the states that table was in, one after the other.

import type { Line, Listener } from "./connection.ts";
import type { GuestCommand, State, Story, TableView } from "../wire.ts";

/** `at` is the state told last. Orders go to `ordered`, where somebody may go on with it. */
export class Tale implements Line {
  at = -1;
  readonly #states: State[];
  readonly #listener: Listener;
  readonly #ordered: (command: GuestCommand) => void;

  constructor(states: State[], listener: Listener, ordered: (command: GuestCommand) => void = () => undefined) {
    this.#states = states;
    this.#listener = listener;
    this.#ordered = ordered;
    listener.line("open");
    this.tell(0);
  }

  /** Tell another state. Only who goes on to the next one sees it happen; whoever jumps finds the present there. */
  tell(to: number): void {
    const state = this.#states[to];
    if (!state) return;
    const goesOn = to === this.at + 1;
    this.at = to;
    this.#listener.state(goesOn ? state : { ...state, happened: [] });
  }

  send(command: GuestCommand): undefined {
    this.#ordered(command);
  }

  close(): void {
    this.#listener.line("gone");
  }
}

/** A finished round as the states that its table was in: `view` is that table's own, of the present. */
export function statesOf(story: Story, view: TableView, you: number[]): State[] {
  const then: TableView = { ...view, stage: "play", options: story.options, paused: false, deadline: null };
  const first: State = { v: 0, view: { ...then, round: story.first }, happened: [], you, may: [] };
  const later = story.steps.map((step, i) => ({ v: i + 1, view: { ...then, round: step.view }, happened: step.events, you, may: [] }));
  return [first, ...later];
}
