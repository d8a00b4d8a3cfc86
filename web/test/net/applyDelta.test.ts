import { describe, expect, it } from "vitest";
import { applyDelta } from "../../src/net/connection.ts";
import type { Changes, State, View } from "../../src/made/wire.ts";

const shop = { top: "hat", left: 9 };
const round = { turn: 3, seats: [], shop, phase: { name: "draw", giver: 0 }, scores: [0, 0], winners: [] } as View;
const whole = {
  v: 7,
  view: { code: "K7QX", locked: false, deadline: { for: 0, seconds: 3 }, round },
  happened: [],
  you: [0],
  may: [{ do: "draw", seat: 0 }],
} as unknown as State;

const delta = (changes: Partial<Changes>): Changes => ({ v: 8, changed: {}, round: {}, happened: [], ...changes });

describe("applyDelta", () => {
  it("replaces parts of view and round and keeps the rest", () => {
    const now = applyDelta(whole, delta({ changed: { deadline: null }, round: { turn: 4, phase: { name: "over" } } }));
    expect(now.v).toBe(8);
    expect(now.view.deadline).toBeNull();
    expect(now.view.code).toBe("K7QX");
    expect(now.view.round).toEqual({ ...round, turn: 4, phase: { name: "over" } });
    expect(now.may).toEqual(whole.may);
    expect(whole.view.round?.turn).toBe(3);
  });

  it("replaces or removes the whole round", () => {
    const next = { ...round, turn: 0 };
    expect(applyDelta(whole, delta({ changed: { round: next } })).view.round).toEqual(next);
    expect(applyDelta(whole, delta({ changed: { round: null } })).view.round).toBeNull();
  });

  it("replaces personal fields if they changed, and drops an old ack", () => {
    const now = applyDelta(whole, delta({ you: [], may: [], ack: "k3" }));
    expect([now.you, now.may, now.ack]).toEqual([[], [], "k3"]);
    expect("ack" in applyDelta(now, delta({}))).toBe(false);
  });
});
