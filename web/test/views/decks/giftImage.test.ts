import { describe, expect, it } from "vitest";
import { kindOf, stripMetadata } from "../../../src/views/decks/giftImage.ts";

const bytes = (...parts: (string | number[])[]): Uint8Array =>
  new Uint8Array(parts.flatMap((part) => (typeof part === "string" ? [...Buffer.from(part)] : part)));

describe("gift images", () => {
  it("are recognised by their first bytes", () => {
    expect(["UklGRg", "/9j/4A", "iVBORw", "PHN2Zy"].map(kindOf)).toEqual(["image/webp", "image/jpeg", "image/png", ""]);
  });

  it("keep no metadata of a JPEG", () => {
    const jfif = bytes([0xff, 0xe0, 0, 16], "JFIF\0", [1, 1, 0, 0, 1, 0, 1, 0, 0]);
    const exif = bytes([0xff, 0xe1, 0, 8], "Exif\0\0");
    const table = bytes([0xff, 0xdb, 0, 4, 1, 2]);
    const scan = bytes([0xff, 0xda, 0, 2, 7, 7, 0xff, 0xd9]);
    const found = stripMetadata(bytes([0xff, 0xd8], [...jfif], [...exif], [...table], [...scan]), "image/jpeg");
    expect([...found]).toEqual([0xff, 0xd8, ...jfif, ...table, ...scan]);
  });

  it("keep no metadata of a WebP, and its size is right", () => {
    const part = (name: string, content: number[]): number[] => [...bytes(name, [content.length, 0, 0, 0], content)];
    const header = (flags: number) => part("VP8X", [flags, 0, 0, 0, 7, 0, 0, 4, 0, 0]);
    const picture = part("VP8 ", [9, 9]);
    const file = (parts: number[]) => bytes("RIFF", [parts.length + 4, 0, 0, 0], "WEBP", parts);
    const whole = [...header(0x3c), ...part("ICCP", [1, 2, 3]), 0, ...picture, ...part("EXIF", [5, 5])];
    const found = stripMetadata(file(whole), "image/webp");
    expect([...found]).toEqual([...file([...header(0x10), ...picture])]);
  });
});
