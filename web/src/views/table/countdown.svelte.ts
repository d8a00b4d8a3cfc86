// The time left until a deadline: seconds, a warning for the last ones, and bars that shrink.

import type { Deadline } from "../../made/wire.ts";
import { words } from "../../words/words.svelte.ts";
import { timeLeft, totalTime } from "../../game/deadline.ts";

const LAST_SECONDS = 5;
const INTERVAL_MS = 200;

export class Countdown {
  left = $state(0); // in seconds; Infinity without a deadline
  #warnedAt = $state<number | null>(null);
  readonly few = $derived(this.left <= LAST_SECONDS);
  /** It is constant, so that it is spoken once. */
  readonly warning = $derived(this.#warnedAt === null ? "" : words.say("give.hurry", { n: this.#warnedAt }));

  constructor(deadline: () => Deadline | null) {
    const seconds = (): number => Math.ceil(timeLeft(deadline()) / 1000);
    this.left = seconds(); // effects run after the first drawing
    $effect(() => {
      const update = (): void => {
        this.left = seconds();
        this.#warnedAt = this.few ? (this.#warnedAt ?? this.left) : null;
      };
      update();
      const timer = setInterval(update, INTERVAL_MS);
      return () => clearInterval(timer);
    });
  }
}

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
