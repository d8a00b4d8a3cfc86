// A sleeve is no finger: what is touched by accident does nothing, and what is done can be taken back for a moment.

import { settings } from "../../app/settings.svelte.ts";
import type { GuestCommand } from "../../wire.ts";

const MOMENT = 1400;
const FINGER = 64; // pixels: what touches with more than that is a hand, a sleeve or a cup
const TAP = 700; // milliseconds: what lies longer does not tap

export interface Touch {
  kind: string; // "mouse", "pen", "touch"; empty for a keyboard
  at: number;
  wide: number;
}

/** Whether a touch that ends now was meant. */
export function meant(touch: Touch | null, now: number): boolean {
  if (touch?.kind !== "touch") return true;
  return touch.wide <= FINGER && now - touch.at <= TAP;
}

/** Keeps touches that nobody meant from whatever lies below. */
export function sleeves(table: HTMLElement): () => void {
  let touch: Touch | null = null;
  const down = ({ pointerType, timeStamp, width, height }: PointerEvent): void => {
    touch = { kind: pointerType, at: timeStamp, wide: Math.max(width, height) };
  };
  const click = (event: MouseEvent): void => {
    const byKey = event.detail === 0;
    if (!byKey && !meant(touch, event.timeStamp)) {
      event.preventDefault();
      event.stopPropagation();
    }
    touch = null;
  };
  table.addEventListener("pointerdown", down, true);
  table.addEventListener("click", click, true);
  return () => {
    table.removeEventListener("pointerdown", down, true);
    table.removeEventListener("click", click, true);
  };
}

/** A move that waits a moment before it is made. */
export class Careful {
  waiting = $state.raw<{ seat: number; command: GuestCommand } | null>(null);
  readonly ms = MOMENT;
  readonly #send: (command: GuestCommand) => void;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(send: (command: GuestCommand) => void) {
    this.#send = send;
  }

  do(seat: number, command: GuestCommand): void {
    this.takeBack();
    if (!settings.takeBack) return this.#send(command);
    this.waiting = { seat, command };
    this.#timer = setTimeout(this.now, MOMENT);
  }

  now = (): void => {
    const waiting = this.waiting;
    this.takeBack();
    if (waiting) this.#send(waiting.command);
  };

  takeBack = (): void => {
    clearTimeout(this.#timer);
    this.waiting = null;
  };
}
