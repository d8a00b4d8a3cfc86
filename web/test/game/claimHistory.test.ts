import { describe, expect, it } from "vitest";
import { bestJourney, bestMoveOf, decisions, endOf, marks, signs } from "../../src/game/claimHistory.ts";
import { revealCards } from "../../src/game/revealCards.ts";
import type { Moment, Story, View } from "../../src/made/wire.ts";

const up = (gift: string) => ({ face: "up" as const, gift });
const down = { face: "down" as const, back: "left" as const };
const view = (columns: object[][], phase: object): View =>
  ({ seats: columns.map((column) => ({ column, penalties: [] })), phase }) as unknown as View;
const step = (seat: number, gift: string, event: object, view: View, columns: string[][] = []): Moment =>
  ({ took: 2, seat, by: seat === 2 ? "bot" : "person", gift, events: [event], view, columns }) as unknown as Moment;
const dealt = [[up("hat")], [up("kite")], [up("egg")]];
const offer = (giver: number, receiver: number, gift: string, claim: string, columns: object[][] = dealt): Moment =>
  step(giver, gift, { event: "offered", giver, receiver, claim }, view(columns, { name: "answer", card: down }));
const accept = (giver: number, receiver: number, gift: string, columns: object[][], inside: string[][] = []): Moment =>
  step(receiver, gift, { event: "accepted", giver, receiver }, view(columns, { name: "give", card: down }), inside);
const refuse = (claim: string, gift: string, columns: object[][] = dealt): Moment =>
  step(0, gift, { event: "refused", giver: 2, receiver: 0, claim, gift }, view(columns, { name: "over" }));

// Ada (0) gives Ben (1) her hat, truly. Ben passes the kite on as a hat; Cleo (2, a computer) believes it. Ada refuses
// Cleo's egg, wrongly.
const story = {
  first: view(dealt, { name: "draw" }),
  steps: [
    offer(0, 1, "hat", "hat", [[], [up("kite")], [up("egg")]]),
    accept(0, 1, "hat", [[], [down], [up("egg")]], [[], ["hat"], ["egg"]]),
    offer(1, 2, "kite", "hat", [[], [down], [up("egg")]]),
    accept(1, 2, "kite", [[], [down], [down]]),
    offer(2, 0, "egg", "egg", [[], [down], [down]]),
    refuse("egg", "egg", [[], [down], [down]]),
  ],
  scores: [1, 0, 0],
  winners: [1, 2],
  ended_early: false,
} as unknown as Story;

describe("claim history", () => {
  it("has the claims and answers of persons", () => {
    const summary = (seat: number) => decisions(story, seat).map((one) => [one.kind, one.right, one.gift, one.claim]);
    expect(summary(0)).toEqual([["named", true, "hat", "hat"], ["doubted", false, "egg", "egg"]]);
    expect(summary(1)).toEqual([["thanked", true, "hat", "hat"], ["named", false, "kite", "hat"]]);
    expect(summary(2)).toEqual([]); // a computer player
  });
  it("counts moves and passes since a gift was seen", () => {
    expect(decisions(story, 1).map(({ ago, passes }) => [ago, passes])).toEqual([[0, 0], [1, 0]]);
  });
  it("marks lies, wrong doubts and the first mistake", () => {
    expect(marks(story, undefined)).toEqual([{ step: 2, mark: "lie" }, { step: 5, mark: "doubt" }]);
    expect(marks(story, 0)).toEqual([{ step: 2, mark: "lie" }, { step: 5, mark: "lost" }]);
  });
  it("finds the best move, and signs that name no gift", () => {
    expect(bestMoveOf(story, 1)?.kind).toBe("lie");
    expect(signs(story, 0)).toBe("🟩🟥");
    expect(signs(story, 1)).toBe("🟩🟨");
  });
  it("takes nothing for believed that nobody answered", () => {
    const ended = { ...story, steps: story.steps.slice(0, 3), ended_early: true };
    expect(bestMoveOf(ended, 1)?.kind).toBe("thanks");
    expect(signs(ended, 1)).toBe("🟩🟥");
  });
  it("knows what each gift was last called", () => {
    expect(endOf(story).claims).toEqual({ hat: "hat", kite: "hat", egg: "egg" });
    const again = { ...story, steps: [...story.steps, offer(2, 0, "kite", "egg")] };
    expect(endOf(again).claims["kite"]).toBe("egg");
  });
  it("finds the journey that went furthest under a wrong name", () => {
    const caught = { ...story, steps: [...story.steps, offer(2, 0, "kite", "hat"), refuse("hat", "kite")] };
    const path = [{ claim: "hat", refused: false }, { claim: "hat", receiver: 0, refused: true }];
    expect(bestJourney(caught)).toMatchObject({ gift: "kite", path });
    const doubted = { gift: "egg", path: [{ claim: "egg", refused: true }] }; // the truth
    expect(bestJourney({ ...story, steps: story.steps.slice(4) })).toMatchObject(doubted);
    expect(bestJourney({ ...story, steps: [] })).toBeNull();
  });
});

describe("revealCards", () => {
  it("takes the gifts inside wrapped cards from the story", () => {
    const seen = revealCards(story, 2);
    expect(seen.seats[1]!.column).toEqual([{ ...down, inside: "hat" }]);
    expect(seen.phase).toMatchObject({ card: { inside: "kite" } });
    expect(story.steps[1]!.view.seats[1]!.column).toEqual([down]);
  });
});
