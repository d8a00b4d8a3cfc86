import { describe, expect, it } from "vitest";
import { countWin, levelOf, nextLevel, type Wins } from "../../src/game/levelProgress.ts";
import { LEVELS, type Chair } from "../../src/made/wire.ts";

describe("level progress", () => {
  const bot = (level: string): Chair => ({ name: "Berta", kind: "bot", away: false, level });
  const person: Chair = { name: "Ada", kind: "person", away: false };
  const level = (...seats: Chair[]): string => levelOf({ seats });

  it("offers the next level after two wins with penalties", () => {
    const once = countWin({}, "casual", false);
    expect(nextLevel(once, "casual")).toBeNull();
    expect(nextLevel(countWin(once, "casual", false), "casual")).toBe("regular");
  });
  it("offers the next level after one clean win", () => {
    expect(nextLevel(countWin({}, "goldfish", true), "goldfish")).toBe("casual");
  });
  it("keeps the wins of a level while another one is played", () => {
    const played: [string, boolean][] = [["casual", false], ["goldfish", true], ["casual", false]];
    const wins = played.reduce<Wins>((all, [at, clean]) => countWin(all, at, clean), {});
    expect(nextLevel(wins, "casual")).toBe("regular");
    expect(nextLevel(wins, "regular")).toBeNull();
  });
  it("counts only tables of one level", () => {
    expect(level(person, bot("casual"), bot("casual"))).toBe("casual");
    expect(level(person, bot("casual"), bot("goldfish"))).toBe("");
    expect(nextLevel(countWin({}, "", true), "")).toBeNull();
  });
  it("ends with the highest level", () => {
    expect(LEVELS.map((one) => nextLevel({ [one]: 2 }, one))).toEqual([...LEVELS.slice(1), null]);
  });
});
