import { readFileSync } from "node:fs";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { may, mayAbout } from "../../src/game/permissions.ts";
import { alone, waitsAs, whoIsAway } from "../../src/game/absence.ts";
import { news, untold } from "../../src/game/news.ts";
import type { Chair, Shown, State, TableView } from "../../src/wire.ts";
import { words } from "../../src/words/words.svelte.ts";

const person = (name: string, more: Partial<Chair> = {}): Chair => ({ name, kind: "person", away: false, ...more });
const bot = (name: string): Chair => ({ name, kind: "bot", away: false });

function table(seats: Chair[], more: { phase?: object; watching?: number; happened?: Shown[]; you?: number[]; ack?: string; view?: object } = {}): State {
  const round = more.phase && ({ turn: 3, phase: more.phase } as unknown as TableView["round"]);
  const view = { code: "HATS", stage: "play", paused: false, seats, watching: more.watching ?? 0, round, ...more.view } as unknown as TableView;
  const state = { v: 1, view, happened: more.happened ?? [], you: more.you ?? [0], may: [] } as State;
  return more.ack === undefined ? state : { ...state, ack: more.ack };
}
const told = (before: State | null, now: State): string[] => news(before, now).map(({ text }) => text);

beforeAll(async () => {
  vi.stubGlobal("document", { documentElement: {} });
  vi.stubGlobal("fetch", async (url: string) => ({ json: async () => JSON.parse(readFileSync(`.${url}`, "utf8")) as unknown, ok: true }));
  await words.load("en");
});

describe("who is away", () => {
  it.each([
    [{ name: "draw", giver: 1 }, 1],
    [{ name: "give", giver: 1 }, 1],
    [{ name: "answer", giver: 0, receiver: 1 }, 1],
    [{ name: "answer", giver: 1, receiver: 0 }, null],
    [{ name: "wrap", giver: 1 }, null],
    [{ name: "judge", giver: 1, receiver: 0 }, null],
  ])("is whoever must act and is not there: %o", (phase, seat) => {
    expect(whoIsAway(table([person("Ada"), person("Ben", { away: true })], { phase }).view)).toBe(seat);
  });
  it("is nobody for whom a computer plays, and nobody while the game is paused", () => {
    const phase = { name: "draw", giver: 1 };
    expect(whoIsAway(table([person("Ada"), person("Ben", { away: true, stand_in: true })], { phase }).view)).toBe(null);
    expect(whoIsAway(table([person("Ada"), person("Ben", { away: true })], { phase, view: { paused: true } }).view)).toBe(null);
  });
});

describe("alone", () => {
  it("is whoever sits with computers only, also with several on one device", () => {
    expect(alone(table([person("Ada"), bot("Bo")]))).toBe(true);
    expect(alone(table([person("Ada"), person("Ben"), bot("Bo")], { you: [0, 1] }))).toBe(true);
    expect(alone(table([person("Ada"), person("Ben")]))).toBe(false);
    expect(alone(table([bot("Bo"), bot("Cleo")], { you: [] }))).toBe(false);
  });
});

describe("what may be done about people", () => {
  it("is found by seat, and the name of who waits by the order to leave", () => {
    expect(mayAbout({ may: [{ do: "sit_in", seats: [1, 2] }] }, "sit_in", 2)?.do).toBe("sit_in");
    expect(mayAbout({ may: [{ do: "sit_in", seats: [1] }] }, "sit_in", 2)).toBe(undefined);
    expect(may({ may: [{ do: "leave", seat: 0 }, { do: "leave", seat: 1 }] }, "leave", 1)?.seat).toBe(1);
    // @ts-expect-error: a misspelt order does not compile
    expect(may({ may: [{ do: "leave", seat: 0 }] }, "leaves")).toBe(undefined);
    expect(waitsAs({ may: [{ do: "leave", names: ["Eve"] }] })).toBe("Eve");
    expect(waitsAs({ may: [{ do: "leave", seat: 0 }] })).toBe(undefined);
  });
});

describe("news", () => {
  it("is applause by those who watch, also for whoever clapped", () => {
    const two = [person("Ada"), person("Ben")];
    const clap: Shown = { event: "applauded", emote: "clap" };
    expect(told(table(two), table(two, { happened: [clap] }))).toEqual(["Somebody watching: Well done!"]);
    expect(told(table(two), table(two, { happened: [clap], ack: "k3f9", you: [] }))).toEqual(["Somebody watching: Well done!"]);
  });
  const two = [person("Ada"), person("Ben")];
  it("is nothing at first sight", () => {
    expect(told(null, table(two, { happened: [{ event: "locked", locked: true }] }))).toEqual([]);
  });
  it("tells what others did, and not what one did oneself", () => {
    const happened: Shown[] = [{ event: "locked", locked: true }];
    expect(told(table(two), table(two, { happened }))).toEqual(["The table is locked."]);
    expect(told(table(two), table(two, { happened, ack: "k3f9" }))).toEqual([]);
  });
  it("leaves the moves of the round to the table", () => {
    expect(told(table(two), table(two, { happened: [{ event: "accepted", giver: 0, receiver: 1 }] }))).toEqual([]);
  });
  it("tells who is away and who is here again", () => {
    const without = [person("Ada"), person("Ben", { away: true })];
    expect(news(table(two), table(without))).toEqual([{ text: "Ben is away.", aloud: true }]);
    expect(told(table(without), table(two))).toEqual(["Ben is here again."]);
  });
  it("tells how many watch when somebody comes, and when nobody does any more", () => {
    expect(told(table(two), table(two, { watching: 1 }))).toEqual(["Somebody is watching."]);
    expect(told(table(two, { watching: 1 }), table(two, { watching: 3 }))).toEqual(["3 people are watching."]);
    expect(told(table(two, { watching: 3 }), table(two, { watching: 2 }))).toEqual([]);
    expect(told(table(two, { watching: 1 }), table(two))).toEqual(["Nobody is watching any more."]);
  });
  it("of the lobby is old when gifts are dealt, and only the last three are told", () => {
    const lobby = (...happened: Shown[]): State => table(two, { happened, view: { stage: "lobby" } });
    const locked = (locked: boolean): State => lobby({ event: "locked", locked });
    const four = [locked(true), locked(false), locked(true), locked(false)].reduce(
      ({ waiting, before }, now) => ({ waiting: untold(waiting, before, now), before: now }), { waiting: untold([], null, lobby()), before: lobby() });
    expect(four.waiting.map(({ text }) => text)).toEqual(["The table is open.", "The table is locked.", "The table is open."]);
    expect(untold(four.waiting, four.before, table(two, { watching: 1 }))).toEqual(news(four.before, table(two, { watching: 1 })));
    expect(untold(four.waiting, table(two), table(two))).toEqual(four.waiting);
  });
  it("tells that time was up, to oneself in other words", () => {
    expect(told(table(two), table(two, { happened: [{ event: "out_of_time", seat: 0 }] }))).toEqual(["Time was up. A computer said this for you."]);
    expect(told(table(two), table(two, { happened: [{ event: "out_of_time", seat: 1 }] }))[0]).toContain("Time was up for Ben");
  });
});
