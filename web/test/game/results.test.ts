import { describe, expect, it } from "vitest";
import { counted, levelOf, nextLevel } from "../../src/game/levelProgress.ts";
import { lineOf, streak } from "../../src/app/dailyHistory.ts";
import { likeness } from "../../src/game/levelEstimate.ts";
import { decisions, featOf, journeys, marks, signs } from "../../src/game/claimHistory.ts";
import { seenThrough } from "../../src/game/revealCards.ts";
import { won } from "../../src/game/sentence.ts";
import { LEVELS, type Chair, type Moment, type Story, type View } from "../../src/wire.ts";

const up = (gift: string) => ({ face: "up" as const, gift });
const down = { face: "down" as const, back: "left" as const };
const view = (columns: object[][], phase: object): View => ({ seats: columns.map((column) => ({ column, penalties: [] })), phase }) as unknown as View;
const step = (seat: number, gift: string | null, event: object, after: View, columns: string[][] = []): Moment =>
  ({ at: 0, took: 2, seat, by: seat === 2 ? "bot" : "person", gift, events: [event], view: after, columns }) as unknown as Moment;
const quiet = { name: "give" };

// Ada (0) gives Ben (1) her hat, truly; Ben passes the kite on as a hat, which Cleo (2, a computer) believes; Cleo's egg is refused by Ada, wrongly.
const story = {
  first: view([[up("hat")], [up("kite")], [up("egg")]], { name: "draw" }),
  steps: [
    step(0, "hat", { event: "offered", giver: 0, receiver: 1, claim: "hat" }, view([[], [up("kite")], [up("egg")]], { ...quiet, name: "answer", card: down })),
    step(1, "hat", { event: "accepted", giver: 0, receiver: 1 }, view([[], [down], [up("egg")]], { ...quiet, card: down }), [[], ["hat"], ["egg"]]),
    step(1, "kite", { event: "offered", giver: 1, receiver: 2, claim: "hat" }, view([[], [down], [up("egg")]], { ...quiet, name: "answer", card: down })),
    step(2, "kite", { event: "accepted", giver: 1, receiver: 2 }, view([[], [down], [down]], { ...quiet, card: down })),
    step(2, "egg", { event: "offered", giver: 2, receiver: 0, claim: "egg" }, view([[], [down], [down]], { ...quiet, name: "answer", card: down })),
    step(0, "egg", { event: "refused", giver: 2, receiver: 0, claim: "egg", gift: "egg" }, view([[], [down], [down]], { name: "over" })),
  ],
  scores: [1, 0, 0],
  winners: [1, 2],
  ended_early: false,
} as unknown as Story;

describe("how somebody remembered", () => {
  it("is read from what they said and answered", () => {
    const told = (seat: number) => decisions(story, seat).map(({ kind, right, gift, claim }) => [kind, right, gift, claim]);
    expect(told(0)).toEqual([["named", true, "hat", "hat"], ["doubted", false, "egg", "egg"]]);
    expect(told(1)).toEqual([["thanked", true, "hat", "hat"], ["named", false, "kite", "hat"]]);
    expect(told(2)).toEqual([]); // computers remember elsewhere
  });
  it("counts moves since a gift was seen, and how often it changed hands", () => {
    expect(decisions(story, 1).map(({ ago, passes }) => [ago, passes])).toEqual([[0, 0], [1, 0]]);
  });
  it("has marks for lies, wrong doubts and where it was lost", () => {
    expect(marks(story, undefined)).toEqual([{ step: 2, mark: "lie" }, { step: 5, mark: "doubt" }]);
    expect(marks(story, 0)).toEqual([{ step: 2, mark: "lie" }, { step: 5, mark: "lost" }]);
  });
  it("is a feat, and a line of signs without a gift in it", () => {
    expect(featOf(story, 1)?.feat).toBe("lie");
    expect(signs(story, 0)).toBe("🟩🟥");
    expect(signs(story, 1)).toBe("🟩🟨");
  });
  it("follows each gift on its way", () => {
    expect(journeys(story).map(({ gift, way }) => [gift, way.length])).toEqual([["hat", 1], ["kite", 1], ["egg", 1]]);
  });
  it("sees through wrapped cards only by what the story says", () => {
    const seen = seenThrough(story, 2);
    expect(seen.seats[1]!.column).toEqual([{ ...down, inside: "hat" }]);
    expect(seen.phase).toMatchObject({ card: { inside: "kite" } });
    expect(story.steps[1]!.view.seats[1]!.column).toEqual([down]);
  });
});

