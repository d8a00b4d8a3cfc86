import { beforeEach, expect, it, vi } from "vitest";
import { stubStorage } from "../storage.ts";

type Tab = typeof import("../../src/app/settings.svelte.ts");

async function openTab(): Promise<Tab> {
  vi.resetModules();
  return import("../../src/app/settings.svelte.ts");
}

beforeEach(() => stubStorage("localStorage"));

it("does not overwrite the settings of another tab", async () => {
  const table = await openTab();
  const other = await openTab();
  other.updateSettings({ theme: "dark", lang: "nl", sound: true });
  other.updateSettings({ games: 3 });
  table.updateSettings({ table: "K7QX" });
  const later = (await openTab()).settings;
  expect([later.theme, later.lang, later.sound, later.games, later.table]).toEqual(["dark", "nl", true, 3, "K7QX"]);
  expect([table.settings.theme, table.settings.table]).toEqual(["auto", "K7QX"]); // an open tab does not change
});
