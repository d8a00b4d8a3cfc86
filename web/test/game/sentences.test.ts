import { describe, expect, it } from "vitest";
import type { Outcome } from "../../src/game/ending.ts";
import { alsoLost, presentSentence, withCrowd, won } from "../../src/game/sentences.ts";
import { person, table } from "../tables.ts";

describe("won", () => {
  const outcome = (winners: number[], rest: number[], isFinal = true, losers = rest): Outcome =>
    ({ winners, rest, losers, isFinal });

  it("addresses a winner as you", () => {
    expect(won(outcome([1], [0]), [1])).toMatchObject({ say: "end.you_win" });
    expect(won(outcome([1], [0]), [0])).toMatchObject({ say: "end.match", together: [1] });
    expect(won(outcome([0, 2], [1, 3]), [0])).toMatchObject({ say: "end.you_share", together: [2] });
  });
  it("r8.2 names the winner of a round, not yet of the match", () => {
    expect(won(outcome([1], [0], false), [1])).toMatchObject({ say: "end.you_round" });
    expect(won(outcome([1], [0], false), [0])).toMatchObject({ say: "end.round", together: [1] });
  });
  it("names who does not win if most share the win, and always the loser", () => {
    const shared = outcome([0, 1, 2], [3, 4], true, [3]);
    expect([won(shared, []), alsoLost(shared, [])]).toMatchObject([
      { say: "end.all_but", together: [3, 4] },
      { say: "end.most", together: [3] },
    ]);
    expect(won(outcome([0, 1], [3]), [3]).say).toBe("end.all_but_you");
    expect(alsoLost(shared, [3])?.say).toBe("end.most_you");
    expect([won(shared, [0]).say, alsoLost(shared, [0])?.say]).toEqual(["end.you_all", "end.most"]);
    expect(alsoLost(outcome([1], [0]), [1])).toMatchObject({ say: "end.most", together: [0] });
    expect([won(outcome([0, 1], []), [0]).say, alsoLost(outcome([0, 1], []), [0])]).toEqual(["end.all", null]);
  });
});

describe("asides", () => {
  const idle = { idle: { for: 1, help: true } };
  const { view } = table([person("Ada"), person("Onkel")], { phase: { name: "draw", giver: 1 }, view: idle });

  it("names the player for whom everybody waits, to the others", () => {
    const waits = { say: "say.idle", names: { name: 1 } };
    expect(presentSentence(view, [0])).toEqual(waits);
    expect(presentSentence(view, [])).toEqual(waits);
    expect(presentSentence(view, [1])?.say).toBe("say.draw_you");
    const early = { ...view, idle: { for: 1, help: false } }; // the others may not help yet
    expect(presentSentence(early, [0])?.say).toBe("say.draw");
    const phase = { name: "answer", giver: 0, receiver: 1, claim: "hat" };
    const offer = table([person("Ada"), person("Onkel")], { phase, view: idle });
    expect(presentSentence(offer.view, [0])).toMatchObject({ spoken: { line: "offer", gift: "hat" }, aside: waits });
  });
  it("counts as fooled those who believed a lie", () => {
    const sentence = { say: "say.kept", names: {} } as const;
    const crowd = { believed: 3, doubted: 1 };
    const numbers = { n: 3, of: 4 };
    expect(withCrowd(sentence, crowd, false).aside).toMatchObject({ say: "say.crowd", numbers });
    expect(withCrowd(sentence, crowd, true).aside).toMatchObject({ say: "say.crowd_believed", numbers });
    expect(withCrowd(sentence, { believed: 0, doubted: 4 }, false).aside).toMatchObject({ say: "say.crowd_none" });
    expect(withCrowd(sentence, crowd, null).aside).toMatchObject({ say: "say.crowd_believed", numbers });
    expect(withCrowd(sentence, undefined, true).aside).toBeUndefined();
  });
});
