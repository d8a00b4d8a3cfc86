import { afterEach, beforeEach, expect, it, vi } from "vitest";

type Settings = (typeof import("../../src/app/settings.svelte.ts"))["settings"];

/** Another tab of the same browser. */
async function tab(): Promise<Settings> {
  vi.resetModules();
  return (await import("../../src/app/settings.svelte.ts")).settings;
}

beforeEach(() => {
  const kept = new Map<string, string>();
  vi.stubGlobal("localStorage", { getItem: (key: string) => kept.get(key) ?? null, setItem: (key: string, value: string) => kept.set(key, value) });
});
afterEach(() => vi.unstubAllGlobals());

it("what is set in one tab is not undone by a table in another", async () => {
  const atTable = await tab();
  const beside = await tab();
  beside.keep({ theme: "dark", lang: "nl", sound: true });
  beside.keep({ games: 3 });
  atTable.keep({ table: "K7QX" });
  const later = await tab();
  expect([later.theme, later.lang, later.sound, later.games, later.table]).toEqual(["dark", "nl", true, 3, "K7QX"]);
  expect([atTable.theme, atTable.table]).toEqual(["auto", "K7QX"]); // nothing changes under somebody's eyes
});
