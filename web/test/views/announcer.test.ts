// What a screen reader hears: each event when it is seen, and once what it asks of you.

import { readFileSync } from "node:fs";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { asks } from "../../src/game/tabletPrompts.ts";
import type { Scene } from "../../src/game/boardModel.ts";
import { Said } from "../../src/views/table/announcer.svelte.ts";
import { now, scenes } from "../../src/game/scenes.ts";
import { spelled } from "../../src/game/renderSentence.ts";
import type { May, Shown, State, TableView, View } from "../../src/wire.ts";
import { words } from "../../src/words/words.svelte.ts";

const DOWN = { face: "down", back: "left" } as const;
const DEALT: Shown = { event: "round_dealt", round: 1, starter: 0 } as Shown;
const OFFER = { name: "answer", giver: 1, receiver: 0, card: DOWN, claim: "hat", from_shop: true } as const;

beforeAll(async () => {
  vi.stubGlobal("document", { documentElement: {} });
  vi.stubGlobal("fetch", async (url: string) => ({ json: async () => JSON.parse(readFileSync(`.${url}`, "utf8")) as unknown, ok: true }));
  await words.load("en");
});

function table(turn: number, phase: View["phase"], may: May["do"][] = [], happened: Shown[] = []): State {
  const seats = [{ column: [DOWN], penalties: [] }, { column: [DOWN], penalties: [] }];
  const round: View = { turn, seats, shop: { top: "kite", left: 9 }, phase, scores: [0, 0], winners: [] };
  const chairs = ["Ada", "Bo"].map((name) => ({ name, kind: "person", away: false }));
  const options = { claims: "entered", show_seconds: 0 };
  const view = { code: "HATS", stage: "play", paused: false, seats: chairs, options, deadline: null, round } as unknown as TableView;
  return { v: turn, view, happened, you: [0], may: may.map((what) => ({ do: what })) };
}

/** All that is heard of some states, in order; a repeated text is not heard. */
function heard(states: State[], sentence: (scene: Scene) => Scene["sentence"] = (scene) => scene.sentence): string[] {
  const said = new Said();
  const all: string[] = [];
  let before: TableView | null = null;
  for (const state of states) {
    for (const scene of scenes(before, state)) {
      said.begun(scene, state, scene.beat === "present" ? sentence(scene) : null);
      if (said.happened !== all.at(-1) && said.happened) all.push(said.happened);
    }
    before = state.view;
  }
  return all;
}

describe("what is said aloud", () => {
  it("asks whoever begins to draw, and tells the others who does (3.2)", () => {
    const draw = (giver: number): View["phase"] => ({ name: "draw", giver });
    expect(heard([table(0, draw(0), ["draw"], [DEALT])])).toEqual(["Round 1 is dealt. Remember these. Draw when everybody has looked."]);
    expect(heard([table(0, draw(1), [], [DEALT])])).toEqual(["Round 1 is dealt. Remember these. Bo begins."]);
  });

  it("asks once for each turn, whatever happens meanwhile, and again after a pause", () => {
    const draw = table(4, { name: "draw", giver: 0 }, ["draw"]);
    const paused = { ...draw, may: [], view: { ...draw.view, paused: true } };
    const waved = { ...draw, happened: [{ event: "emoted", seat: 1, emote: "hello" }] as Shown[] };
    const locked = { ...draw, happened: [{ event: "locked", locked: true }] as Shown[] };
    const turn = "Your turn: take a gift from the shop.";
    expect(heard([draw, waved, draw, locked, draw])).toEqual([turn, "The table is locked."]);
    expect(heard([draw, locked, paused, draw])).toEqual([turn, "The table is locked.", turn]);
  });

  it("asks what you give, and whom, though you were asked to draw just before (4.3)", () => {
    const gave = table(2, { name: "give", giver: 0, card: DOWN, from_shop: true, receivers: [1] }, ["give"], [
      { event: "drawn", giver: 0, gift: "hat" },
      { event: "wrapped", giver: 0, back: "left" },
    ] as Shown[]);
    const [, ...then] = heard([table(0, { name: "draw", giver: 0 }, ["draw"]), gave]);
    expect(then).toEqual(["You draw from the shop. A hat.", "You wrap the gift. What do you give Bo?"]);
  });

  it("tells an offer once: as it happens, or to whoever comes and is to answer it", () => {
    const offered = { event: "offered", giver: 1, receiver: 0, claim: "hat" } as Shown;
    const told = "Bo to you: I have a nice hat for you.";
    expect(heard([table(3, OFFER, ["accept", "refuse"], [offered]), table(3, OFFER, ["accept", "refuse"])])).toEqual([told]);
    expect(heard([table(3, OFFER, ["accept", "refuse"])])).toEqual([told]);
  });

  it("asks nobody for what others do, and nothing while gifts are still on their way", () => {
    expect(heard([table(3, { name: "give", giver: 1, card: DOWN, from_shop: true, receivers: [0] })])).toEqual([]);
    const said = new Said();
    const draw = table(4, { name: "draw", giver: 0 }, ["draw"]);
    said.begun(now(draw, []), draw);
    expect(said.happened).toBe("");
  });

  it("asks around a table by name, in the words that are written there, and who was wrong once a spoken claim is open (12.2)", () => {
    expect(heard([{ ...table(4, { name: "draw", giver: 1 }, ["draw"]), you: [] }], asks)).toEqual(["Bo, take a gift from the shop."]);
    const judge = table(6, { name: "judge", giver: 1, receiver: 0, card: { face: "up", gift: "hat" } }, ["judge"]);
    expect(heard([judge])).toEqual([spelled({ say: "say.judge", names: {} }, judge.view)]);
  });
});
