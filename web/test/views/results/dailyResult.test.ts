import { expect, it } from "vitest";
import { nextGift, shareText, squares } from "../../../src/views/results/dailyResult.ts";

it("the shared picture has room for every decision", () => {
  for (let count = 1; count <= 120; count += 1) {
    const all = squares(count, 900, 120);
    expect(all).toHaveLength(count);
    for (const { x, y, side } of all) {
      expect(x + side).toBeLessThanOrEqual(900);
      expect(y + side).toBeLessThanOrEqual(120);
      expect(side).toBeGreaterThan(12);
    }
    expect(new Set(all.map(({ x, y }) => `${x} ${y}`)).size).toBe(count);
  }
});

it("says when the next gift comes, by the local clock", () => {
  expect(nextGift("en", new Date(2026, 10, 16, 18, 50))).toBe("in 5 hours");
  expect(nextGift("de", new Date(2026, 10, 16, 23, 29, 30))).toBe("in 31 Minuten");
});
it("a shared result names no gift", () => {
  const result = { link: "", signs: "🟩", penalties: 0, won: true };
  expect(shareText("2026-11-16", result)).toBe("Not a Hat 2026-11-16 🏆 0/3\n🟩");
});
