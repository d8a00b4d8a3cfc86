import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { unmetered } from "../src/pocket/network.ts";
import { unpacked } from "../src/pocket/pack.ts";

describe("a pack", () => {
  it("is a line of names and lengths, then what they name", () => {
    const bytes = new TextEncoder().encode('[["a.txt",3],["b/c.txt",0],["d",4]]\nüxhead');
    const files = unpacked(bytes).map(([name, content]) => [name, new TextDecoder().decode(content)]);
    expect(files).toEqual([["a.txt", "üx"], ["b/c.txt", ""], ["d", "head"]]);
  });
});

describe("what is fetched unasked", () => {
  it.each([
    [undefined, false, true],
    [undefined, true, false],
    [{ type: "wifi" }, true, true],
    [{ type: "cellular" }, true, false],
    [{ type: "cellular" }, false, false],
    [{ type: "ethernet", saveData: true }, false, false],
  ])("is paid by nobody: %o, in a hand %s", (connection, handheld, free) => {
    expect(unmetered(connection, handheld)).toBe(free);
  });
});

describe("the app", () => {
  it("may live anywhere on a host: addresses of its own pages are made by to()", () => {
    const source = new URL("../src/", import.meta.url);
    const files = readdirSync(source, { recursive: true, encoding: "utf-8" }).filter((file) => file.endsWith(".svelte"));
    const rooted = files.filter((file) => /(href|src)="\/|(href|src)=\{`\//.test(readFileSync(new URL(file, source), "utf-8")));
    expect(rooted).toEqual([]);
  });
});
