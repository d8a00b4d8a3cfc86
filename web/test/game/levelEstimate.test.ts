import { describe, expect, it } from "vitest";
import { estimateLevel } from "../../src/game/levelEstimate.ts";

describe("estimateLevel", () => {
  const named = (right: boolean, ago = 30) => ({ kind: "named" as const, right, ago });
  const half = (n: number) => Array.from({ length: n }, (_, i) => named(i % 2 === 0));
  const right = (n: number) => Array.from({ length: n }, () => named(true));
  it("returns null after too few claims", () => {
    expect(estimateLevel([named(true), named(true), named(true, 3)], 0)).toBeNull();
  });
  it("estimates a goldfish for mistakes and an elephant for none", () => {
    expect(estimateLevel(half(20), 3)?.level).toBe("goldfish");
    expect(estimateLevel(right(60), 0)).toMatchObject({ level: "elephant" });
  });
  it("says nothing below 70 percent", () => {
    expect(estimateLevel(right(4), 0)).toBeNull();
    for (let n = 3; n < 40; n += 1) {
      for (const done of [half(n), right(n)]) expect(estimateLevel(done, 0)?.sure ?? 1).toBeGreaterThanOrEqual(0.7);
    }
  });
  it("calls nobody with three penalties an elephant", () => {
    expect(estimateLevel(right(60), 3)).toBeNull();
    expect(estimateLevel(right(60), 2)).not.toBeNull();
  });
  it("is surer after more claims", () => {
    expect(estimateLevel(half(24), 0)!.sure).toBeGreaterThan(estimateLevel(half(20), 0)!.sure);
  });
});
