// The view of a round that is replayedView without its table.

import type { Chair, Options, TableView, View } from "../wire.ts";

export function replayedView(round: View, seats: Chair[], options: Options): TableView {
  const people = { host: null, host_away: false, screen: false, seats, waiting: [], watching: 0 };
  return { code: "", ...people, stage: "play", locked: false, paused: false, options, match: null, deadline: null, round };
}
