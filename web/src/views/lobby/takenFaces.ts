import type { TableView } from "../../made/wire.ts";

/** Return the faces of the people at a table, except for one seat. */
export function takenFaces(view: TableView, except?: number): string[] {
  return view.seats.flatMap(({ face }, seat) => (face && seat !== except ? [face] : []));
}
