// The options of a table in one line.

import type { Options } from "../../made/wire.ts";
import { words, type Key } from "../../words/words.svelte.ts";

export function optionsSummary(options: Options, players: number, deck?: string): string {
  const { edition, special_cards, gifts_each, arrows, rounds, claims, patience_seconds } = options;
  const label = (option: string, value: string | number): string => words.say(`option.${option}.${value}` as Key);
  return [
    deck ?? (edition === "special" && !special_cards ? words.say("played.no_special") : label("edition", edition)),
    words.say(players === 2 || gifts_each === 2 ? "played.gifts.2" : "played.gifts.1"),
    words.say(rounds === "each" ? "played.rounds.each" : "played.rounds.one"),
    arrows === "both" ? "" : label("arrows", arrows),
    claims === "spoken" ? label("claims", claims) : "",
    patience_seconds === 0 ? "" : words.say("option.seconds", { n: patience_seconds }),
  ]
    .filter(Boolean)
    .join(" · ");
}
