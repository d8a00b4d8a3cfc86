import { expect, it } from "vitest";
import { squares } from "../../../src/views/results/shareImage.ts";

it("the shared picture has room for every decision", () => {
  for (let count = 1; count <= 120; count += 1) {
    const all = squares(count);
    expect(all).toHaveLength(count);
    for (const { x, y, side } of all) {
      expect(x + side).toBeLessThanOrEqual(600);
      expect(y + side).toBeLessThanOrEqual(320);
      expect(side).toBeGreaterThan(12);
    }
    expect(new Set(all.map(({ x, y }) => `${x} ${y}`)).size).toBe(count);
  }
});
