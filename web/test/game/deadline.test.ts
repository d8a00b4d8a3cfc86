import { beforeEach, expect, it, vi } from "vitest";
import { startDeadline, timeLeft } from "../../src/game/deadline.ts";
import { applyDelta } from "../../src/net/connection.ts";
import { shrinkWith } from "../../src/views/table/countdown.svelte.ts";
import type { TableView } from "../../src/made/wire.ts";

interface Animation {
  from: number;
  ms: number;
}
const table = (seconds: number, turn = 3, more: object = {}): TableView =>
  ({
    seats: [{ kind: "person" }, { kind: "bot" }],
    options: { patience_seconds: 20, show_seconds: 3 },
    deadline: { for: 0, seconds },
    round: { turn, phase: { name: "give" } },
    ...more,
  }) as unknown as TableView;

/** Return the animation of a bar that is shown now: its first width and its duration. */
function bar({ deadline }: TableView): Animation {
  let seen: Animation = { from: -1, ms: -1 };
  shrinkWith(deadline!)({
    animate: ([first]: { transform: string }[], { duration }: { duration: number }) => {
      seen = { from: Number(/[\d.]+/.exec(first!.transform)![0]), ms: duration };
      return { cancel: () => undefined };
    },
  } as unknown as HTMLElement);
  return seen;
}

beforeEach(() => vi.useFakeTimers({ toFake: ["performance"] }));

it("a deadline runs from its arrival, not from its display", () => {
  const view = table(20);
  startDeadline(view, null);
  vi.advanceTimersByTime(3400);
  expect(timeLeft(view.deadline)).toBe(16_600);
  expect(bar(view)).toEqual({ from: 0.83, ms: 16_600 });
  vi.advanceTimersByTime(20_000);
  expect(bar(view)).toEqual({ from: 0, ms: 0 });
});

it("it continues during a turn and restarts with the next", () => {
  const first = table(24); // extended for an absent player
  const emoted = table(6);
  const next = table(20, 4);
  startDeadline(first, null);
  startDeadline(emoted, first);
  startDeadline(next, emoted);
  expect([first, emoted, next].map((view) => bar(view).from)).toEqual([1, 0.25, 1]);
});

it("a late guest sees the elapsed part, at every pace", () => {
  const late = table(5);
  const quick = table(0.4, 3, { speed: 25 });
  startDeadline(late, null);
  startDeadline(quick, null);
  expect([late, quick].map((view) => bar(view).from)).toEqual([0.25, 0.5]);
});

it("an open gift and a computer's wait start full (3.2)", () => {
  const open = table(3, 3, { round: { turn: 3, phase: { name: "wrap" } } });
  const look = table(12, 0, { deadline: { for: 1, seconds: 12 } });
  startDeadline(open, null);
  startDeadline(look, null);
  expect([open, look].map((view) => bar(view).from)).toEqual([1, 1]);
  const lesson = { ...open, deadline: { for: 0, seconds: 2 } }; // never started
  expect(bar(lesson)).toEqual({ from: 1, ms: 2000 });
});

it("a speed that a delta removed is normal again", () => {
  const before = { v: 1, view: table(20, 3, { speed: 1.5 }), happened: [], you: [], may: [] };
  const changed = { speed: null, deadline: { for: 0, seconds: 5 } };
  const { view } = applyDelta(before, { v: 2, changed, happened: [] });
  startDeadline(view, null);
  expect(bar(view)).toEqual({ from: 0.25, ms: 5000 });
});
