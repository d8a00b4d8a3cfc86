// How long the table waits: the same for every line and figure, and from when it was told.

import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { left, noted, running } from "../../src/game/deadline.ts";
import type { TableView } from "../../src/wire.ts";

interface Shrinking {
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

/** What a line begins with when it is drawn now, and how long it takes to be gone. */
function line({ deadline }: TableView): Shrinking {
  let seen: Shrinking = { from: -1, ms: -1 };
  running(deadline!)({
    animate: ([first]: { transform: string }[], { duration }: { duration: number }) => {
      seen = { from: Number(/[\d.]+/.exec(first!.transform)![0]), ms: duration };
      return { cancel: () => undefined };
    },
  } as unknown as HTMLElement);
  return seen;
}

beforeEach(() => vi.useFakeTimers({ toFake: ["performance"] }));
afterEach(() => vi.useRealTimers());

it("runs from when it was told, though scenes are shown first", () => {
  const view = table(20);
  noted(view, null);
  vi.advanceTimersByTime(3400);
  expect(left(view.deadline)).toBe(16_600);
  expect(line(view)).toEqual({ from: 0.83, ms: 16_600 });
  vi.advanceTimersByTime(20_000);
  expect(line(view)).toEqual({ from: 0, ms: 0 });
});

it("goes on where it was when somebody waves, and begins anew with the next move", () => {
  const first = table(24); // somebody was given time to come back
  const waved = table(6);
  const next = table(20, 4);
  noted(first, null);
  noted(waved, first);
  noted(next, waved);
  expect([first, waved, next].map((view) => line(view).from)).toEqual([1, 0.25, 1]);
});

it("shows who comes late how much is over, at every pace", () => {
  const late = table(5);
  const quick = table(0.4, 3, { speed: 25 });
  noted(late, null);
  noted(quick, null);
  expect([late, quick].map((view) => line(view).from)).toEqual([0.25, 0.5]);
});

it("is full for what was not agreed on: an open gift, and a computer that lets people look (3.2)", () => {
  const open = table(3, 3, { round: { turn: 3, phase: { name: "wrap" } } });
  const look = table(12, 0, { deadline: { for: 1, seconds: 12 } });
  noted(open, null);
  noted(look, null);
  expect([open, look].map((view) => line(view).from)).toEqual([1, 1]);
  expect(line({ ...open, deadline: { for: 0, seconds: 2 } })).toEqual({ from: 1, ms: 2000 }); // of a lesson: nobody told it
});
