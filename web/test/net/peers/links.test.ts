import { expect, it } from "vitest";
import { addNew } from "../../../src/net/peers/links.ts";

it("answers a call once, as long as it is among the newest", () => {
  const calls = new Set<string>();
  const isNew = ["a", "a", "b", "c", "a", "c"].map((call) => addNew(calls, call, 2));
  expect(isNew).toEqual([true, false, true, true, true, false]);
});
