import { expect, test } from "vitest";
import { manifestIn } from "../../plugins/manifestPlugin.ts";
import { LANGUAGES } from "../../src/words/words.svelte.ts";

interface Manifest {
  lang: string;
  description: string;
  icons: { purpose?: string }[];
  shortcuts: { name: string }[];
}

test("every language has a manifest of its own", () => {
  const all = Object.keys(LANGUAGES).map((lang) => JSON.parse(manifestIn(lang)) as Manifest);
  expect(all.map(({ lang }) => lang)).toEqual(Object.keys(LANGUAGES));
  expect(new Set(all.map(({ description }) => description)).size).toBe(all.length);
  expect(new Set(all.map(({ shortcuts }) => shortcuts[0]!.name)).size).toBe(all.length);
  expect(all.every(({ icons }) => icons.some(({ purpose }) => purpose === "maskable"))).toBe(true);
});
