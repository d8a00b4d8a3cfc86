// Level progress of solo games: a win without a penalty, or two wins, unlock the next level.

import { LEVELS, type TableView } from "../made/wire.ts";

const WINS_NEEDED = 2;

export type Wins = Readonly<Record<string, number>>; // solo games won, by level

/** Return the level of all computer players at a table, or an empty text if they differ. */
export function levelOf({ seats }: Pick<TableView, "seats">): string {
  const levels = new Set(seats.flatMap(({ kind, level }) => (kind === "bot" ? [level ?? ""] : [])));
  return levels.size === 1 ? [...levels][0]! : "";
}

/** Return the wins after one more at a level. A clean win, without a penalty, is enough for the next level. */
export function countWin(wins: Wins, level: string, clean: boolean): Wins {
  return { ...wins, [level]: Math.max((wins[level] ?? 0) + 1, clean ? WINS_NEEDED : 0) };
}

/** Return the level above the one played after enough wins at it, else null. */
export function nextLevel(wins: Wins, played: string): string | null {
  if (played === "" || (wins[played] ?? 0) < WINS_NEEDED) return null;
  return LEVELS[LEVELS.indexOf(played as (typeof LEVELS)[number]) + 1] ?? null;
}
