import { describe, expect, it } from "vitest";
import { countWin, levelOf, nextLevel } from "../../src/game/levelProgress.ts";
import { LEVELS, type Chair } from "../../src/wire.ts";

describe("level progress", () => {
  const bot = (level: string): Chair => ({ name: "Berta", kind: "bot", away: false, level });
  const person: Chair = { name: "Ada", kind: "person", away: false };
  const level = (...seats: Chair[]): string => levelOf({ seats });

  it("offers the next level after two wins", () => {
    const games: [string, boolean][] = [["casual", true], ["casual", false], ["casual", true]];
    let progress = { level: "casual", won: 0 };
    const offers = games.map(([played, wins]) => {
      progress = { ...progress, won: countWin(progress, played, wins) };
      return nextLevel(progress, played);
    });
    expect(offers).toEqual([null, null, "regular"]);
  });
  it("counts only games at the chosen level", () => {
    expect(level(person, bot("casual"), bot("casual"))).toBe("casual");
    expect(level(person, bot("casual"), bot("goldfish"))).toBe("");
    expect(countWin({ level: "casual", won: 1 }, "", true)).toBe(1);
    expect(nextLevel({ level: "casual", won: 2 }, "goldfish")).toBeNull();
  });
  it("ends with the highest level", () => {
    expect(LEVELS.map((one) => nextLevel({ level: one, won: 2 }, one))).toEqual([...LEVELS.slice(1), null]);
  });
});
