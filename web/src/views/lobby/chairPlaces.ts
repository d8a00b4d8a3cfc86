// Where the chairs stand around the table of the lobby: cells of a grid of three by three whose middle is the table.

interface Cell {
  row: number;
  column: number;
}

const AROUND = {
  below: { row: 3, column: 2 },
  belowLeft: { row: 3, column: 1 },
  left: { row: 2, column: 1 },
  aboveLeft: { row: 1, column: 1 },
  above: { row: 1, column: 2 },
  aboveRight: { row: 1, column: 3 },
  right: { row: 2, column: 3 },
  belowRight: { row: 3, column: 3 },
} satisfies Record<string, Cell>;

// clockwise from the bottom, by number of chairs
const PLACES: Record<number, (keyof typeof AROUND)[]> = {
  4: ["below", "left", "above", "right"],
  5: ["below", "left", "aboveLeft", "aboveRight", "right"],
  6: ["below", "left", "aboveLeft", "above", "aboveRight", "right"],
  7: ["below", "belowLeft", "left", "aboveLeft", "aboveRight", "right", "belowRight"],
  8: ["below", "belowLeft", "left", "aboveLeft", "above", "aboveRight", "right", "belowRight"],
};

export const MIN_CHAIRS = 4; // taken or empty
export const MAX_CHAIRS = 8;

/** Return how many chairs stand around the table: there is always an empty one until the table is full. */
export function chairCount(players: number): number {
  return Math.min(MAX_CHAIRS, Math.max(MIN_CHAIRS, players + 1));
}

/** Return the cell of a chair; `bottom` is the chair at the bottom of the screen, and the others follow clockwise. */
export function chairCell(chair: number, bottom: number, count: number): Cell {
  return AROUND[PLACES[count]![(chair - bottom + count) % count]!];
}
