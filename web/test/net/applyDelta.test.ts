import { describe, expect, it } from "vitest";
import { added } from "../../src/net/applyDelta.ts";
import type { Changes, State, View } from "../../src/wire.ts";

const round = { turn: 3, seats: [], shop: { top: "hat", left: 9 }, phase: { name: "draw", giver: 0 }, scores: [0, 0], winners: [] } as View;
const whole = {
  v: 7,
  view: { code: "K7QX", locked: false, deadline: { for: 0, seconds: 3 }, round },
  happened: [],
  you: [0],
  may: [{ do: "draw", seat: 0 }],
} as unknown as State;

const told = (changes: Partial<Changes>): Changes => ({ v: 8, changed: {}, round: {}, happened: [], ...changes });

describe("changes", () => {
  it("replace parts of the view and of its round, and leave the rest", () => {
    const now = added(whole, told({ changed: { deadline: null }, round: { turn: 4, phase: { name: "over" } } }));
    expect(now.v).toBe(8);
    expect(now.view.deadline).toBeNull();
    expect(now.view.code).toBe("K7QX");
    expect(now.view.round).toEqual({ ...round, turn: 4, phase: { name: "over" } });
    expect(now.may).toEqual(whole.may);
    expect(whole.view.round?.turn).toBe(3);
  });

  it("bring a new round as a whole, and may take it away", () => {
    const next = { ...round, turn: 0 };
    expect(added(whole, told({ changed: { round: next } })).view.round).toEqual(next);
    expect(added(whole, told({ changed: { round: null } })).view.round).toBeNull();
  });

  it("hold what is personal only where it changed, and an answer only for who asked", () => {
    const now = added(whole, told({ you: [], may: [], ack: "k3" }));
    expect([now.you, now.may, now.ack]).toEqual([[], [], "k3"]);
    expect("ack" in added(now, told({}))).toBe(false);
  });
});
