// A round that somebody was sent a link to: watched again without its table.

import type { Chair, Options, TableView, View } from "../wire.ts";

/** A table that only shows: nobody comes or goes, and no time runs. */
export function replayed(round: View, seats: Chair[], options: Options): TableView {
  const people = { host: null, host_away: false, screen: false, seats, waiting: [], watching: 0 };
  return { code: "", ...people, stage: "play", locked: false, paused: false, options, match: null, deadline: null, round };
}
