// The seconds left until a deadline, and a warning for the last ones.

import type { Deadline } from "../../made/wire.ts";
import { words } from "../../words/words.svelte.ts";
import { timeLeft } from "../../game/deadline.ts";

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
