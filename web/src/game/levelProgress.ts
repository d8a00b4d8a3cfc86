// A gentle ramp: whoever has beaten a level twice is offered the next.

import { LEVELS, type TableView } from "../wire.ts";

const ENOUGH = 2; // wins

interface Climb {
  level: string; // whom one plays against alone
  won: number; // how often since that was chosen
}

/** How all computer players at a table remember; nothing where they differ. */
export function levelOf({ seats }: Pick<TableView, "seats">): string {
  const levels = new Set(seats.flatMap(({ kind, level }) => (kind === "bot" ? [level ?? ""] : [])));
  return levels.size === 1 ? [...levels][0]! : "";
}

/** How many wins there are after a game alone. One against others than usual counts for nothing. */
export function counted({ level, won }: Climb, played: string, wins: boolean): number {
  return wins && played === level ? won + 1 : won;
}

/** The next level, when this one has been beaten twice; null while there is still something to learn here. */
export function nextLevel({ level, won }: Climb, played: string): string | null {
  if (won < ENOUGH || played !== level) return null;
  return LEVELS[LEVELS.indexOf(level as (typeof LEVELS)[number]) + 1] ?? null;
}
