// How somebody remembered over many games: on the shelf of this browser if they want it, and nowhere else.

import type { Decision } from "../game/claimHistory.ts";

export interface Game {
  at: string; // table and round: none is counted twice
  done: Decision[];
}

const SHELF = "notahat.memory";
const MOST = 200; // games

export function games(): Game[] {
  try {
    return JSON.parse(localStorage.getItem(SHELF) ?? "[]") as Game[];
  } catch {
    return [];
  }
}

export function keep(game: Game): void {
  const others = games().filter(({ at }) => at !== game.at);
  try {
    localStorage.setItem(SHELF, JSON.stringify([...others, game].slice(-MOST)));
  } catch {
    // a full shelf keeps what it has
  }
}

export function forget(): void {
  localStorage.removeItem(SHELF);
}

export function file(): File {
  return new File([JSON.stringify(games(), null, 1)], "not-a-hat-memory.json", { type: "application/json" });
}
