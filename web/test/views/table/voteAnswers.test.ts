import { beforeAll, beforeEach, expect, it, vi } from "vitest";
import { readVotes, saveVote } from "../../../src/app/votes.ts";
import type { Scene } from "../../../src/game/boardModel.ts";
import { VoteAnswers } from "../../../src/views/table/voteAnswers.svelte.ts";
import type { Shown } from "../../../src/made/wire.ts";
import { stubStorage } from "../../storage.ts";
import { loadWords } from "../../tables.ts";

beforeAll(loadWords);
beforeEach(() => {
  vi.useFakeTimers();
  stubStorage("localStorage");
});

function scene(turn: number, phase: string, ...happened: Partial<Shown>[]): Scene {
  const view = { code: "HATS", match: { number: 1 }, round: { turn, phase: { name: phase } } };
  return { view, beat: "present", happened } as unknown as Scene;
}
const refused = (claim: string, gift: string): Partial<Shown> => ({ event: "refused", claim, gift }) as Partial<Shown>;

/** Vote on a claim, then reveal the gift. */
function answered(answers: VoteAnswers, turn: number, believed: boolean, claim: string, gift: string): string {
  expect(answers.follow(scene(turn, "answer", { event: "offered" }))).toBe("");
  saveVote("HATS", 1, turn, believed);
  return answers.follow(scene(turn + 1, "draw", refused(claim, gift)));
}

it("answers a vote at the reveal, with the streak at this table", () => {
  const answers = new VoteAnswers();
  expect(answered(answers, 3, true, "hat", "hat")).toBe("You knew!");
  expect(answered(answers, 6, false, "hat", "kite")).toBe("You knew! 2 in a row.");
  expect(answers.text).toBe("You knew! 2 in a row.");
  expect(answered(answers, 9, true, "hat", "kite")).toBe("Fooled you.");
  expect(answered(answers, 12, false, "hat", "hat")).toBe("Fooled you too.");
  expect(answered(answers, 15, true, "hat", "hat")).toBe("You knew!");
  vi.advanceTimersByTime(4000);
  expect(answers.text).toBe("");
  expect(readVotes("HATS", 1)).toEqual({ 3: true, 6: false, 9: true, 12: false, 15: true });
});

it("says nothing about gifts that stay wrapped, or that were not voted on (9.5)", () => {
  const answers = new VoteAnswers();
  answers.follow(scene(3, "answer", { event: "offered" }));
  saveVote("HATS", 1, 3, true);
  expect(answers.follow(scene(4, "give", { event: "accepted" }))).toBe("");
  expect(answers.follow(scene(8, "draw", refused("hat", "kite")))).toBe("");
  expect(answers.follow(scene(9, "answer", { event: "offered" }))).toBe("");
  expect(answers.follow(scene(10, "draw", refused("hat", "hat")))).toBe("");
});

it("does not take a skipped claim for the one that was voted on", () => {
  const answers = new VoteAnswers();
  answers.follow(scene(3, "answer", { event: "offered" }));
  saveVote("HATS", 1, 3, true);
  expect(answers.follow(scene(9, "draw", { event: "accepted" }, { event: "offered" }, refused("hat", "hat")))).toBe("");
});
