import { existsSync } from "node:fs";
import { expect, test } from "vitest";
import { manifestIn } from "../../plugins/manifestPlugin.ts";
import { LANGUAGES } from "../../src/words/words.svelte.ts";

interface Manifest {
  lang: string;
  description: string;
  icons: { src: string; purpose?: string }[];
  screenshots: { src: string }[];
  shortcuts: { name: string }[];
}

test("every language has a manifest of its own", () => {
  const all = Object.keys(LANGUAGES).map((lang) => JSON.parse(manifestIn(lang)) as Manifest);
  expect(all.map(({ lang }) => lang)).toEqual(Object.keys(LANGUAGES));
  expect(new Set(all.map(({ description }) => description)).size).toBe(all.length);
  expect(new Set(all.map(({ shortcuts }) => shortcuts[0]!.name)).size).toBe(all.length);
  expect(all.every(({ icons }) => icons.some(({ purpose }) => purpose === "maskable"))).toBe(true);
  const pictures = all.flatMap(({ icons, screenshots }) => [...icons, ...screenshots]);
  expect(pictures.filter(({ src }) => !existsSync(new URL(`../../public/${src}`, import.meta.url)))).toEqual([]);
});
