// Solo games against computer players, who rotate from game to game.

import { openTableOrLocal } from "../net/api.ts";
import { router } from "./router.svelte.ts";
import { settings, soloPace, updateSettings } from "./settings.svelte.ts";
import { CHARACTERS, type Character, type GuestCommand } from "../made/wire.ts";
import { words } from "../words/words.svelte.ts";

const OPPONENTS = 3;

/** Return the name of a computer player: its character. */
export function botName(character: Character): string {
  return character[0]!.toUpperCase() + character.slice(1);
}

/** Open a table, take a seat, add opponents and start. */
export async function playNow(level: string): Promise<void> {
  const { link } = await openTableOrLocal({ pace: soloPace() });
  const name = settings.name || words.say("home.some_name");
  const first = settings.games * OPPONENTS;
  const bots = Array.from({ length: OPPONENTS }, (_, n): GuestCommand => {
    const character = CHARACTERS[(first + n) % CHARACTERS.length]!;
    return { do: "add_bot", level, character, name: botName(character) };
  });
  updateSettings({ level, games: settings.games + 1 });
  router.replaceUrl("/"); // back from the game leads to the first page, not to a lesson or an old result
  router.go(link, { commands: [{ do: "sit", name }, ...bots, { do: "start" }] });
}
