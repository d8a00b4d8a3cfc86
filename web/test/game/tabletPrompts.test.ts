import { describe, expect, it } from "vitest";
import { boardOf } from "../../src/game/boardModel.ts";
import { replayedView } from "../../src/game/stateReplay.ts";
import { facedSeat, promptOf } from "../../src/game/tabletPrompts.ts";
import type { Options, View } from "../../src/made/wire.ts";
import { person } from "../tables.ts";

describe("tablet prompts", () => {
  const down = { face: "down", back: "left" } as const;
  const scene = (phase: object, claims: "spoken" | "entered") => {
    const empty = { column: [], penalties: [] };
    const round = { turn: 4, seats: [empty, empty], shop: { top: null, left: 9 }, phase, scores: [0, 0], winners: [] };
    const options = { claims, show_seconds: 0 } as Options;
    const view = replayedView(round as unknown as View, [person("Mum"), person("Dad")], options);
    return { ...boardOf(view, []), beat: "present" };
  };
  const both = { giver: 0, receiver: 1 };
  it.each([
    [{ name: "draw", giver: 0 }, "around.draw", { name: 0 }, 0],
    [{ name: "give", giver: 0, card: down, from_shop: true, receivers: [1] }, "around.tell", both, 0],
    [{ name: "answer", ...both, card: down, claim: null, from_shop: true }, "around.believe", both, 1],
    [{ name: "judge", giver: 0, receiver: 1, card: { face: "up", gift: "hat" } }, "say.judge", {}, 1],
  ])("name and face the acting player (12.1, 12.2): %o", (phase, say, names, seat) => {
    expect(promptOf(scene(phase, "spoken"))).toMatchObject({ say, names });
    expect(facedSeat(scene(phase, "spoken"))).toBe(seat);
  });
  it("ask for entered claims, and for a receiver if there are two", () => {
    const give = { name: "give", giver: 0, card: down, from_shop: true, receivers: [1] };
    expect(promptOf(scene(give, "entered"))?.say).toBe("around.name");
    expect(promptOf(scene({ ...give, receivers: [1, 2] }, "spoken"))?.say).toBe("around.to_whom");
  });
  it("still ask an idle player", () => {
    const { view, ...rest } = scene({ name: "draw", giver: 0 }, "spoken");
    const idle = { ...view, idle: { for: 0, help: true } };
    const prompt = promptOf({ ...rest, view: idle, sentence: boardOf(idle, []).sentence });
    expect(prompt).toMatchObject({ say: "around.draw", names: { name: 0 } });
  });
});
