// Alone with computer players: others each time, and a level higher when it gets too easy.

import { openForOne } from "../net/connection.ts";
import { CHARACTERS, FACES } from "../ui/faces.ts";
import { plan } from "./plan.ts";
import { router } from "./router.svelte.ts";
import { settings } from "./settings.svelte.ts";
import type { GuestCommand } from "../wire.ts";
import { words } from "../words/words.svelte.ts";

const OPPONENTS = 3;

/** A game at once: sat down, three opponents, dealt. */
export async function playNow(level: string): Promise<void> {
  const { link } = await openForOne({});
  const name = settings.name || words.say("door.some_name");
  const first = settings.games * OPPONENTS;
  const bots = Array.from({ length: OPPONENTS }, (_, n): GuestCommand => {
    const character = CHARACTERS[(first + n) % CHARACTERS.length]!;
    return { do: "add_bot", level, character, name: FACES[character].name };
  });
  settings.keep({ level, games: settings.games + 1, won: level === settings.level ? settings.won : 0 });
  plan([{ do: "sit", name }, ...bots, { do: "start" }]);
  router.go(link);
}
