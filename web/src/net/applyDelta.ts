// A server that was asked for changes tells the whole present once, and from then on only what is not as it was.

import type { Changes, State, TableView } from "../wire.ts";

/** The present after some changes. */
export function added(before: State, told: Changes): State {
  const view = { ...before.view, ...told.changed } as TableView;
  if (view.round) view.round = { ...view.round, ...told.round };
  const state: State = { v: told.v, view, happened: told.happened, you: told.you ?? before.you, may: told.may ?? before.may };
  if (told.ack) state.ack = told.ack;
  return state;
}
