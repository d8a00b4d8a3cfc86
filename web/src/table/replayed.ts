// A round without a server: watched again, or made beforehand for a lesson.

import type { Chair, Options, TableView, View } from "../wire.ts";

const PLAIN: Options = {
  edition: "classic",
  special_cards: true,
  arrows: "both",
  gifts_each: 1,
  rounds: "one",
  claims: "entered",
  starter: 0,
  show_seconds: 0,
  patience_seconds: 0,
  spectators: true,
  applause: true,
  pace: "normal",
};

/** A table that only shows: nobody comes or goes, and no time runs. */
export function replayed(round: View, seats: Chair[], options = PLAIN): TableView {
  const people = { host: null, host_away: false, screen: false, seats, waiting: [], watching: 0 };
  return { code: "", ...people, stage: "play", locked: false, paused: false, options, match: null, deadline: null, round };
}
