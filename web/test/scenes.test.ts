import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { FLY, haste, scenes, STILL, TURN, type Scene } from "../src/table/scenes.ts";
import type { Shown, State, TableView, View } from "../src/wire.ts";

// The first lesson is a short round played by the real rules: every kind of happening is in it.
interface Chapter {
  chapter: string;
  round: View;
  frames: { round: View; happened: Shown[] }[];
}
const LESSON = JSON.parse(readFileSync(new URL("../src/made/lesson.json", import.meta.url), "utf-8")) as Chapter[];

function table(round: View): TableView {
  const options = { show_seconds: 3 } as TableView["options"];
  return { code: "HATS", seats: [], options, deadline: null, round } as unknown as TableView;
}

function played(name: string, frame = 0): { told: Scene[]; after: State; before: TableView } {
  const chapter = LESSON.find(({ chapter }) => chapter === name)!;
  const before = table(frame === 0 ? chapter.round : chapter.frames[frame - 1]!.round);
  const { round, happened } = chapter.frames[frame]!;
  const after: State = { v: 1, view: table(round), happened, you: [0], may: [] };
  return { told: scenes(before, after), after, before };
}

describe("the queue of happenings", () => {
  it("ends with the present, whatever happened", () => {
    for (const { chapter, frames } of LESSON)
      frames.forEach((_, frame) => {
        const { told, after } = played(chapter, frame);
        expect(told.at(-1)!.view).toBe(after.view);
        expect(told.at(-1)!.flight ?? told.at(-1)!.turning ?? told.at(-1)!.reveal).toBeUndefined();
      });
  });

  it("says every event once", () => {
    for (const { chapter, frames } of LESSON)
      frames.forEach((_, frame) => {
        const { told, after } = played(chapter, frame);
        expect(told.flatMap((scene) => scene.happened)).toEqual(after.happened);
      });
  });

  it("flies a drawn gift from the shop, then holds it open for as long as the table agreed", () => {
    const [flight, present] = played("draw").told;
    expect(flight!.flight).toMatchObject({ card: { face: "up", gift: "piano" }, from: { at: "shop" }, to: { at: "air", toward: 0 } });
    expect(flight!.ms).toBe(FLY);
    expect(present!.ms).toBe(3000);
  });

  it("turns a wrapped gift over where it lies", () => {
    const [turn] = played("wrap").told;
    expect(turn!.turning).toEqual({ from: { face: "up", gift: "piano" }, to: { face: "down", back: "left" } });
    expect(turn!.ms).toBe(TURN);
  });

  it("slides an offered gift from giver to receiver", () => {
    expect(played("give").told[0]!.flight).toMatchObject({ from: { toward: 0 }, to: { toward: 1 } });
  });

  it("lays an accepted gift down first and lifts the oldest after it, one at a time", () => {
    const [lands, lifts, present] = played("accept").told;
    expect(lands!.flight).toMatchObject({ card: { face: "down", back: "right" }, to: { at: "column", seat: 0, slot: 0 } });
    expect(lifts!.flight).toMatchObject({ card: { face: "up", gift: "hat" }, from: { at: "column", seat: 0, slot: 0 } });
    expect(present!.flight).toBeUndefined();
  });

  it("keeps still before a refused gift is turned, and stamps only after", () => {
    const [still, turn, stamp, fly] = played("refuse").told;
    expect(still).toMatchObject({ ms: STILL, reveal: { gift: null } });
    expect(turn!.turning).toMatchObject({ to: { face: "up", gift: "muffin" } });
    expect(stamp!.reveal).toMatchObject({ gift: "muffin", wrong: 2 });
    expect(fly!.flight).toMatchObject({ card: { gift: "muffin" }, to: { at: "penalty", seat: 2 } });
  });

  it("tells no stories about a past that this screen did not see", () => {
    const { after } = played("refuse");
    expect(scenes(null, after)).toHaveLength(1);
  });

  it("names no gift in any scene after it was wrapped", () => {
    const { told } = played("give");
    expect(JSON.stringify(told.map(({ view, flight, turning, reveal }) => [flight, turning, reveal, view.round!.seats]))).not.toContain("piano");
  });

  it("hurries when it is behind and jumps when it is far behind", () => {
    expect([1, 3, 9].map(haste)).toEqual([1, 0.5, 0]);
  });
});
