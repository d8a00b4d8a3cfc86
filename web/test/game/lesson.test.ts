import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { isExpected, readingTime, type Lesson } from "../../src/game/lesson.ts";

describe("the lesson", () => {
  const { chapters, states } = JSON.parse(readFileSync("src/made/lesson.json", "utf-8")) as Lesson;

  it("expects permitted commands and has hints for others", () => {
    const expecting = chapters.filter(({ order }) => order);
    const asked = expecting.map(({ chapter }) => chapter).join(" ");
    expect(asked).toBe("look give accept give_oldest refuse thank memory doubt");
    for (const { order, at, hint } of expecting) {
      const may = states[at]!.may.map(({ do: what }) => what);
      expect(may).toContain(order!.do);
      expect(hint !== "").toBe(may.length > 1 || order!.do === "give");
    }
  });

  it("goes on by itself only where nothing is asked or a close-up was closed, after time to read", () => {
    const own = chapters.filter(({ order, waits }) => !order && !waits).map(({ chapter }) => chapter).join(" ");
    expect(own).toBe("wrap answer bo_gives watch_cleo cleo_gives penalty redraw round watch_again cost done");
    expect(readingTime("Cleo thinks it over.")).toBe(3000);
    expect(readingTime("x".repeat(80))).toBe(4800);
  });

  it("expects the right answer and the true name", () => {
    const [give, accept] = ["give", "accept"].map((name) => chapters.find(({ chapter }) => chapter === name)!);
    expect(isExpected(give!, { do: "give", turn: 2, claim: "piano", to: 1 })).toBe(true);
    expect(isExpected(give!, { do: "give", turn: 2, claim: "violin", to: 1 })).toBe(false);
    expect(isExpected(accept!, { do: "refuse", turn: 6 })).toBe(false);
  });
});
