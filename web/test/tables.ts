// States for tests, and the English texts from the disk.

import { readFileSync } from "node:fs";
import { vi } from "vitest";
import type { Chair, State, TableView } from "../src/made/wire.ts";
import { words } from "../src/words/words.svelte.ts";

export const person = (name: string, more?: Partial<Chair>): Chair => ({ name, kind: "person", away: false, ...more });
export const bot = (name: string): Chair => ({ name, kind: "bot", away: false });

interface More extends Partial<Pick<State, "happened" | "you" | "ack">> {
  phase?: object;
  watching?: number;
  view?: object;
}
export function table(seats: Chair[], { phase, watching = 0, view, ...more }: More = {}): State {
  const round = phase && { turn: 3, phase };
  const common = { code: "HATS", stage: "play", paused: false, seats, watching, round };
  return { v: 1, view: { ...common, ...view } as unknown as TableView, happened: [], you: [0], may: [], ...more };
}

export async function loadWords(): Promise<void> {
  vi.stubGlobal("document", { documentElement: {}, querySelector: () => null });
  const read = (url: string): unknown => JSON.parse(readFileSync(`.${url}`, "utf8"));
  vi.stubGlobal("fetch", async (url: string) => ({ json: async () => read(url), ok: true }));
  await words.load("en");
}