describe("whom somebody remembers like", () => {
  const named = (right: boolean, ago = 30) => ({ kind: "named" as const, right, ago });
  it("is nobody after too little", () => expect(likeness([named(true), named(true), named(true, 3)])).toBeNull());
  it("is a goldfish who forgets and an elephant who does not", () => {
    expect(likeness(Array.from({ length: 12 }, (_, n) => named(n % 2 === 0)))?.level).toBe("goldfish");
    expect(likeness(Array.from({ length: 60 }, () => named(true)))).toMatchObject({ level: "elephant" });
  });
  it("is the surer the more is known", () => {
    const sure = (n: number) => likeness(Array.from({ length: n }, (_, i) => named(i % 2 === 0)))!.sure;
    expect(sure(12)).toBeGreaterThan(sure(4));
  });
});

describe("day after day", () => {
  const over = { link: "", signs: "🟩", penalties: 0, won: true };
  it("a row of days ends where one was not played to the end", () => {
    const kept = { "2026-11-16": over, "2026-11-15": over, "2026-11-14": { link: "" }, "2026-11-13": over };
    expect(streak(kept, "2026-11-16")).toBe(2);
    expect(streak(kept, "2026-11-17")).toBe(2);
    expect(streak(kept, "2026-11-18")).toBe(0);
    expect(streak({ "2026-03-01": over, "2026-02-28": over }, "2026-03-01")).toBe(2);
  });
  it("a result is signs and nothing else", () => expect(lineOf("2026-11-16", over)).toBe("Not a Hat 2026-11-16 🏆 −0\n🟩"));
});

describe("a gentle ramp", () => {
  const bot = (level: string): Chair => ({ name: "Berta", kind: "bot", away: false, level });
  const person: Chair = { name: "Ada", kind: "person", away: false };
  const level = (...seats: Chair[]): string => levelOf({ seats });

  it("counts wins, and offers the next level after two of them", () => {
    const games: [string, boolean][] = [["casual", true], ["casual", false], ["casual", true]];
    let climb = { level: "casual", won: 0 };
    const offers = games.map(([played, wins]) => {
      climb = { ...climb, won: counted(climb, played, wins) };
      return nextLevel(climb, played);
    });
    expect(offers).toEqual([null, null, "regular"]);
  });
  it("counts nothing against others than usual, and offers nothing there", () => {
    expect(level(person, bot("casual"), bot("casual"))).toBe("casual");
    expect(level(person, bot("casual"), bot("goldfish"))).toBe("");
    expect(counted({ level: "casual", won: 1 }, "", true)).toBe(1);
    expect(nextLevel({ level: "casual", won: 2 }, "goldfish")).toBeNull();
  });
  it("ends with the elephant", () => {
    expect(LEVELS.map((one) => nextLevel({ level: one, won: 2 }, one))).toEqual([...LEVELS.slice(1), null]);
  });
});

describe("who won", () => {
  const said = (winners: number[], you: number[], rounds = 1) => won(winners, you, rounds);
  it("is told to whoever did in the second person", () => {
    expect(said([1], [1])).toMatchObject({ say: "end.you_win" });
    expect(said([1], [0])).toMatchObject({ say: "end.round_one", together: [1] });
    expect(said([0, 2], [0])).toMatchObject({ say: "end.you_share", together: [2] });
    expect(said([1, 2], [0])).toMatchObject({ say: "end.round", together: [1, 2] });
  });
  it("r8.2 is one round of several as long as the match goes on", () => {
    expect(said([1], [1], 4)).toMatchObject({ say: "end.you_round" });
    expect(said([1], [0], 4)).toMatchObject({ say: "end.round", together: [1] });
  });
});
