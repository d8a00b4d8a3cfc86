import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { Lesson } from "../../src/game/lesson.ts";
import { noises } from "../../src/game/sceneSounds.ts";
import type { Scene } from "../../src/game/boardModel.ts";
import { ARROW, FLY, haste, scenes, STILL, TURN } from "../../src/game/scenes.ts";
import type { State, TableView } from "../../src/wire.ts";

// The first lesson is a short round played at a real table: every kind of happening is in it.
const { chapters, states } = JSON.parse(readFileSync(new URL("../../src/made/lesson.json", import.meta.url), "utf-8")) as Lesson;

/** A table that leaves a new gift open for three seconds. */
function shown(state: State): State {
  const { view } = state;
  return { ...state, view: { ...view, options: { ...view.options, show_seconds: 3 } } };
}

function between(at: number): { told: Scene[]; after: State; before: TableView } {
  const [before, after] = [shown(states[at]!).view, shown(states[at + 1]!)];
  return { told: scenes(before, after), after, before };
}
const played = (name: string): ReturnType<typeof between> => between(chapters.find(({ chapter }) => chapter === name)!.at);
const ALL = states.slice(1).map((_, at) => at);

const beats = (told: Scene[]): string[] => told.map(({ beat }) => beat);

describe("the queue of happenings", () => {
  it("ends with the present, whatever happened", () => {
    for (const at of ALL) {
      const { told, after } = between(at);
      const { view, moving, turning, stamped } = told.at(-1)!;
      expect({ view, moving, turning, stamped }).toEqual({ view: after.view, moving: [], turning: null, stamped: false });
    }
  });

  it("says every event once", () => {
    for (const at of ALL) {
      const { told, after } = between(at);
      expect(told.flatMap((scene) => scene.happened)).toEqual(after.happened);
    }
  });

  it("lets a drawn gift rise from the shop, then holds it open for as long as the table agreed", () => {
    const [rises, present] = played("draw").told;
    expect(rises!.moving).toEqual([{ card: { face: "up", gift: "piano" }, from: { at: "shop" }, to: { at: "middle", toward: 0 } }]);
    expect(rises!.ms).toBe(FLY);
    expect(rises!.shop.top).not.toBe("piano");
    expect(rises!.sentence!.say).toBe("say.new");
    expect(present!.ms).toBe(3000 - FLY);
  });

  it("turns a wrapped gift over where it lies, and shows its arrow alone", () => {
    const [turn, arrow] = played("wrap").told;
    expect(turn!.turning).toMatchObject({ from: { face: "up", gift: "piano" }, to: { face: "down", back: "left" } });
    expect([turn!.ms, arrow!.ms]).toEqual([TURN, ARROW]);
    expect(arrow).toMatchObject({ giver: 0, receiver: 1, sentence: { say: "say.goes_to", names: { name: 1 } } });
  });

  it("carries an offered gift from giver to receiver before it is said what it is", () => {
    const [travels, present] = played("give").told;
    expect(travels!.moving).toMatchObject([{ from: { toward: 0 }, to: { toward: 1 } }]);
    expect(travels!.sentence!.spoken).toBeUndefined();
    expect(present!.sentence!.spoken).toEqual({ line: "offer", gift: "piano" });
    expect(present!.speech).toEqual({ seat: 0, line: "offer", gift: "piano" });
  });

  it("r5.1 says thank you, lays the gift above the old one and leaves both in full sight", () => {
    const { told } = played("accept");
    expect(beats(told)).toEqual(["thanks", "lands", "both", "present"]);
    const [thanks, lands, both, present] = told;
    expect(thanks!.speech).toEqual({ seat: 0, line: "thanks" });
    expect(lands!.moving).toMatchObject([{ card: { face: "down", back: "right" }, to: { at: "column", seat: 0, slot: 1, of: 2 } }]);
    const own = (scene: Scene): unknown => scene.lying.filter(({ at }) => at.at === "column" && at.seat === 0);
    expect(own(both!)).toMatchObject([{ card: { gift: "muffin" }, at: { slot: 0 } }, { card: { back: "right" }, at: { slot: 1 } }]);
    expect(own(present!)).toEqual(own(both!)); // the muffin is to be wrapped and lies where it lay
  });

  it("r5.2 turns the oldest over in its place; then it leaves, and the new one takes its place", () => {
    const { told } = played("oldest");
    expect(beats(told)).toEqual(["turns", "leaves", "closes", "present"]);
    const [turns, leaves, closes] = told;
    expect(turns!.turning).toMatchObject({ from: { gift: "muffin" }, at: { at: "column", seat: 0, slot: 0, of: 2 } });
    expect(leaves!.moving).toMatchObject([{ card: { face: "down" }, from: { at: "column", slot: 0, of: 2 }, to: { at: "middle", toward: 0 } }]);
    expect(closes!.moving).toMatchObject([{ from: { slot: 1, of: 2 }, to: { slot: 0, of: 1 } }]);
  });

  it("keeps still before a refused gift is turned, and stamps only after", () => {
    const { told } = played("refuse");
    expect(beats(told)).toEqual(["still", "turns", "breath", "stamp", "keeps", "present"]);
    const [still, turn, , stamp, keeps] = told;
    expect(still).toMatchObject({ ms: STILL, stamped: false });
    expect(turn!.turning).toMatchObject({ to: { face: "up", gift: "hat" } });
    expect(stamp).toMatchObject({ stamped: true, giver: 2, sentence: { say: "say.kept", thing: "hat", names: { name: 2 } } });
    expect(keeps!.moving).toMatchObject([{ card: { gift: "hat" }, to: { at: "penalty", seat: 2, slot: 0 } }]);
    expect(keeps!.sentence).toEqual(stamp!.sentence);
  });

  it("tells no stories about a past that this screen did not see", () => {
    const { after } = played("refuse");
    expect(beats(scenes(null, after))).toEqual(["present"]);
  });

  it("names no gift in any scene after it was wrapped", () => {
    const { told } = played("give");
    expect(JSON.stringify(told.map(({ lying, moving, turning }) => [lying, moving, turning]))).not.toContain("piano");
  });

  it("plays at the table's own pace", () => {
    const { after, before } = played("wrap");
    const paced = (speed: number): number => scenes(before, { ...after, view: { ...after.view, speed } })[0]!.ms;
    expect([paced(0.7), paced(1), paced(1.5)].map(Math.round)).toEqual([371, 260, 173]);
    expect(scenes(before, after)[0]!.ms).toBe(260);
  });

  it.each([0.7, 1.5, 25])("scales motion and showing alike, %d times as fast, whatever happens", (speed) => {
    for (const at of ALL) {
      const { before, after, told } = between(at);
      const paced = scenes(before, { ...after, view: { ...after.view, speed } });
      expect(beats(paced)).toEqual(beats(told));
      for (const [n, { beat, ms, calm, pace }] of paced.entries()) {
        const normal = told[n]!;
        expect([ms * speed, calm * speed].map(Math.round), beat).toEqual([normal.ms, normal.calm].map(Math.round));
        if (beat !== "present") expect(pace * speed, beat).toBeCloseTo(normal.pace); // what Flyer and Turner go by
      }
    }
  });

  it("sounds like what happens: paper, thank you, doubt and reveal", () => {
    const heard = (name: string): string[] => played(name).told.flatMap((scene) => noises(scene, [0]));
    expect(heard("draw")).toEqual(["slide"]);
    expect(heard("wrap")).toEqual(["flip"]);
    expect(heard("accept")).toEqual(["thanks", "slide"]);
    expect(heard("refuse")).toEqual(["doubt", "flip", "thud", "slide"]);
  });

  it("sounds glad to whoever won and to a room, and sorry to the others", () => {
    const { told } = played("refuse");
    const ended = { ...told.at(-1)!, happened: [{ event: "ended" as const, scores: [0, 3, 1], winners: [0] }] };
    expect([[0], [1], [], [1, 0]].map((you) => noises(ended, you))).toEqual([["win"], ["lose"], ["win"], ["win"]]);
  });

  it("hurries when it is behind and jumps when it is far behind", () => {
    expect([1, 3, 9].map(haste)).toEqual([1, 0.5, 0]);
  });
});
