import { describe, expect, it } from "vitest";
import { streak } from "../../src/app/dailyHistory.ts";

describe("daily history", () => {
  const over = { link: "", signs: "🟩", penalties: 0, won: true };
  it("a streak ends at a day that was not finished", () => {
    const days = { "2026-11-16": over, "2026-11-15": over, "2026-11-14": { link: "" }, "2026-11-13": over };
    expect(streak(days, "2026-11-16")).toBe(2);
    expect(streak(days, "2026-11-17")).toBe(2);
    expect(streak(days, "2026-11-18")).toBe(0);
    expect(streak({ "2026-03-01": over, "2026-02-28": over }, "2026-03-01")).toBe(2);
  });
});
