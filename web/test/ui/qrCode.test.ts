import { createHash } from "node:crypto";
import { expect, it } from "vitest";
import { qrCode } from "../../src/ui/qrCode.ts";

const LINK = `https://example.org/games/hat/#PEER-4MDGDG.${"aB3_-".repeat(60)}`;

// The longest text of each version, and the hash of the code that segno draws of it with the same mask.
const FROM_SEGNO: [number, string][] = [
  [14, "381f465cecde7ad3"],
  [26, "4c596bc2728a4417"],
  [42, "1a9d6f6f87c71d8a"],
  [62, "c99e830b734ca060"],
  [84, "8c5e51b9018c2586"],
  [106, "c3c12d6c35a28790"],
  [122, "a7aa520e9d365f7d"],
  [152, "a3496cd7a4f7233a"],
  [180, "7cc835eaad37a86f"],
  [213, "401327ecfcf225da"],
];

it.each(FROM_SEGNO)("a text of %i bytes gives the code that segno draws", (length, expected) => {
  const grid = qrCode(LINK.slice(0, length))!;
  const text = grid.map((row) => row.map(Number).join("")).join("\n");
  expect(createHash("sha256").update(text).digest("hex").slice(0, 16)).toBe(expected);
});

it("a text that is too long has no code", () => expect(qrCode(LINK.slice(0, 214))).toBeNull());
