// The text of each event for the live region.

import type { Shown, TableView } from "../../made/wire.ts";
import { words, type Key } from "../../words/words.svelte.ts";

export function describeEvent(event: Shown, view: TableView, you: readonly number[]): string {
  const name = (seat: number): string => view.seats[seat]?.name ?? "";
  const self = (seat: number): boolean => you.length === 1 && you[0] === seat;
  const about = (key: Key, seat: number, more: Record<string, string | number> = {}): string =>
    words.say(self(seat) ? (`${key}_you` as Key) : key, { name: name(seat), ...more });
  if (event.event === "judged" && you.length !== 1) return ""; // on a shared device, by anybody; the penalty follows
  switch (event.event) {
    case "drawn":
      return about("live.drawn", event.giver, { thing: words.withArticle(event.gift) });
    case "wrapped":
      return about("live.wrapped", event.giver);
    case "offered": {
      const spoken = event.claim === null ? words.say("live.aloud") : words.offer(event.claim);
      const to = self(event.receiver) ? words.say("table.yourself") : name(event.receiver);
      return about("live.offered", event.giver, { to, spoken });
    }
    case "accepted":
      return about("live.accepted", event.receiver);
    case "refused":
      return about("live.refused", event.receiver, { thing: words.withArticle(event.gift) });
    case "penalised":
    case "judged":
    case "sat_in":
    case "took_back":
    case "wants_again":
    case "out_of_time":
    case "paused":
    case "helped":
      return about(`live.${event.event}`, event.seat);
    case "sat_down":
      return about("live.sat_down", event.seat, { name: event.name });
    case "will_sit":
    case "renamed":
    case "got_up":
    case "sent_away":
    case "may_come_back":
    case "knocked":
    case "left_out":
    case "dealt_without":
      return words.say(`live.${event.event}`, { name: event.name });
    case "options_changed":
      if (view.stage !== "play") return words.say("live.options_changed");
      return words.say("live.pace_changed", { pace: words.say(`option.pace.${view.options.pace}`) });
    case "seats_changed":
    case "resumed":
    case "ended":
    case "match_over":
    case "lobby_again":
      return words.say(`live.${event.event}`);
    case "host_changed":
      return event.seat === null ? "" : about("live.host", event.seat);
    case "locked":
      return words.say(event.locked ? "live.locked" : "live.unlocked");
    case "match_started":
      return "";
    case "round_dealt":
      return words.say("live.dealt", { n: event.round });
    case "moved_for":
      if (event.by === null) return words.say("live.moved_for_host", { name: name(event.seat) });
      return words.say("live.moved_for", { name: name(event.seat), by: name(event.by) });
    case "nudged":
      return about("live.nudged", event.seat, { by: name(event.by) });
    case "crowd_voted":
      if (event.believed + event.doubted < 2) return ""; // the only voter hears the own answer
      return words.say("live.crowd_voted", { n: event.believed, of: event.believed + event.doubted });
    case "is_ready":
      return about("live.ready", event.seat);
    case "emoted":
      return about("live.emoted", event.seat, { emote: words.lookup("emote", event.emote, "emote.hello") });
    case "applauded":
      return words.say("live.emoted", {
        name: words.say("table.somebody_watching"),
        emote: words.lookup("emote", event.emote, "emote.hello"),
      });
    case "remarked": {
      const said = words.remark(event.character, event.occasion, event.number);
      return said && about("live.emoted", event.seat, { emote: said });
    }
  }
}
