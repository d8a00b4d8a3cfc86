import { describe, expect, it } from "vitest";
import { pathOf } from "../../src/game/tableCode.ts";

describe("a friend's table", () => {
  it.each([
    ["K7QX", "/t/K7QX"],
    [" k7 qx ", "/t/K7QX"],
    ["k-7-q-x", "/t/K7QX"],
    ["KSOB", "/t/K5Q8"], // read from paper
    ["https://hat.example/t/k7qx", "/t/K7QX"],
    ["https://hat.example/t/K7QX-ACDEFGHJKMNP", "/t/K7QX-ACDEFGHJKMNP"],
    ["Come! http://192.168.1.7:8000/t/K7QX", "/t/K7QX"],
    ["hat.example/c/aB-9_x/K7QX", "/c/aB-9_x/K7QX"],
  ])("is found by %o", (text, path) => expect(pathOf(text)).toBe(path));

  it("is not found by nothing", () => expect(pathOf(" … ")).toBeNull());
});
