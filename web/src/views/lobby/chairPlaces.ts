// Where the chairs stand around the table of the lobby: cells of a grid of three by three whose middle is the table.

const CELLS = ["3 / 2", "3 / 1", "2 / 1", "1 / 1", "1 / 2", "1 / 3", "2 / 3", "3 / 3"]; // clockwise from below
// which of them have a chair, by number of chairs
const USED: Record<number, number[]> = {
  4: [0, 2, 4, 6],
  5: [0, 2, 3, 5, 6],
  6: [0, 2, 3, 4, 5, 6],
  7: [0, 1, 2, 3, 5, 6, 7],
  8: [0, 1, 2, 3, 4, 5, 6, 7],
};

const MIN_CHAIRS = 4; // taken or empty
export const MAX_CHAIRS = 8;

/** Return how many chairs stand around the table: there is always an empty one until the table is full. */
export function chairCount(players: number): number {
  return Math.min(MAX_CHAIRS, Math.max(MIN_CHAIRS, players + 1));
}

/** Return the cell of a chair, as a grid area; `bottom` is the chair below, and the others follow clockwise. */
export function chairCell(chair: number, bottom: number, count: number): string {
  return CELLS[USED[count]![(chair - bottom + count) % count]!]!;
}
