// States for tests, and the English texts from the disk.

import { readFileSync } from "node:fs";
import { vi } from "vitest";
import type { Chair, Shown, State, TableView } from "../src/made/wire.ts";
import { words } from "../src/words/words.svelte.ts";

export const person = (name: string, more: Partial<Chair> = {}): Chair => ({ name, kind: "person", away: false, ...more });
export const bot = (name: string): Chair => ({ name, kind: "bot", away: false });

export function table(seats: Chair[], more: { phase?: object; watching?: number; happened?: Shown[]; you?: number[]; ack?: string; view?: object } = {}): State {
  const round = more.phase && ({ turn: 3, phase: more.phase } as unknown as TableView["round"]);
  const view = { code: "HATS", stage: "play", paused: false, seats, watching: more.watching ?? 0, round, ...more.view } as unknown as TableView;
  const state = { v: 1, view, happened: more.happened ?? [], you: more.you ?? [0], may: [] } as State;
  return more.ack === undefined ? state : { ...state, ack: more.ack };
}

export async function loadWords(): Promise<void> {
  vi.stubGlobal("document", { documentElement: {} });
  vi.stubGlobal("fetch", async (url: string) => ({ json: async () => JSON.parse(readFileSync(`.${url}`, "utf8")) as unknown, ok: true }));
  await words.load("en");
}
