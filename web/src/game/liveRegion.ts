// What the one polite live region says of each event. Every text is replaced by the next: nothing is kept to be read again.

import type { Shown, TableView } from "../wire.ts";
import type { Key } from "../words/words.svelte.ts";
import { words } from "../words/words.svelte.ts";

export function told(event: Shown, view: TableView, you: readonly number[]): string {
  const name = (seat: number): string => view.seats[seat]?.name ?? "";
  const self = (seat: number): boolean => you.length === 1 && you[0] === seat;
  const about = (key: Key, seat: number, more: Record<string, string | number> = {}): string =>
    words.say(self(seat) ? (`${key}_you` as Key) : key, { name: name(seat), ...more });
  switch (event.event) {
    case "drawn":
      return about("live.drawn", event.giver, { thing: words.thing(event.gift) });
    case "wrapped":
      return about("live.wrapped", event.giver);
    case "offered": {
      const spoken = event.claim === null ? words.say("live.aloud") : words.offer(event.claim);
      const to = self(event.receiver) ? words.say("table.yourself") : name(event.receiver);
      return words.say("live.offered", { name: name(event.giver), to, spoken });
    }
    case "accepted":
      return about("live.accepted", event.receiver);
    case "refused":
      return about("live.refused", event.receiver, { thing: words.thing(event.gift) });
    case "penalised":
      return about("live.penalised", event.seat);
    case "judged":
      return words.say("live.judged", { name: name(event.seat) });
    case "ended":
      return words.say("live.ended");
    case "sat_down":
      return about("live.sat_down", event.seat, { name: event.name });
    case "will_sit":
      return words.say("live.will_sit", { name: event.name });
    case "renamed":
      return words.say("live.renamed", { name: event.name });
    case "got_up":
    case "sent_away":
    case "may_come_back":
    case "dealt_without":
      return words.say(`live.${event.event}`, { name: event.name });
    case "seats_changed":
      return words.say("live.seats_changed");
    case "options_changed":
      return words.say("live.options_changed");
    case "host_changed":
      return event.seat === null ? "" : about("live.host", event.seat);
    case "locked":
      return words.say(event.locked ? "live.locked" : "live.unlocked");
    case "match_started":
      return "";
    case "round_dealt":
      return words.say("live.dealt", { n: event.round });
    case "out_of_time":
      return about("live.out_of_time", event.seat);
    case "paused":
      return about("live.paused", event.seat);
    case "resumed":
      return words.say("live.resumed");
    case "sat_in":
      return words.say("live.sat_in", { name: name(event.seat) });
    case "moved_for":
      return words.say(event.by === null ? "live.moved_for_host" : "live.moved_for", { name: name(event.seat), by: name(event.by ?? -1) });
    case "took_back":
      return words.say("live.took_back", { name: name(event.seat) });
    case "is_ready":
      return words.say("live.ready", { name: name(event.seat) });
    case "match_over":
      return words.say("live.match_over");
    case "emoted":
      return words.say("live.emoted", { name: name(event.seat), emote: words.saying("emote", event.emote, "emote.hello") });
    case "applauded":
      return words.say("live.emoted", {
        name: words.say("table.somebody_watching"),
        emote: words.saying("emote", event.emote, "emote.hello"),
      });
    case "remarked": {
      const said = words.remark(event.character, event.occasion, event.number);
      return said && words.say("live.emoted", { name: name(event.seat), emote: said });
    }
    case "wants_again":
      return words.say("live.wants_again", { name: name(event.seat) });
    case "lobby_again":
      return words.say("live.lobby_again");
  }
}
