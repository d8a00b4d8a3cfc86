import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { Lesson } from "../../src/game/lesson.ts";
import { soundsOf } from "../../src/game/sceneSounds.ts";
import type { Scene } from "../../src/game/boardModel.ts";
import { ARROW, BRISK, FLY, playbackRate, scenes, STAMP, STILL, TURN } from "../../src/game/scenes.ts";
import type { State, TableView } from "../../src/made/wire.ts";

// The lesson is a short round from a real table with every kind of event.
const { chapters, states } = JSON.parse(readFileSync("src/made/lesson.json", "utf-8")) as Lesson;

/** Return a state of a table that shows a new gift for three seconds. */
function showing(state: State): State {
  const { view } = state;
  return { ...state, view: { ...view, options: { ...view.options, show_seconds: 3 } } };
}

function between(at: number): { shown: Scene[]; after: State; before: TableView } {
  const [before, after] = [showing(states[at]!).view, showing(states[at + 1]!)];
  return { shown: scenes(before, after), after, before };
}
const played = (name: string) => between(chapters.find(({ chapter }) => chapter === name)!.at);
const ALL = states.slice(1).map((_, at) => at);

const beats = (all: Scene[]): string[] => all.map(({ beat }) => beat);

describe("scenes", () => {
  it("show a drawn gift rise, then open for the agreed time", () => {
    const [rises, present] = played("look").shown;
    const card = { face: "up", gift: "piano" };
    expect(rises!.moving).toEqual([{ card, from: { at: "shop" }, to: { at: "middle", toward: 0 } }]);
    expect(rises!.ms).toBe(FLY);
    expect(rises!.shop.top).not.toBe("piano");
    expect(rises!.sentence!.say).toBe("say.new");
    expect(present!.ms).toBe(2700 - FLY);
  });

  it("turn a wrapped gift over and show only its arrow", () => {
    const [turn, arrow] = played("wrap").shown;
    expect(turn!.turning).toMatchObject({ from: { face: "up", gift: "piano" }, to: { face: "down", back: "left" } });
    expect([turn!.ms, arrow!.ms]).toEqual([TURN, ARROW]);
    expect(arrow).toMatchObject({ giver: 0, receiver: 1, sentence: null });
  });

  it("carry a gift with its claim, which stays beside the thanks", () => {
    const [travels, present] = played("give").shown;
    expect(travels!.moving).toMatchObject([{ from: { toward: 0 }, to: { toward: 1 } }]);
    expect(travels!.sentence).toBeNull();
    expect(present!.sentence!.spoken).toEqual({ line: "offer", gift: "piano" });
    const offer = { seat: 0, line: "offer", gift: "piano" };
    expect([travels!.speech, present!.speech]).toEqual([offer, offer]);
    for (const scene of played("accept").shown.slice(0, 3))
      expect(scene).toMatchObject({ speech: { seat: 1, line: "offer" }, thanks: 0 });
  });

  it.each([
    ["accept", ["thanks", "lands", "both", "present"]],
    ["oldest", ["turns", "leaves", "closes", "present"]],
    ["refuse", ["still", "close", "turns", "breath", "stamp", "keeps", "present"]],
  ])("of %s have their beats in order", (name, wanted) => expect(beats(played(name).shown)).toEqual(wanted));

  it("pause before a refused gift turns, and stamp after it", () => {
    const { shown } = played("refuse");
    const [still, close, turn, , stamp, keeps] = shown;
    expect(still).toMatchObject({ ms: STILL, stamped: false });
    expect(close!.closeUp).toMatchObject({ giver: 2, card: { face: "down" }, wrong: null });
    expect(turn!.turning).toMatchObject({ to: { face: "up", gift: "hat" } });
    expect(stamp!.closeUp).toMatchObject({ giver: 2, card: { face: "up", gift: "hat" }, wrong: 2, nth: 1 });
    expect(stamp).toMatchObject({ stamped: true, giver: 2 });
    expect(stamp!.sentence).toMatchObject({ say: "say.kept", thing: "hat", names: { name: 2 } });
    expect(keeps!.moving).toMatchObject([{ card: { gift: "hat" }, to: { at: "penalty", seat: 2, slot: 0 } }]);
    expect(keeps!.sentence).toBeNull(); // it was read, and the next one follows soon
  });

  it("show no events before the first state", () => {
    const { after } = played("refuse");
    expect(beats(scenes(null, after))).toEqual(["present"]);
  });

  it("contain no gift that is wrapped", () => {
    const { shown } = played("give");
    const cards = shown.map(({ resting, moving, turning }) => [resting, moving, turning]);
    expect(JSON.stringify(cards)).not.toContain("piano");
  });

  it.each([0.7, 1.5, 25])("scale all durations with a speed of %d", (speed) => {
    for (const at of ALL) {
      const { before, after, shown } = between(at);
      const paced = scenes(before, { ...after, view: { ...after.view, speed } });
      expect(beats(paced)).toEqual(beats(shown));
      for (const [n, { beat, ms, reducedMs, pace }] of paced.entries()) {
        const normal = shown[n]!;
        expect([ms, reducedMs].map((one) => Math.round(one * speed)), beat).toEqual([normal.ms, normal.reducedMs]);
        if (beat !== "present") expect(pace * speed, beat).toBeCloseTo(normal.pace); // for the motion of cards
      }
    }
  });

  it("leave a reveal as readable at a brisk table", () => {
    const { before, after } = played("refuse");
    const options = { ...after.view.options, pace: "brisk" } as const;
    const shown = scenes(before, { ...after, view: { ...after.view, speed: BRISK, options } });
    const lasting = Object.fromEntries(shown.map(({ beat, ms }) => [beat, Math.round(ms)]));
    expect(lasting).toMatchObject({ still: Math.round(STILL / BRISK), stamp: STAMP });
  });

  it("have sounds for paper, thanks, doubt and reveal", () => {
    const sounds = (name: string): string[] => played(name).shown.flatMap((scene) => soundsOf(scene, [0]));
    expect(sounds("look")).toEqual(["slide"]);
    expect(sounds("wrap")).toEqual(["flip"]);
    expect(sounds("accept")).toEqual(["thanks", "slide"]);
    expect(sounds("refuse")).toEqual(["doubt", "flip", "thud", "slide"]);
  });

  it("sound happy for winners and spectators, sad for others", () => {
    const { shown } = played("refuse");
    const ended = { ...shown.at(-1)!, happened: [{ event: "ended" as const, scores: [0, 3, 1], winners: [0] }] };
    expect([[0], [1], [], [1, 0]].map((you) => soundsOf(ended, you))).toEqual([["win"], ["lose"], ["win"], ["win"]]);
  });

  it("play faster with a queue and jump with a long one", () => {
    expect([1, 3, 9].map(playbackRate)).toEqual([1, 0.5, 0]);
  });
});
