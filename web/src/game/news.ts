// What changed among the people at a table, in one line each: who came, who went, who is host, what was agreed.

import { told } from "./liveRegion.ts";
import type { Shown, State, TableView } from "../wire.ts";
import { words } from "../words/words.svelte.ts";

/** `aloud` is left to say: events are spoken by the live region anyway, comings and goings are not events. */
export interface Item {
  text: string;
  aloud: boolean;
}

const TOLD = new Set<Shown["event"]>([
  "sat_down", "will_sit", "got_up", "sent_away", "may_come_back", "host_changed", "options_changed", "locked",
  "out_of_time", "sat_in", "took_back", "moved_for", "dealt_without", "paused", "lobby_again",
  "applauded",
]);

const MOST = 3; // whoever was gone for long need not read everything

/** What is left to tell once `now` is in sight. When gifts are dealt, what changed in the lobby is seen on the chairs. */
export function untold(waiting: Item[], before: State | null, now: State): Item[] {
  const dealt = before?.view.stage === "lobby" && now.view.stage !== "lobby";
  return [...(dealt ? [] : waiting), ...news(before, now)].slice(-MOST);
}

export function news(before: State | null, now: State): Item[] {
  if (before === null || before.view.code !== now.view.code) return [];
  if (now.happened.length > 0) return happened(now);
  return [...presence(before.view, now.view, now.you), ...watching(before.view, now.view)];
}

/** What one does oneself is no news; but who claps wants to see that it was heard. */
function happened({ happened, view, you, ack }: State): Item[] {
  return happened
    .filter(({ event }) => (ack === undefined ? TOLD.has(event) : event === "applauded"))
    .map((event) => ({ text: told(event, view, you), aloud: false }))
    .filter(({ text }) => text !== "");
}

function presence(before: TableView, now: TableView, you: readonly number[]): Item[] {
  return now.seats.flatMap((chair, seat) => {
    const was = before.seats[seat];
    if (!was || was.name !== chair.name || was.away === chair.away || you.includes(seat)) return [];
    return [{ text: words.say(chair.away ? "live.away" : "live.back", { name: chair.name }), aloud: true }];
  });
}

function watching(before: TableView, now: TableView): Item[] {
  if ((now.screens ?? 0) > (before.screens ?? 0)) return [{ text: words.say("live.screen"), aloud: true }];
  if (now.watching > before.watching) return [{ text: words.say("live.watching", { n: now.watching }), aloud: true }];
  if (now.watching === 0 && before.watching > 0) return [{ text: words.say("live.unwatched"), aloud: true }];
  return [];
}
