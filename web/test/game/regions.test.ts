import { describe, expect, test } from "vitest";
import { chooseNotice, chooseRegions, promptKey, secondsOf, voteBelow, type PromptSettings, type RegionInput } from "../../src/game/regions.ts";
import type { May } from "../../src/made/wire.ts";
import { person, table } from "../tables.ts";

const EVERYTHING: PromptSettings = { asks: { votes: true, sound: true, notify: true, controller: true }, hidden: [] };
const ONLY_VOTES: PromptSettings = { asks: { votes: true, sound: false, notify: false, controller: false }, hidden: [] };
const OFFER = { name: "answer", giver: 1, receiver: 2, claim: "kite", card: { face: "down", back: "left" }, from_shop: false };
const NOT_GIVING = { waiting: false, picking: false, sent: false, sentence: null };

/** Ada (0) at a table with Ben (1) and Cleo (2). */
function input(more: { phase?: object; away?: number; may?: May[]; you?: number[]; view?: object } & Partial<RegionInput> = {}): RegionInput {
  const seats = ["Ada", "Ben", "Cleo"].map((name, seat) => person(name, { away: seat === more.away }));
  const state = { ...table(seats, { phase: more.phase ?? OFFER, you: more.you ?? [0], view: more.view ?? {} }), may: more.may ?? [] };
  const scene = { view: state.view, beat: "present", stamped: false, sentence: null } as const;
  return { scene, table: state, settled: true, giving: NOT_GIVING, controls: false, prompts: EVERYTHING, ...more } as RegionInput;
}

const firstLook = { phase: { name: "draw", giver: 1 }, view: { round: { turn: 0, phase: { name: "draw", giver: 1 } } } };
const shown = (given: RegionInput): string | null => {
  const { prompt, actions } = chooseRegions(given);
  expect(prompt === null || actions === null, "one thing at a time").toBe(true);
  return actions ?? prompt?.name ?? null;
};

