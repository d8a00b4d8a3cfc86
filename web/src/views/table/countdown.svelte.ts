// The last seconds of a wait, in figures and in words.

import type { Deadline } from "../../wire.ts";
import { words } from "../../words/words.svelte.ts";
import { left } from "../../game/deadline.ts";

const FEW = 5;
const LOOKS = 200;

export class Seconds {
  left = $state(Infinity);
  #few = $state<number | null>(null); // so many were left when they became few
  readonly few = $derived(this.left <= FEW);
  readonly hurry = $derived(this.#few === null ? "" : words.say("give.hurry", { n: this.#few })); // said once

  constructor(deadline: () => Deadline | null) {
    $effect(() => {
      const look = (): void => {
        this.left = Math.ceil(left(deadline()) / 1000);
        this.#few = this.left > FEW ? null : (this.#few ?? this.left);
      };
      look();
      const timer = setInterval(look, LOOKS);
      return () => clearInterval(timer);
    });
  }
}
