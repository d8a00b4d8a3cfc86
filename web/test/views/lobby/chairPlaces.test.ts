import { describe, expect, it } from "vitest";
import { chairCell, chairCount } from "../../../src/views/lobby/chairPlaces.ts";

describe("chairs of the lobby", () => {
  it("leave one empty until eight people sit", () => {
    expect([0, 1, 2, 3, 4, 5, 6, 7, 8].map(chairCount)).toEqual([4, 4, 4, 4, 5, 6, 7, 8, 8]);
  });

  it.each([4, 5, 6, 7, 8])("%i stand clockwise around the middle, the own one below", (count) => {
    for (let bottom = 0; bottom < count; bottom++) {
      const cells = Array.from({ length: count }, (_, chair) => chairCell(chair, bottom, count));
      expect(cells[bottom]).toBe("3 / 2");
      expect(new Set(cells).size).toBe(count);
      const turns = cells.map((_, n) => turn(cells[(bottom + n) % count]!));
      expect(turns).toEqual([...turns].sort((a, b) => a - b));
    }
  });
});

/** Return the angle of a cell about the middle, clockwise from below. */
function turn(cell: string): number {
  const [row, column] = cell.split(" / ").map(Number) as [number, number];
  const angle = Math.atan2(2 - column, row - 2);
  return angle < 0 ? angle + 2 * Math.PI : angle;
}
