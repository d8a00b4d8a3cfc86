import { describe, expect, it } from "vitest";
import { boardOf } from "../../src/game/boardModel.ts";
import { replayedView } from "../../src/game/stateReplay.ts";
import { facedSeat, promptOf } from "../../src/game/tabletPrompts.ts";
import type { Options, View } from "../../src/made/wire.ts";

describe("tablet prompts", () => {
  const down = { face: "down", back: "left" } as const;
  const scene = (phase: object, claims: "spoken" | "entered") => {
    const round = { turn: 4, seats: [{ column: [], penalties: [] }, { column: [], penalties: [] }], shop: { top: null, left: 9 }, phase, scores: [0, 0], winners: [] };
    const seats = ["Mum", "Dad"].map((name) => ({ name, kind: "person" as const, away: false }));
    const view = replayedView(round as unknown as View, seats, { claims, show_seconds: 0 } as Options);
    return { ...boardOf(view, []), beat: "present" };
  };
  it.each([
    [{ name: "draw", giver: 0 }, "around.draw", { name: 0 }, 0],
    [{ name: "give", giver: 0, card: down, from_shop: true, receivers: [1] }, "around.tell", { giver: 0, receiver: 1 }, 0],
    [{ name: "answer", giver: 0, receiver: 1, card: down, claim: null, from_shop: true }, "around.believe", { giver: 0, receiver: 1 }, 1],
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
  it("still ask an idle player, for whom the other seats say that the table waits", () => {
    const { view, ...rest } = scene({ name: "draw", giver: 0 }, "spoken");
    const idle = { ...view, idle: { for: 0, help: true } };
    expect(promptOf({ ...rest, view: idle, sentence: boardOf(idle, []).sentence })).toMatchObject({ say: "around.draw", names: { name: 0 } });
  });
});
