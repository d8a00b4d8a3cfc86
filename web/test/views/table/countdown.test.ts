import { expect, test, vi } from "vitest";

vi.stubGlobal("localStorage", { getItem: () => null, setItem: () => undefined });
const { Countdown } = await import("../../../src/views/table/countdown.svelte.ts");

test("a countdown shows the seconds left from its first drawing on", () => {
  expect(new Countdown(() => ({ for: 1, seconds: 6.5 })).left).toBe(7);
  expect(new Countdown(() => ({ for: 1, seconds: 0 })).left).toBe(0);
  expect(new Countdown(() => null).left).toBe(Infinity);
});
