// A bar that shrinks as time runs out.

import { timeLeft, totalTime } from "../../game/deadline.ts";
import type { Deadline } from "../../made/wire.ts";

/** Attach to the bar of a deadline. */
export function shrinkWith(deadline: Deadline): (bar: HTMLElement) => () => void {
  return (bar) => shrinkBar(bar, timeLeft(deadline), totalTime(deadline));
}

export function shrinkBar(bar: HTMLElement, ms: number, total = ms): () => void {
  const from = total > 0 ? ms / total : 0;
  const frames = [{ transform: `scaleX(${from})` }, { transform: "scaleX(0)" }];
  const animation = bar.animate(frames, { duration: ms, fill: "both" });
  return () => animation.cancel();
}
