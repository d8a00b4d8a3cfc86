import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { wise, type Lesson } from "../../src/game/lesson.ts";
import type { GuestCommand, State, Story, TableView } from "../../src/wire.ts";
import { statesOf, Tale } from "../../src/net/replay.ts";

const view = { code: "K7QX", stage: "over", seats: [], options: {}, round: null } as unknown as TableView;
const story = {
  options: { pace: "brisk" },
  first: { turn: 0 },
  steps: [
    { view: { turn: 1 }, events: [{ event: "drawn" }] },
    { view: { turn: 2 }, events: [{ event: "wrapped" }] },
  ],
} as unknown as Story;

function heard(ordered?: (command: GuestCommand) => void): { tale: Tale; states: State[]; lines: string[] } {
  const states: State[] = [];
  const lines: string[] = [];
  const listener = { state: (state: State) => states.push(state), refused: () => undefined, line: (reach: string) => lines.push(reach) };
  return { tale: new Tale(statesOf(story, view, [1]), listener, ordered), states, lines };
}

describe("a tale", () => {
  it("is told by a line like any other, with the table as it stood then", () => {
    const { states, lines } = heard();
    expect(lines).toEqual(["open"]);
    expect(states[0]).toMatchObject({ you: [1], may: [], happened: [], view: { code: "K7QX", stage: "play", options: { pace: "brisk" }, round: { turn: 0 } } });
  });

  it("lets only who goes on see things happen", () => {
    const { tale, states } = heard();
    for (const at of [1, 2, 1, 0, 2, 9]) tale.tell(at);
    expect(states.map(({ view, happened }) => [view.round!.turn, happened.length])).toEqual([[0, 0], [1, 1], [2, 1], [1, 0], [0, 0], [2, 0]]);
  });

  it("hands on what is ordered", () => {
    const orders: GuestCommand[] = [];
    const { tale, states } = heard((command) => orders.push(command));
    tale.send({ do: "draw", turn: 0 });
    tale.send({ do: "accept", turn: 0 });
    expect(orders.map(({ do: what }) => what)).toEqual(["draw", "accept"]);
    expect(states.length).toBe(1); // going on is for who was told
  });
});

describe("the first game", () => {
  const { chapters, states } = JSON.parse(readFileSync(new URL("../../src/made/lesson.json", import.meta.url), "utf-8")) as Lesson;

  it("asks only for what the table lets you do there, and says something to whoever does another thing", () => {
    const asked = chapters.filter(({ order }) => order);
    expect(asked.map(({ chapter }) => chapter)).toEqual(["draw", "give", "accept", "give_oldest", "refuse", "thank", "memory", "doubt"]);
    for (const { order, at, hint } of asked) {
      const may = states[at]!.may.map(({ do: what }) => what);
      expect(may).toContain(order!.do);
      expect(hint !== "").toBe(may.length > 1 || order!.do === "give");
    }
  });

  it("goes on with the right answer and the true name alone", () => {
    const [give, accept] = ["give", "accept"].map((name) => chapters.find(({ chapter }) => chapter === name)!);
    expect(wise(give!, { do: "give", turn: 2, claim: "piano", to: 1 })).toBe(true);
    expect(wise(give!, { do: "give", turn: 2, claim: "violin", to: 1 })).toBe(false);
    expect(wise(accept!, { do: "refuse", turn: 6 })).toBe(false);
  });
});
