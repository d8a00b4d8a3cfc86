// How long the table still waits. A state may lie in a queue while older scenes are shown: its time runs from when it came.

import type { Deadline } from "../wire.ts";

const ends = new WeakMap<Deadline, number>();

/** A state came in: note when its time will be up. */
export function noted(deadline: Deadline | null): void {
  if (deadline) ends.set(deadline, performance.now() + deadline.seconds * 1000);
}

/** How many milliseconds are left; without a deadline, all the time in the world. */
export function left(deadline: Deadline | null): number {
  if (!deadline) return Infinity;
  const end = ends.get(deadline);
  return end === undefined ? deadline.seconds * 1000 : Math.max(0, end - performance.now());
}
