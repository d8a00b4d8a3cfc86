import { describe, expect, it } from "vitest";
import { StateReplay, statesOf } from "../../src/game/stateReplay.ts";
import type { State, Story, TableView } from "../../src/made/wire.ts";

const view = { code: "K7QX", stage: "over", seats: [], options: {}, round: null } as unknown as TableView;
const story = {
  options: { pace: "brisk" },
  first: { turn: 0 },
  steps: [
    { view: { turn: 1 }, events: [{ event: "drawn" }] },
    { view: { turn: 2 }, events: [{ event: "wrapped" }] },
  ],
} as unknown as Story;

function record(): { replay: StateReplay; states: State[] } {
  const states: State[] = [];
  return { replay: new StateReplay(statesOf(story, view, [1]), (state) => states.push(state)), states };
}

describe("StateReplay", () => {
  it("begins with the table at the start of the round", () => {
    const { states } = record();
    expect(states).toHaveLength(1);
    const start = { code: "K7QX", stage: "play", options: { pace: "brisk" }, round: { turn: 0 } };
    expect(states[0]).toMatchObject({ you: [1], may: [], happened: [], view: start });
  });

  it("sends events only for a step forward", () => {
    const { replay, states } = record();
    for (const at of [1, 2, 1, 0, 2, 9]) replay.seek(at);
    const seen = states.map(({ view, happened }) => [view.round!.turn, happened.length]);
    expect(seen).toEqual([[0, 0], [1, 1], [2, 1], [1, 0], [0, 0], [2, 0]]);
  });
});
