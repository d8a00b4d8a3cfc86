import { describe, expect, it } from "vitest";
import { isPlainCode, parseTablePath } from "../../src/game/tableCode.ts";

describe("parseTablePath", () => {
  it.each([
    ["K7QX", "/t/K7QX"],
    [" k7 qx ", "/t/K7QX"],
    ["k-7-q-x", "/t/K7QX"],
    ["KSOB", "/t/K5Q8"], // misread
    ["https://hat.example/t/k7qx", "/t/K7QX"],
    ["https://hat.example/t/K7QX-ACDEFGHJKMNP", "/t/K7QX-ACDEFGHJKMNP"],
    ["Come! http://192.168.1.7:8000/t/K7QX", "/t/K7QX"],
    ["hat.example/c/aB-9_x/K7QX", "/c/aB-9_x/K7QX"],
  ])("parses %o", (text, path) => expect(parseTablePath(text)).toBe(path));

  it("returns null without a code", () => expect(parseTablePath(" … ")).toBeNull());
});

it("a code without a key is plain", () => {
  const paths = ["/t/K7QX", "/t/K7QXAB", "/t/K7QX-ABCDEFGHJKMN", "/c/abcd/K7QX", "/t/POCKET-1"];
  expect(paths.filter(isPlainCode)).toEqual(["/t/K7QX", "/t/K7QXAB"]);
});
