import { describe, expect, test } from "vitest";
import { chooseRegions, promptKey, secondsOf } from "../../src/game/regions.ts";
import type { PromptSettings, RegionInput } from "../../src/game/regions.ts";
import type { May } from "../../src/made/wire.ts";
import { person, table } from "../tables.ts";

const ALL = { votes: true, sound: true, notify: true, controller: true };
const EVERYTHING: PromptSettings = { asks: ALL, hidden: [], shown: null, voted: null };
const ONLY_VOTES = { ...EVERYTHING, asks: { votes: true, sound: false, notify: false, controller: false } };
const CARD = { face: "down", back: "left" };
const OFFER = { name: "answer", giver: 1, receiver: 2, claim: "kite", card: CARD, from_shop: false };
const CHOOSES = { name: "give", giver: 1, receivers: [2] };
const NOT_GIVING = { waiting: false, picking: false, sent: false, sentence: null };

type More = { phase?: object; away?: number; may?: May[]; you?: number[]; view?: object } & Partial<RegionInput>;

/** Ada (0) at a table with Ben (1) and Cleo (2). */
function input(more: More = {}): RegionInput {
  const seats = ["Ada", "Ben", "Cleo"].map((name, seat) => person(name, { away: seat === more.away }));
  const { phase = OFFER, you = [0], view = {}, may = [] } = more;
  const state = { ...table(seats, { phase, you, view }), may };
  const scene = { view: state.view, beat: "present", stamped: false, closeUp: null, sentence: null } as const;
  const rest = { settled: true, giving: NOT_GIVING, controls: false, prompts: EVERYTHING };
  return { scene, table: state, ...rest, ...more } as RegionInput;
}

const DRAWS = { name: "draw", giver: 1 };
const firstLook = { phase: DRAWS, view: { round: { turn: 0, phase: DRAWS } } };
const shown = (given: RegionInput): string | null => {
  const { prompt, actions } = chooseRegions(given);
  expect(prompt === null || actions === null, "one thing at a time").toBe(true);
  return actions ?? prompt?.name ?? null;
};

describe("priority", () => {
  test("must act > away > own seat > knock > idle > ready > vote > controller > sound > study > tips", () => {
    const sitIn = { do: "sit_in", seats: [2] };
    const knock = { do: "answer_knock", names: ["Eve"] };
    expect(shown(input({ may: [{ do: "accept", seat: 0 }, sitIn] }))).toBe("moves");
    expect(shown(input({ away: 2, may: [sitIn] }))).toBe("absent");
    expect(shown(input({ away: 2, may: [sitIn, knock] }))).toBe("absent");
    expect(shown(input({ may: [{ do: "take_back", seat: 0 }, knock] }))).toBe("seat"); // from a computer
    expect(shown(input({ ...firstLook, may: [{ do: "ready" }, knock] }))).toBe("knock");
    const idle = { view: { idle: { for: 2, help: true } } };
    expect(shown(input({ ...idle, phase: CHOOSES, may: [{ do: "nudge", seats: [2] }] }))).toBe("idle");
    expect(shown(input({ ...idle, may: [{ do: "nudge", seats: [2] }, knock] }))).toBe("knock");
    expect(shown(input({ ...idle, may: [{ do: "accept", seat: 0 }, { do: "nudge", seats: [2] }] }))).toBe("moves");
    expect(shown(input({ ...firstLook, may: [{ do: "ready" }] }))).toBe("ready");
    expect(shown(input())).toBe("vote");
    expect(shown(input({ phase: CHOOSES }))).toBe("controller");
    const probe = { do: "probe", turn: 7, about: "give" } as const;
    expect(shown(input({ may: [probe], prompts: ONLY_VOTES }))).toBe("vote");
    const choosing = { phase: CHOOSES, may: [probe], prompts: ONLY_VOTES };
    expect(chooseRegions(input(choosing)).prompt).toEqual({ name: "probe", about: 7 });
  });

  test("the question about sound waits for a calm moment, and then leaves for moves only", () => {
    const own = { ...CHOOSES, giver: 0 };
    const open = { name: "wrap", giver: 1, card: { face: "up", gift: "kite" }, from_shop: true };
    const waits = { ...EVERYTHING, asks: { ...EVERYTHING.asks, controller: false } };
    const stays = { ...waits, shown: promptKey({ name: "sound", about: 0 }) };
    const scene = { ...input({ phase: CHOOSES }).scene, beat: "flies" as const };
    const flies = { phase: CHOOSES, settled: false, scene };
    for (const [name, given] of Object.entries({ own: { phase: own }, open: { phase: open }, flies })) {
      expect(shown(input({ ...given, prompts: waits })), name).toBeNull();
      expect(shown(input({ ...given, prompts: stays })), name).toBe("sound");
    }
    expect(shown(input({ phase: own, may: [{ do: "give", seat: 0 }], prompts: stays }))).toBe("moves");
    for (const prompts of [waits, stays]) expect(shown(input({ phase: CHOOSES, prompts }))).toBe("sound");
    expect(shown(input({ prompts: waits })), "a vote comes before").toBe("vote");
    expect(shown(input({ prompts: stays })), "but does not take its place").toBe("sound");
    expect(shown(input({ you: [], prompts: waits })), "spectators vote").toBe("vote");
    expect(shown(input({ you: [], phase: CHOOSES, prompts: waits })), "and are not asked about sound").toBe("late");
  });

  test("the vote waits until the absent player is back, or the question was put off", () => {
    const absent = input({ away: 2, may: [{ do: "sit_in", seats: [2] }] });
    expect(chooseRegions(absent).prompt).toEqual({ name: "absent", about: 2 });
    const putOff = { ...ONLY_VOTES, hidden: [promptKey({ name: "absent", about: 2 })] };
    expect(shown({ ...absent, prompts: putOff })).toBe("vote");
  });

  test("the vote keeps its place until it is answered or closed, and then an idle player may be nudged", () => {
    const idle = input({ view: { idle: { for: 2, help: true } }, may: [{ do: "nudge", seats: [2] }] });
    const vote = chooseRegions(idle).prompt!;
    for (const answer of [{ voted: vote.about }, { hidden: [promptKey(vote)] }])
      expect([vote.name, shown({ ...idle, prompts: { ...EVERYTHING, ...answer } })]).toEqual(["vote", "idle"]);
  });

  test("guests without a seat are asked to join, and nothing else", () => {
    expect(shown(input({ you: [], prompts: ONLY_VOTES })), "spectators vote, too").toBe("vote");
    const nothing = { ...ONLY_VOTES, asks: { ...ONLY_VOTES.asks, votes: false } };
    expect(shown(input({ you: [], prompts: nothing }))).toBe("late");
  });
});

