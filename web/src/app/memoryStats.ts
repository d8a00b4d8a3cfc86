// The decisions of many games, in localStorage if the user wants it.

import type { Decision } from "../game/claimHistory.ts";
import { readStored, writeStored } from "./storage.ts";

export interface RememberedGame {
  at: string; // table and round; a key
  done: Decision[];
}

const KEY = "notahat.memory";
const MAX_GAMES = 200;

export function readGames(): RememberedGame[] {
  return readStored(KEY, []);
}

export function saveGame(game: RememberedGame): void {
  const others = readGames().filter(({ at }) => at !== game.at);
  writeStored(KEY, [...others, game].slice(-MAX_GAMES));
}

export function deleteGames(): void {
  localStorage.removeItem(KEY);
}

export function gamesFile(): File {
  return new File([JSON.stringify(readGames(), null, 1)], "not-a-hat-memory.json", { type: "application/json" });
}
