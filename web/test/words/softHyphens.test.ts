import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { softHyphens, widestPart, WIDEST_PART } from "../../src/words/softHyphens.ts";

test("no name of a gift has a part that is too wide for a tile of the picker", () => {
  for (const file of readdirSync("src/made/words")) {
    const gifts = JSON.parse(readFileSync(`src/made/words/${file}`, "utf8")) as Record<string, [string]>;
    for (const [name] of Object.values(gifts)) expect(widestPart(softHyphens(name)), `${file}: ${name}`).toBeLessThanOrEqual(WIDEST_PART);
  }
  expect(softHyphens("Tischtennisschläger")).toBe("Tischtennis\u00adschläger");
});
