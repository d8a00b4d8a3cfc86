// A gentle ramp: whoever has beaten a level twice is offered the next.

import { LEVELS } from "./wire.ts";

const ENOUGH = 2; // wins

/** The next level, when one has been beaten twice; null while there is still something to learn here. */
export function nextLevel(level: string, won: number): string | null {
  return won >= ENOUGH ? (LEVELS[LEVELS.indexOf(level as (typeof LEVELS)[number]) + 1] ?? null) : null;
}
