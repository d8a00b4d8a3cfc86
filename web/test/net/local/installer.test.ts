import { describe, expect, it, vi } from "vitest";
import { isUnmetered, networkIdle } from "../../../src/net/local/installer.svelte.ts";

describe("isUnmetered", () => {
  it.each([
    [undefined, false, true],
    [undefined, true, false],
    [{ type: "wifi" }, true, true],
    [{ type: "cellular" }, true, false],
    [{ type: "cellular" }, false, false],
    [{ type: "ethernet", saveData: true }, false, false],
  ])("%o, handheld %s: %s", (network, handheld, unmetered) => {
    expect(isUnmetered(network, handheld)).toBe(unmetered);
  });
});

describe("networkIdle", () => {
  it("resolves after five seconds without a fetch", async () => {
    vi.useFakeTimers();
    let onFetch = (): void => undefined;
    const observer = class {
      constructor(callback: () => void) {
        onFetch = callback;
      }
      observe(): void {}
      disconnect(): void {}
    };
    vi.stubGlobal("PerformanceObserver", observer);
    let idle = false;
    void networkIdle().then(() => (idle = true));
    await vi.advanceTimersByTimeAsync(4000);
    onFetch();
    await vi.advanceTimersByTimeAsync(4900);
    expect(idle).toBe(false);
    await vi.advanceTimersByTimeAsync(200);
    expect(idle).toBe(true);
  });
});
