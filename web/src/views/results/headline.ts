// The headline of the results: who won.

import type { TableView } from "../../wire.ts";
import { words } from "../../words/words.svelte.ts";

export function headline(view: TableView, winners: number[], you: number | undefined): string {
  const names = winners.map((seat) => view.seats[seat]?.name ?? "");
  const last = view.stage === "over";
  if (names.length === 0) return words.say("end.nobody");
  if (you !== undefined && winners.includes(you)) {
    const others = words.list(winners.filter((seat) => seat !== you).map((seat) => view.seats[seat]?.name ?? ""));
    if (others) return words.say("end.you_share", { name: others });
    return words.say(last ? "end.you_win" : "end.you_round");
  }
  return words.say(last ? "end.match" : "end.round", { n: names.length, name: words.list(names) });
}
