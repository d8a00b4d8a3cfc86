// Deltas: the server sends a full state once, then only what changed.

import type { Changes, State, TableView } from "../made/wire.ts";

export function applyDelta(before: State, delta: Changes): State {
  const view = { ...before.view, ...delta.changed } as TableView;
  if (view.round) view.round = { ...view.round, ...delta.round };
  const state: State = {
    v: delta.v,
    view,
    happened: delta.happened,
    you: delta.you ?? before.you,
    may: delta.may ?? before.may,
  };
  if (delta.ack) state.ack = delta.ack;
  return state;
}
