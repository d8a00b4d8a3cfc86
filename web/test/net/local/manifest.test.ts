import { expect, it } from "vitest";
import { unpack } from "../../../src/net/local/manifest.ts";

it("unpacks files after a line of names and lengths", () => {
  const bytes = new TextEncoder().encode('[["a.txt",3],["b/c.txt",0],["d",4]]\nüxhead');
  const files = unpack(bytes).map(([name, content]) => [name, new TextDecoder().decode(content)]);
  expect(files).toEqual([["a.txt", "üx"], ["b/c.txt", ""], ["d", "head"]]);
});