describe("priority", () => {
  test("must act > away > knock > idle > ready > controller > sound > vote > study > tips", () => {
    const sitIn = { do: "sit_in", seats: [2] };
    const knock = { do: "answer_knock", names: ["Eve"] };
    expect(shown(input({ may: [{ do: "accept", seat: 0 }, sitIn] }))).toBe("moves");
    expect(shown(input({ away: 2, may: [sitIn] }))).toBe("absent");
    expect(shown(input({ away: 2, may: [sitIn, knock] }))).toBe("absent");
    expect(shown(input({ ...firstLook, may: [{ do: "ready" }, knock] }))).toBe("knock");
    const idle = { view: { idle: { for: 2, help: true } } };
    expect(shown(input({ ...idle, may: [{ do: "nudge", seats: [2] }] }))).toBe("idle");
    expect(shown(input({ ...idle, may: [{ do: "nudge", seats: [2] }, knock] }))).toBe("knock");
    expect(shown(input({ ...idle, prompts: ONLY_VOTES })), "a guest who may not help").toBe("vote");
    expect(shown(input({ ...idle, may: [{ do: "accept", seat: 0 }, { do: "nudge", seats: [2] }] }))).toBe("moves");
    expect(shown(input({ ...firstLook, may: [{ do: "ready" }] }))).toBe("ready");
    expect(shown(input())).toBe("controller");
    const probe = { do: "probe", turn: 7, about: "give" } as const;
    expect(shown(input({ may: [probe], prompts: ONLY_VOTES }))).toBe("vote");
    const choosing = { phase: { name: "give", giver: 1, receivers: [2] }, may: [probe], prompts: ONLY_VOTES };
    expect(chooseRegions(input(choosing)).prompt).toEqual({ name: "probe", about: 7 });
    const asks = { votes: true, sound: true, notify: true, controller: false };
    expect(shown(input({ prompts: { asks, hidden: [] } }))).toBe("sound");
    expect(shown(input({ phase: { ...OFFER, receiver: 0 }, prompts: { asks, hidden: [] } })), "not between own moves").toBeNull();
    const open = { name: "wrap", giver: 1, card: { face: "up", gift: "kite" }, from_shop: true };
    expect(shown(input({ phase: open, prompts: { asks, hidden: [] } })), "not while a gift has to be remembered").toBeNull();
    expect(shown(input({ prompts: ONLY_VOTES }))).toBe("vote");
  });

  test("votes do not alternate with a question that waits for a calm moment", () => {
    const { scene } = input();
    const thanks = { scene: { ...scene, beat: "thanks" }, phase: { ...OFFER, giver: 2, receiver: 0 } } as const;
    expect(shown(input({ ...thanks, prompts: ONLY_VOTES }))).toBe("vote");
    const asks = { votes: true, sound: true, notify: false, controller: false };
    expect(shown(input({ ...thanks, prompts: { asks, hidden: [] } }))).toBeNull();
    expect(shown(input({ you: [], prompts: { asks, hidden: [] } })), "a spectator is not asked about sound").toBe("vote");
  });

  test("the vote waits until the absent player is back, or the question was put off", () => {
    const absent = input({ away: 2, may: [{ do: "sit_in", seats: [2] }] });
    expect(chooseRegions(absent).prompt).toEqual({ name: "absent", about: 2 });
    const putOff = { ...ONLY_VOTES, hidden: [promptKey({ name: "absent", about: 2 })] };
    expect(shown({ ...absent, prompts: putOff })).toBe("vote");
  });

  test("a controller keeps the vote below the nudge", () => {
    const idle = input({ view: { idle: { for: 2, help: true } }, may: [{ do: "nudge", seats: [2] }], prompts: ONLY_VOTES });
    expect([chooseRegions(idle).prompt?.name, voteBelow(idle)?.name]).toEqual(["idle", "vote"]);
    expect(voteBelow(input({ prompts: ONLY_VOTES })), "which is the only question").toBeNull();
  });

  test("guests without a seat are asked to join, and nothing else", () => {
    expect(shown(input({ you: [], prompts: ONLY_VOTES })), "spectators vote, too").toBe("vote");
    expect(shown(input({ you: [], prompts: { ...ONLY_VOTES, asks: { ...ONLY_VOTES.asks, votes: false } } }))).toBe("late");
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

  test("questions about no move stay while something moves", () => {
    const given = input();
    expect(shown({ ...given, settled: false, scene: { ...given.scene, beat: "flies" } as never })).toBe("controller");
    const absent = input({ away: 2, may: [{ do: "sit_in", seats: [2] }] });
    expect(shown({ ...absent, settled: false }), "nor take the place of a more important one").toBeNull();
    expect(shown(input({ view: { stage: "over" } }))).toBeNull();
  });

  test("the vote stays while the answer is shown, until the gift is revealed", () => {
    const offered = input({ prompts: ONLY_VOTES });
    const after = input({ phase: { name: "give", giver: 2, receivers: [0] }, view: { round: { turn: 8, phase: { name: "give", giver: 2, receivers: [0] } } } });
    const during = (beat: string): RegionInput => ({ ...after, prompts: ONLY_VOTES, settled: false, scene: { ...offered.scene, beat } as never });
    for (const beat of ["still", "thanks", "lands", "both", "leaves", "closes"])
      expect(chooseRegions(during(beat)).prompt, beat).toEqual({ name: "vote", about: offered.table.view.round!.turn });
    for (const beat of ["turns", "breath", "stamp", "keeps"]) expect(shown(during(beat)), beat).toBeNull();
  });

  test("the first look is not asked for during the last reveal", () => {
    expect(shown(input({ ...firstLook, view: { ...firstLook.view, stage: "between" }, may: [{ do: "ready" }] }))).toBeNull();
  });

  test("questions that need no answer expire, others do not", () => {
    expect(secondsOf({ name: "sound", about: 0 })).toBeLessThanOrEqual(20);
    expect(secondsOf({ name: "controller", about: 0 })).toBeLessThanOrEqual(20);
    expect(secondsOf({ name: "absent", about: 0 })).toBeUndefined();
    expect(secondsOf({ name: "vote", about: 0 })).toBeUndefined();
  });
});

test("a refusal goes before the answer to a vote, and that before news", () => {
  expect(chooseNotice("busy", "You knew!", "Cleo is back.")).toEqual({ kind: "refusal", reason: "busy" });
  expect(chooseNotice("", "You knew!", "Cleo is back.")).toEqual({ kind: "answer", text: "You knew!" });
  expect(chooseNotice("", "", "Cleo is back.")).toEqual({ kind: "news", text: "Cleo is back." });
  expect(chooseNotice("", "", null)).toBeNull();
});
