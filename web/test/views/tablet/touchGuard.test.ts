import { describe, expect, it } from "vitest";
import { isIntended } from "../../../src/views/tablet/touchGuard.svelte.ts";

describe("the touch guard", () => {
  it("ignores broad and long touches", () => {
    expect(isIntended({ kind: "touch", at: 0, width: 24 }, 120)).toBe(true);
    expect(isIntended({ kind: "touch", at: 0, width: 120 }, 120)).toBe(false);
    expect(isIntended({ kind: "touch", at: 0, width: 24 }, 3000)).toBe(false);
  });
  it("accepts mouse and keyboard", () => {
    expect(isIntended({ kind: "mouse", at: 0, width: 1 }, 3000)).toBe(true);
    expect(isIntended(null, 0)).toBe(true);
  });
});
