import { describe, expect, it } from "vitest";
import { bestJourney, bestMoveOf, decisions, endOf, journeys, marks, signs } from "../../src/game/claimHistory.ts";
import { revealCards } from "../../src/game/revealCards.ts";
import type { Moment, Story, View } from "../../src/made/wire.ts";

const up = (gift: string) => ({ face: "up" as const, gift });
const down = { face: "down" as const, back: "left" as const };
const view = (columns: object[][], phase: object): View => ({ seats: columns.map((column) => ({ column, penalties: [] })), phase }) as unknown as View;
const step = (seat: number, gift: string | null, event: object, after: View, columns: string[][] = []): Moment =>
  ({ at: 0, took: 2, seat, by: seat === 2 ? "bot" : "person", gift, events: [event], view: after, columns }) as unknown as Moment;
const give = { name: "give" };

// Ada (0) gives Ben (1) her hat, truly; Ben passes the kite on as a hat, which Cleo (2, a computer) believes; Cleo's egg is refused by Ada, wrongly.
const story = {
  first: view([[up("hat")], [up("kite")], [up("egg")]], { name: "draw" }),
  steps: [
    step(0, "hat", { event: "offered", giver: 0, receiver: 1, claim: "hat" }, view([[], [up("kite")], [up("egg")]], { ...give, name: "answer", card: down })),
    step(1, "hat", { event: "accepted", giver: 0, receiver: 1 }, view([[], [down], [up("egg")]], { ...give, card: down }), [[], ["hat"], ["egg"]]),
    step(1, "kite", { event: "offered", giver: 1, receiver: 2, claim: "hat" }, view([[], [down], [up("egg")]], { ...give, name: "answer", card: down })),
    step(2, "kite", { event: "accepted", giver: 1, receiver: 2 }, view([[], [down], [down]], { ...give, card: down })),
    step(2, "egg", { event: "offered", giver: 2, receiver: 0, claim: "egg" }, view([[], [down], [down]], { ...give, name: "answer", card: down })),
    step(0, "egg", { event: "refused", giver: 2, receiver: 0, claim: "egg", gift: "egg" }, view([[], [down], [down]], { name: "over" })),
  ],
  scores: [1, 0, 0],
  winners: [1, 2],
  ended_early: false,
} as unknown as Story;

describe("claim history", () => {
  it("has the claims and answers of persons", () => {
    const summary = (seat: number) => decisions(story, seat).map(({ kind, right, gift, claim }) => [kind, right, gift, claim]);
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
    const again = { ...story, steps: [...story.steps, step(2, "kite", { event: "offered", giver: 2, receiver: 0, claim: "egg" }, story.first)] };
    expect(endOf(again).claims["kite"]).toBe("egg");
  });
  it("finds the journey that went furthest under a wrong name", () => {
    const offered = (giver: number, receiver: number, claim: string) => step(giver, "kite", { event: "offered", giver, receiver, claim }, story.first);
    const refused = step(0, "kite", { event: "refused", giver: 2, receiver: 0, claim: "hat", gift: "kite" }, story.first);
    const caught = { ...story, steps: [...story.steps, offered(2, 0, "hat"), refused] };
    expect(bestJourney(caught)).toMatchObject({ gift: "kite", path: [{ claim: "hat", refused: false }, { claim: "hat", receiver: 0, refused: true }] });
    expect(bestJourney({ ...story, steps: story.steps.slice(4) })).toMatchObject({ gift: "egg", path: [{ claim: "egg", refused: true }] }); // the truth, doubted
    expect(bestJourney({ ...story, steps: [] })).toBeNull();
  });
  it("follows each gift from seat to seat", () => {
    expect(journeys(story).map(({ gift, path }) => [gift, path.length])).toEqual([["hat", 1], ["kite", 1], ["egg", 1]]);
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
