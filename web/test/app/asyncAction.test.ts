import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

beforeEach(() => vi.stubGlobal("location", { origin: "http://here" }));
afterEach(() => vi.unstubAllGlobals());

describe("what is tried by a button", () => {
  it("is done once, however often it is tapped meanwhile", async () => {
    const { Trying } = await import("../../src/app/asyncAction.svelte.ts");
    const trying = new Trying();
    let [tables, opened] = [0, (): void => undefined];
    const open = (): Promise<void> => {
      tables += 1;
      return new Promise((done) => (opened = done));
    };
    const first = trying.do(open);
    await trying.do(open);
    expect([tables, trying.busy]).toEqual([1, true]);
    opened();
    await first;
    expect([trying.busy, trying.problem]).toEqual([false, null]);
  });

  it("says why it failed, until it is tried again", async () => {
    const { Trying } = await import("../../src/app/asyncAction.svelte.ts");
    const { Declined } = await import("../../src/net/connection.ts");
    const trying = new Trying();
    await trying.do(() => Promise.reject(new Declined("too_fast", "slowly")));
    expect([trying.problem?.reason, trying.problem?.detail]).toEqual(["too_fast", "slowly"]);
    await trying.do(() => {
      throw new TypeError("nobody expected this");
    });
    expect(trying.problem?.reason).toBe("other");
    await trying.do(() => undefined);
    expect([trying.problem, trying.said]).toEqual([null, ""]);
  });
});
