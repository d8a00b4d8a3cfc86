import { describe, expect, it } from "vitest";
import type { Point } from "../../../src/game/geometry.ts";
import { tabletChairs } from "../../../src/views/tablet/tabletChairs.ts";

const distance = (a: Point, b: Point): number => Math.hypot(a.x - b.x, a.y - b.y);

describe("the chairs of a tablet's lobby", () => {
  it.each([[1024, 768], [768, 1024]])("stand apart, the empty one too, at %i × %i", (width, height) => {
    for (let players = 0; players <= 8; players++)
      for (let turned = 0; turned < Math.max(players, 1); turned++) {
        const { taken, empty } = tabletChairs({ width, height }, players, turned);
        expect(taken).toHaveLength(players);
        if (players < 7) expect(empty).not.toBeNull();
        const all = empty ? [...taken, empty] : taken;
        for (const [n, one] of all.entries())
          for (const other of all.slice(n + 1)) expect(distance(one, other), `${players} players`).toBeGreaterThan(15);
      }
  });
  it("are where people will sit: the turned table has another one at the bottom", () => {
    const room = { width: 1024, height: 768 };
    expect(tabletChairs(room, 4, 1).taken[1]).toEqual(tabletChairs(room, 4, 0).taken[0]);
    expect(tabletChairs(room, 4, 0).empty).toMatchObject({ x: 87, y: 87 });
  });
});
