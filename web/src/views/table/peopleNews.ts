// Notices about the guests of a table: who came, who left, who is host, which options changed.

import { describeEvent } from "./describeEvent.ts";
import type { Shown, State, TableView } from "../../made/wire.ts";
import { words } from "../../words/words.svelte.ts";

/** `aloud`: the live region has to speak it. Events are spoken anyway; presence changes are no events. */
export interface NewsItem {
  text: string;
  aloud: boolean;
}

const NEWSWORTHY = new Set<Shown["event"]>([
  "sat_down", "will_sit", "got_up", "sent_away", "may_come_back", "knocked", "host_changed", "options_changed",
  "locked", "out_of_time", "sat_in", "took_back", "moved_for", "nudged", "helped", "left_out", "dealt_without",
  "paused", "lobby_again", "applauded",
]);

const MAX_ITEMS = 3;

/** Return the items to show after `now`. Items of the lobby are dropped when the round begins. */
export function pendingNews(waiting: NewsItem[], before: State | null, now: State): NewsItem[] {
  const dealt = before?.view.stage === "lobby" && now.view.stage !== "lobby";
  return [...(dealt ? [] : waiting), ...news(before, now)].slice(-MAX_ITEMS);
}

/** Return how computer players with their character's temper introduce themselves, at the first deal of a table. */
export function introductions({ seats, match }: TableView): { seat: number; name: string; temper: string }[] {
  if (match?.number !== 1) return [];
  return seats.flatMap(({ kind, name, character, dials, surprise }, seat) => {
    if (kind !== "bot" || !character || dials || surprise) return [];
    const temper = words.lookup("temper", character, "temper.berta");
    return [{ seat, name, temper: temper[0]!.toUpperCase() + temper.slice(1) }];
  });
}

export function news(before: State | null, now: State): NewsItem[] {
  if (before === null || before.view.code !== now.view.code) return [];
  if (now.happened.length > 0) return eventNews(now);
  return [...presenceNews(before.view, now.view, now.you), ...spectatorNews(before.view, now.view)];
}

/** A guest's own commands are no news, except applause, which has no other feedback. */
function eventNews({ happened, view, you, ack }: State): NewsItem[] {
  return happened
    .filter(({ event }) => (ack === undefined ? NEWSWORTHY.has(event) : event === "applauded"))
    .map((event) => ({ text: describeEvent(event, view, you), aloud: false }))
    .filter(({ text }) => text !== "");
}

function presenceNews(before: TableView, now: TableView, you: readonly number[]): NewsItem[] {
  return now.seats.flatMap((chair, seat) => {
    const was = before.seats[seat];
    if (!was || was.name !== chair.name || was.away === chair.away || you.includes(seat)) return [];
    return [{ text: words.say(chair.away ? "live.away" : "live.back", { name: chair.name }), aloud: true }];
  });
}

function spectatorNews(before: TableView, now: TableView): NewsItem[] {
  const item = (text: string): NewsItem[] => [{ text, aloud: true }];
  if ((now.screens ?? 0) > (before.screens ?? 0)) return item(words.say("live.screen"));
  if (now.watching > before.watching) return item(words.say("live.watching", { n: now.watching }));
  return now.watching === 0 && before.watching > 0 ? item(words.say("live.unwatched")) : [];
}
