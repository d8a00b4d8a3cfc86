import { describe, expect, it } from "vitest";
import { estimateLevel } from "../../src/game/levelEstimate.ts";

describe("estimateLevel", () => {
  const named = (right: boolean, ago = 30) => ({ kind: "named" as const, right, ago });
  it("returns null after too few claims", () => expect(estimateLevel([named(true), named(true), named(true, 3)])).toBeNull());
  it("estimates a goldfish for mistakes and an elephant for none", () => {
    expect(estimateLevel(Array.from({ length: 12 }, (_, n) => named(n % 2 === 0)))?.level).toBe("goldfish");
    expect(estimateLevel(Array.from({ length: 60 }, () => named(true)))).toMatchObject({ level: "elephant" });
  });
  it("is surer after more claims", () => {
    const sure = (n: number) => estimateLevel(Array.from({ length: n }, (_, i) => named(i % 2 === 0)))!.sure;
    expect(sure(12)).toBeGreaterThan(sure(4));
  });
});
