// A connection that replays the recorded states of a table.

import type { Connection, ConnectionListener } from "./connection.ts";
import type { GuestCommand, State, Story, TableView } from "../wire.ts";

/** `at` is the index of the state shown last. Commands go to `onCommand`. */
export class StateReplay implements Connection {
  at = -1;
  readonly #states: State[];
  readonly #listener: ConnectionListener;
  readonly #onCommand: (command: GuestCommand) => void;

  constructor(states: State[], listener: ConnectionListener, onCommand: (command: GuestCommand) => void = () => undefined) {
    this.#states = states;
    this.#listener = listener;
    this.#onCommand = onCommand;
    listener.status("open");
    this.seek(0);
  }

  /** Show another state. Events are included only for the next one, so only a step forward is animated. */
  seek(to: number): void {
    const state = this.#states[to];
    if (!state) return;
    const isNext = to === this.at + 1;
    this.at = to;
    this.#listener.state(isNext ? state : { ...state, happened: [] });
  }

  send(command: GuestCommand): undefined {
    this.#onCommand(command);
  }

  close(): void {}
}

/** Return the states of a finished round. `view` is the present view of its table. */
export function statesOf(story: Story, view: TableView, you: number[]): State[] {
  const then: TableView = { ...view, stage: "play", options: story.options, paused: false, deadline: null };
  const first: State = { v: 0, view: { ...then, round: story.first }, happened: [], you, may: [] };
  const later = story.steps.map((step, i) => ({ v: i + 1, view: { ...then, round: step.view }, happened: step.events, you, may: [] }));
  return [first, ...later];
}
