import { describe, expect, it } from "vitest";
import { absentSeat, isSolo, waitingName } from "../../src/game/absence.ts";
import { bot, person, table } from "../tables.ts";

describe("absentSeat", () => {
  const away = [person("Ada"), person("Ben", { away: true })];
  it.each([
    [{ name: "draw", giver: 1 }, 1],
    [{ name: "give", giver: 1 }, 1],
    [{ name: "answer", giver: 0, receiver: 1 }, 1],
    [{ name: "answer", giver: 1, receiver: 0 }, null],
    [{ name: "wrap", giver: 1 }, null],
    [{ name: "judge", giver: 1, receiver: 0 }, null],
  ])("is the absent person who must act: %o", (phase, seat) => {
    expect(absentSeat(table(away, { phase }).view)).toBe(seat);
  });
  it("is null with a stand-in or during a pause", () => {
    const phase = { name: "draw", giver: 1 };
    const standIn = [person("Ada"), person("Ben", { away: true, stand_in: true })];
    expect(absentSeat(table(standIn, { phase }).view)).toBe(null);
    expect(absentSeat(table(away, { phase, view: { paused: true } }).view)).toBe(null);
  });
});

describe("isSolo", () => {
  it("is true if all other players are computer players", () => {
    expect(isSolo(table([person("Ada"), bot("Bo")]))).toBe(true);
    expect(isSolo(table([person("Ada"), person("Ben"), bot("Bo")], { you: [0, 1] }))).toBe(true);
    expect(isSolo(table([person("Ada"), person("Ben")]))).toBe(false);
    expect(isSolo(table([bot("Bo"), bot("Cleo")], { you: [] }))).toBe(false);
  });
});

describe("waitingName", () => {
  it("is the name in the permission to leave without a seat", () => {
    expect(waitingName({ may: [{ do: "leave", names: ["Eve"] }] })).toBe("Eve");
    expect(waitingName({ may: [{ do: "leave", seat: 0 }] })).toBe(undefined);
  });
});
