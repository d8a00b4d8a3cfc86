// How long the table still waits: one measure for every line and figure. A state may lie in a queue while older scenes are shown:
// its time runs from when it came.

import type { Deadline, TableView } from "../wire.ts";

interface Time {
  ends: number;
  whole: number; // of how many milliseconds
}
const times = new WeakMap<Deadline, Time>();

/** A state came in: note when its time will be up. A wait that goes on, whatever was said meanwhile, is as long as it was. */
export function noted(view: TableView, before: TableView | null): void {
  const { deadline } = view;
  if (!deadline) return;
  const ms = deadline.seconds * 1000;
  const goesOn = before?.deadline?.for === deadline.for && before.round?.turn === view.round?.turn;
  const whole = Math.max(ms, agreed(view, deadline), goesOn ? timeOf(before.deadline!).whole : 0);
  times.set(deadline, { ends: performance.now() + ms, whole });
}

/** How many milliseconds are left; without a deadline, all the time in the world. */
export function left(deadline: Deadline | null): number {
  return deadline ? Math.max(0, timeOf(deadline).ends - performance.now()) : Infinity;
}

/** A line is as much of itself as is left of the time, and shrinks with it. */
export function running(deadline: Deadline): (line: HTMLElement) => () => void {
  return (line) => shrinking(line, left(deadline), timeOf(deadline).whole);
}

export function shrinking(line: HTMLElement, ms: number, whole = ms): () => void {
  const from = whole > 0 ? ms / whole : 0;
  const shrinks = line.animate([{ transform: `scaleX(${from})` }, { transform: "scaleX(0)" }], { duration: ms, fill: "both" });
  return () => shrinks.cancel();
}

function timeOf(deadline: Deadline): Time {
  const ms = deadline.seconds * 1000;
  const time = times.get(deadline) ?? { ends: performance.now() + ms, whole: ms };
  times.set(deadline, time);
  return time;
}

/** Whoever comes in the middle of a wait sees how much of it is over. */
function agreed({ options, round, seats, speed = 1 }: TableView, { for: seat }: Deadline): number {
  const patience = seats[seat]?.kind === "person" ? options.patience_seconds : 0;
  return ((round?.phase.name === "wrap" ? options.show_seconds : patience) * 1000) / speed;
}
