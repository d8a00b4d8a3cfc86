import { expect, it } from "vitest";
import { RecentTexts } from "../../../src/net/peers/recentTexts.ts";

it("knows the last texts only", () => {
  const recent = new RecentTexts(2);
  expect(["a", "b", "a", "c", "a", "c"].map((text) => recent.add(text))).toEqual([true, true, false, true, true, false]);
});
