// The table's sentences in words: what is written under it, and what is said aloud.

import type { TableView } from "../wire.ts";
import { words } from "../words/words.svelte.ts";
import type { Speech } from "./boardModel.ts";
import type { Sentence } from "./sentence.ts";

/** The whole of it, the line of the ritual included. */
export function spelled(sentence: Sentence, view: TableView): string {
  return [plain(sentence, view), ritual(sentence.spoken)].filter(Boolean).join(" ");
}

export function plain({ say, names, thing, together = [] }: Sentence, { seats }: TableView): string {
  const nameOf = (seat: number): string => seats[seat]?.name ?? "";
  const values: Record<string, string | number> = { thing: thing ? words.thing(thing) : "" };
  for (const [place, seat] of Object.entries(names)) values[place] = nameOf(seat);
  if (together.length > 0) Object.assign(values, { name: words.list(together.map(nameOf)), n: together.length });
  return words.say(say, values);
}

/** "I have a nice hat for you.", "That's not a hat!" or thanks. */
export function ritual(line: Sentence["spoken"] | Speech): string {
  if (!line) return "";
  return line.line === "thanks" ? words.say("say.thank_you") : words[line.line](line.gift);
}
