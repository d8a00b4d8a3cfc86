// Level progress of solo games: two wins unlock the next level.

import { LEVELS, type TableView } from "../wire.ts";

const WINS_NEEDED = 2;

interface Progress {
  level: string;
  won: number; // games since the level was chosen
}

/** Return the level of all computer players at a table, or an empty text if they differ. */
export function levelOf({ seats }: Pick<TableView, "seats">): string {
  const levels = new Set(seats.flatMap(({ kind, level }) => (kind === "bot" ? [level ?? ""] : [])));
  return levels.size === 1 ? [...levels][0]! : "";
}

/** Return the number of wins after a solo game. Only games at the chosen level count. */
export function countWin({ level, won }: Progress, played: string, wins: boolean): number {
  return wins && played === level ? won + 1 : won;
}

/** Return the next level after enough wins, else null. */
export function nextLevel({ level, won }: Progress, played: string): string | null {
  if (won < WINS_NEEDED || played !== level) return null;
  return LEVELS[LEVELS.indexOf(level as (typeof LEVELS)[number]) + 1] ?? null;
}
