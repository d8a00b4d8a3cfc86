import { beforeEach, expect, test, vi } from "vitest";
import { stubStorage } from "../../storage.ts";

stubStorage("localStorage");
const { Prompts } = await import("../../../src/views/table/prompts.svelte.ts");
const { settings } = await import("../../../src/app/settings.svelte.ts");
const { secondsOf } = await import("../../../src/game/regions.ts");

const SOUND = { name: "sound", about: 0 } as const;
const ABSENT = { name: "absent", about: 2 } as const;

beforeEach(() => void vi.useFakeTimers());

test("a prompt expires after its time on screen, not after its time in waiting", () => {
  const prompts = new Prompts();
  const ms = secondsOf(SOUND)! * 1000;
  const hide = prompts.show(SOUND);
  vi.advanceTimersByTime(ms - 1000);
  hide(); // the player must act
  vi.advanceTimersByTime(60_000);
  expect(prompts.hidden.includes("sound 0")).toBe(false);
  prompts.show(SOUND);
  vi.advanceTimersByTime(999);
  expect(prompts.hidden.includes("sound 0")).toBe(false);
  vi.advanceTimersByTime(2);
  expect(prompts.hidden.includes("sound 0")).toBe(true);
  expect(settings.asked, "it does not return with the next game").toBe(true);
});

test("a prompt that is put off comes back", () => {
  const prompts = new Prompts();
  prompts.hide(ABSENT, 20_000);
  vi.advanceTimersByTime(19_999);
  expect(prompts.hidden.includes("absent 2")).toBe(true);
  vi.advanceTimersByTime(2);
  expect(prompts.hidden.includes("absent 2")).toBe(false);
});
