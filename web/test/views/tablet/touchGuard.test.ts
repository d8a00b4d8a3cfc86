import { describe, expect, it, vi } from "vitest";
import { stubStorage } from "../../storage.ts";

stubStorage("localStorage");
const { DelayedMove, isIntended } = await import("../../../src/views/tablet/touchGuard.svelte.ts");

describe("the touch guard", () => {
  it("ignores broad and long touches", () => {
    expect(isIntended({ kind: "touch", at: 0, width: 24 }, 120)).toBe(true);
    expect(isIntended({ kind: "touch", at: 0, width: 120 }, 120)).toBe(false);
    expect(isIntended({ kind: "touch", at: 0, width: 24 }, 3000)).toBe(false);
  });
  it("accepts mouse and keyboard", () => {
    expect(isIntended({ kind: "mouse", at: 0, width: 1 }, 3000)).toBe(true);
    expect(isIntended(null, 0)).toBe(true);
  });
});

describe("a move that can be taken back", () => {
  it("stays said after it was sent, until its answer is shown", () => {
    vi.useFakeTimers();
    const send = vi.fn();
    const delayed = new DelayedMove(send);
    const command = { do: "accept", turn: 3 } as const;
    delayed.do(1, command);
    expect(delayed.waiting).toEqual({ seat: 1, command });
    vi.advanceTimersByTime(delayed.ms);
    expect(send).toHaveBeenCalledExactlyOnceWith(command);
    expect(delayed.waiting).toEqual({ seat: 1, command, sent: true });
    delayed.takeBack();
    expect(delayed.waiting).toBeNull();
  });
});
