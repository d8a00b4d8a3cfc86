// How many look on, a screen not counted: it is part of the room.

import type { State } from "../wire.ts";

/** A screen that the table was opened on is no watcher for the server either; any other one is. */
export function watchers({ view, may }: Pick<State, "view" | "may">): number {
  const sits = may.some(({ do: what }) => what === "rename");
  return sits || view.screen ? view.watching : Math.max(0, view.watching - 1);
}
