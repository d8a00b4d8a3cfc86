import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { askHolder } from "../../../src/net/peers/letterRequests.ts";
import type { LetterRequest } from "../../../src/net/peers/letters.ts";
import { letterRequests } from "../../../src/net/peers/peerStatus.svelte.ts";

const CODE = "PEER-K7QXAC";
const request = (name: string): LetterRequest => ({ name, gifts: ["hat", "kite"] });
const shown = (): string[] => (letterRequests.get(CODE) ?? []).map(({ name }) => name);

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

it("three requests are shown at most, each until it is answered or too old", async () => {
  const asked = ["Ann", "Ben", "Cem", "Dan"].map((name) => askHolder(CODE, request(name)));
  expect(shown()).toEqual(["Ann", "Ben", "Cem"]);
  expect(await asked[3]).toBeNull();
  letterRequests.get(CODE)![1]!.answer(true);
  expect(await asked[1]).toBe(true);
  expect(shown()).toEqual(["Ann", "Cem"]);
  await vi.advanceTimersByTimeAsync(120_000);
  expect([await asked[0], await asked[2]]).toEqual([null, null]);
  expect(shown()).toEqual([]);
});

it("after three refusals in a row nobody is asked for a minute", async () => {
  const again = askHolder(CODE, request("Ben"));
  letterRequests.get(CODE)![0]!.answer(true);
  expect(await again).toBe(true);
  for (const name of ["Eve", "Eve", "Eve"]) {
    const asked = askHolder(CODE, request(name));
    letterRequests.get(CODE)![0]!.answer(false);
    expect(await asked).toBe(false);
  }
  expect(await askHolder(CODE, request("Eve"))).toBeNull();
  await vi.advanceTimersByTimeAsync(61_000);
  void askHolder(CODE, request("Ben"));
  expect(shown()).toEqual(["Ben"]);
});
