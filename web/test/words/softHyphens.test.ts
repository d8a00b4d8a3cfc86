import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { breakName, softHyphens, widestPart, WIDEST_PART } from "../../src/words/softHyphens.ts";

test("no name of a gift has a part that is too wide for a tile of the picker", () => {
  for (const file of readdirSync("src/made/words")) {
    const { gifts } = JSON.parse(readFileSync(`src/made/words/${file}`, "utf8")) as { gifts: Record<string, [string]> };
    for (const [name] of Object.values(gifts))
      expect(widestPart(softHyphens(name)), `${file}: ${name}`).toBeLessThanOrEqual(WIDEST_PART);
  }
  expect(softHyphens("un t-shirt")).toBe("un t-\u2060shirt");
  expect(softHyphens("un arc-en-ciel")).toBe("un arc-en-\u2060ciel");
  expect(softHyphens("Tischtennisschläger")).toBe("Tischtennis\u00adschläger");
});

test("very long words of people's names can be broken", () => {
  expect(breakName("Wolfgang-Maximilian")).toBe("Wolfgang-Maximilian");
  expect(breakName("Hieronymusschwarz")).toBe("Hierony\u00admusschwarz");
  const narrow = ["Clementine", "Konstantin", "Conceição"].map((name) => breakName(name, 4.4).split("\u00ad"));
  expect(narrow).toEqual([["Clemen", "tine"], ["Kons", "tantin"], ["Concei", "ção"]]);
  expect(breakName("W".repeat(20))).toBe(["W".repeat(7), "W".repeat(7), "W".repeat(6)].join("\u00ad"));
});
