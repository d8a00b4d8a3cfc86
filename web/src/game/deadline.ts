// The one clock for every countdown. A state may wait while older scenes are shown: its time runs from its arrival.

import type { Deadline, TableView } from "../made/wire.ts";

interface Timer {
  ends: number;
  total: number; // in milliseconds
}
const timers = new WeakMap<Deadline, Timer>();

/** Start the clock of a state that has just arrived. A deadline that continues an earlier one keeps its total. */
export function startDeadline(view: TableView, before: TableView | null): void {
  const { deadline } = view;
  if (!deadline) return;
  const ms = deadline.seconds * 1000;
  const continues = before?.deadline?.for === deadline.for && before.round?.turn === view.round?.turn;
  const total = Math.max(ms, agreedTime(view, deadline), continues ? timerOf(before.deadline!).total : 0);
  timers.set(deadline, { ends: performance.now() + ms, total });
}

/** Return the milliseconds left; Infinity without a deadline. */
export function timeLeft(deadline: Deadline | null): number {
  return deadline ? Math.max(0, timerOf(deadline).ends - performance.now()) : Infinity;
}

export function totalTime(deadline: Deadline): number {
  return timerOf(deadline).total;
}

function timerOf(deadline: Deadline): Timer {
  const ms = deadline.seconds * 1000;
  const timer = timers.get(deadline) ?? { ends: performance.now() + ms, total: ms };
  timers.set(deadline, timer);
  return timer;
}

/** The full duration, for guests who connect in the middle of it. */
function agreedTime({ options, round, seats, speed }: TableView, { for: seat }: Deadline): number {
  const patience = seats[seat]?.kind !== "bot" ? options.patience_seconds : 0;
  return ((round?.phase.name === "wrap" ? options.show_seconds : patience) * 1000) / (speed ?? 1);
}
