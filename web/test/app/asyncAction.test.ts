import { beforeEach, describe, expect, it, vi } from "vitest";

beforeEach(() => vi.stubGlobal("location", { origin: "http://here" }));

describe("AsyncAction", () => {
  it("runs once at a time", async () => {
    const { AsyncAction } = await import("../../src/app/asyncAction.svelte.ts");
    const action = new AsyncAction();
    let [tables, opened] = [0, (): void => undefined];
    const open = (): Promise<void> => {
      tables += 1;
      return new Promise((done) => (opened = done));
    };
    const first = action.run(open);
    await action.run(open);
    expect([tables, action.busy]).toEqual([1, true]);
    opened();
    await first;
    expect([action.busy, action.error]).toEqual([false, null]);
  });

  it("keeps its error until the next run", async () => {
    const { AsyncAction } = await import("../../src/app/asyncAction.svelte.ts");
    const { Declined } = await import("../../src/net/api.ts");
    const action = new AsyncAction();
    await action.run(() => Promise.reject(new Declined("too_fast", "slowly")));
    expect([action.error?.reason, action.detail]).toEqual(["too_fast", "slowly"]);
    const { words } = await import("../../src/words/words.svelte.ts");
    words.lang = "fr";
    expect(action.detail, "the server's words are English").toBe("");
    await action.run(() => {
      throw new TypeError("unexpected");
    });
    expect(action.error?.reason).toBe("other");
    await action.run(() => undefined);
    expect([action.error, action.message]).toEqual([null, ""]);
  });
});
