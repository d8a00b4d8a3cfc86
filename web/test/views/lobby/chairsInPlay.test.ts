import { describe, expect, it } from "vitest";
import type { Layout, Point } from "../../../src/game/geometry.ts";
import { computeScreenLayout } from "../../../src/game/screenLayout.ts";
import { computeTabletLayout } from "../../../src/game/tabletLayout.ts";
import { chairsInPlay } from "../../../src/views/lobby/chairsInPlay.ts";

const distance = (a: Point, b: Point): number => Math.hypot(a.x - b.x, a.y - b.y);
const on = (compute: typeof computeTabletLayout | typeof computeScreenLayout, width: number, height: number) =>
  (seats: number): Layout => compute({ width, height, seats });
const TABLET = on(computeTabletLayout, 1024, 768);
const TV = on(computeScreenLayout, 1920, 1080); // it is never turned
const ROOMS: [string, (seats: number) => Layout][] = [
  ["a tablet", TABLET],
  ["an upright tablet", on(computeTabletLayout, 768, 1024)],
  ["a television", TV],
];

describe("the chairs of a lobby that stand where people will sit", () => {
  it.each(ROOMS)("stand apart, the empty one too, on %s", (_, layoutOf) => {
    for (let players = 0; players <= 8; players++)
      for (let turned = 0; turned < Math.max(players, 1); turned++) {
        const { taken, empty } = chairsInPlay(layoutOf, players, turned);
        expect(taken).toHaveLength(players);
        if (players < 7 && (turned === 0 || layoutOf !== TV)) expect(empty).not.toBeNull();
        const all = empty ? [...taken, empty] : taken;
        for (const [n, one] of all.entries())
          for (const other of all.slice(n + 1)) expect(distance(one, other), `${players} players`).toBeGreaterThan(15);
      }
  });
  it("are where people will sit: the turned table has another one at the bottom", () => {
    expect(chairsInPlay(TABLET, 4, 1).taken[1]).toEqual(chairsInPlay(TABLET, 4).taken[0]);
    expect(chairsInPlay(TABLET, 4).empty).toMatchObject({ x: 87, y: 87 });
  });
});
