// Guards a tablet on the table against accidents: wide or long touches do nothing, and a move can be taken back.

import { on } from "svelte/events";
import { settings } from "../../app/settings.svelte.ts";
import type { GuestCommand } from "../../made/wire.ts";

const TAKE_BACK_MS = 2000;
const TAKEN_BACK = new Set<GuestCommand["do"]>(["give", "accept", "refuse"]);
const MAX_TOUCH_PX = 64; // a wider contact is a hand, a sleeve or a cup
const MAX_TAP_MS = 700;

export interface Touch {
  kind: string; // "mouse", "pen", "touch"; empty for a keyboard
  at: number;
  width: number;
}

/** Return whether a touch that ends now was a tap with a finger. */
export function isIntended(touch: Touch | null, now: number): boolean {
  if (touch?.kind !== "touch") return true;
  return touch.width <= MAX_TOUCH_PX && now - touch.at <= MAX_TAP_MS;
}

/** Stop clicks that come from accidental touches. */
export function ignoreAccidentalTouches(table: HTMLElement): () => void {
  let touch: Touch | null = null;
  const onDown = ({ pointerType, timeStamp, width, height }: PointerEvent): void => {
    touch = { kind: pointerType, at: timeStamp, width: Math.max(width, height) };
  };
  const onClick = (event: MouseEvent): void => {
    const byKey = event.detail === 0;
    if (!byKey && !isIntended(touch, event.timeStamp)) {
      event.preventDefault();
      event.stopPropagation();
    }
    touch = null;
  };
  const capture = { capture: true };
  const ends = [on(table, "pointerdown", onDown, capture), on(table, "click", onClick, capture)];
  return () => ends.forEach((end) => end());
}

/** A move that is said at once and sent after a delay, unless it is taken back: a sent refusal opens the card. It stays
 * said until its answer is shown. */
export class DelayedMove {
  waiting = $state.raw<{ seat: number; command: GuestCommand; sent?: true } | null>(null);
  readonly ms = TAKE_BACK_MS;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly send: (command: GuestCommand) => void) {}

  do(seat: number, command: GuestCommand): void {
    this.takeBack();
    if (!settings.takeBack || !TAKEN_BACK.has(command.do)) return this.send(command);
    this.waiting = { seat, command };
    this.#timer = setTimeout(() => {
      this.waiting = { seat, command, sent: true };
      this.send(command);
    }, TAKE_BACK_MS);
  }

  takeBack = (): void => {
    clearTimeout(this.#timer);
    this.waiting = null;
  };
}