describe("prompts belong to the present", () => {
  test("none is shown while something moves, after the round, or without settings", () => {
    const given = input({ prompts: ONLY_VOTES });
    expect(shown({ ...given, scene: { ...given.scene, beat: "flies" } as never })).toBeNull();
    expect(shown({ ...given, settled: false }), "a move is unanswered").toBeNull();
    expect(shown({ ...given, prompts: null })).toBeNull();
    expect(shown({ ...given, prompts: null, controls: true }), "a replay has its own buttons").toBe("controls");
  });

  test("none is shown over a gift that is seen from near", () => {
    const asked = input({ phase: CHOOSES });
    const near = (beat: string, closeUp: object | null): string | null =>
      shown({ ...asked, settled: false, scene: { ...asked.scene, beat, closeUp } as never });
    for (const beat of ["close", "turns", "breath"])
      expect([near(beat, {}), near(beat, null)]).toEqual([null, "controller"]);
    const absent = input({ away: 2, may: [{ do: "sit_in", seats: [2] }] });
    expect(shown({ ...absent, settled: false }), "nor take the place of a more important one").toBeNull();
    expect(shown(input({ view: { stage: "over" } }))).toBeNull();
  });

  test("the vote stays while the answer is shown, until the gift is revealed", () => {
    const offered = input({ prompts: ONLY_VOTES });
    const phase = { name: "give", giver: 2, receivers: [0] };
    const after = input({ phase, view: { round: { turn: 8, phase } }, prompts: ONLY_VOTES, settled: false });
    const during = (beat: string): RegionInput => ({ ...after, scene: { ...offered.scene, beat } as never });
    for (const beat of ["still", "thanks", "lands", "both", "leaves", "closes"])
      expect(chooseRegions(during(beat)).prompt, beat).toEqual({ name: "vote", about: offered.table.view.round!.turn });
    for (const beat of ["turns", "breath", "stamp", "keeps"]) expect(shown(during(beat)), beat).toBeNull();
  });

  test("the first look is not asked for during the last reveal", () => {
    const view = { ...firstLook.view, stage: "between" };
    expect(shown(input({ ...firstLook, view, may: [{ do: "ready" }] }))).toBeNull();
  });

  test("questions that need no answer expire, others do not", () => {
    expect(secondsOf({ name: "sound", about: 0 })).toBeLessThanOrEqual(20);
    expect(secondsOf({ name: "controller", about: 0 })).toBeLessThanOrEqual(20);
    expect(secondsOf({ name: "absent", about: 0 })).toBeUndefined();
    expect(secondsOf({ name: "vote", about: 0 })).toBeUndefined();
  });
});
