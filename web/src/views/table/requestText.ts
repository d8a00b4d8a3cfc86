// The question to the holder of a table whether a guest may come in who has only the letters.

import type { LetterRequest } from "../../net/peers/letters.ts";
import { words } from "../../words/words.svelte.ts";

export const requestText = ({ name, gifts }: LetterRequest): string =>
  words.say("letters.wants", { name: name || words.say("door.some_name"), gifts: words.list(gifts.map((gift) => words.name(gift))) });
