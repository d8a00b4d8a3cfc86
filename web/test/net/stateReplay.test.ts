import { describe, expect, it } from "vitest";
import type { GuestCommand, State, Story, TableView } from "../../src/wire.ts";
import { statesOf, StateReplay } from "../../src/net/stateReplay.ts";

const view = { code: "K7QX", stage: "over", seats: [], options: {}, round: null } as unknown as TableView;
const story = {
  options: { pace: "brisk" },
  first: { turn: 0 },
  steps: [
    { view: { turn: 1 }, events: [{ event: "drawn" }] },
    { view: { turn: 2 }, events: [{ event: "wrapped" }] },
  ],
} as unknown as Story;

function replay(onCommand?: (command: GuestCommand) => void): { replay: StateReplay; states: State[]; statuses: string[] } {
  const states: State[] = [];
  const statuses: string[] = [];
  const listener = { state: (state: State) => states.push(state), refused: () => undefined, status: (status: string) => statuses.push(status) };
  return { replay: new StateReplay(statesOf(story, view, [1]), listener, onCommand), states, statuses };
}

describe("StateReplay", () => {
  it("opens like a connection with the first state", () => {
    const { states, statuses } = replay();
    expect(statuses).toEqual(["open"]);
    expect(states[0]).toMatchObject({ you: [1], may: [], happened: [], view: { code: "K7QX", stage: "play", options: { pace: "brisk" }, round: { turn: 0 } } });
  });

  it("sends events only for a step forward", () => {
    const { replay: connection, states } = replay();
    for (const at of [1, 2, 1, 0, 2, 9]) connection.seek(at);
    expect(states.map(({ view, happened }) => [view.round!.turn, happened.length])).toEqual([[0, 0], [1, 1], [2, 1], [1, 0], [0, 0], [2, 0]]);
  });

  it("passes commands on and does not move by itself", () => {
    const commands: GuestCommand[] = [];
    const { replay: connection, states } = replay((command) => commands.push(command));
    connection.send({ do: "draw", turn: 0 });
    connection.send({ do: "accept", turn: 0 });
    expect(commands.map(({ do: what }) => what)).toEqual(["draw", "accept"]);
    expect(states.length).toBe(1);
  });
});
