import { describe, expect, it } from "vitest";
import { presentSentence, withCrowd, won } from "../../src/game/sentences.ts";
import { person, table } from "../tables.ts";

describe("won", () => {
  it("addresses a winner as you", () => {
    expect(won([1], [1], 1)).toMatchObject({ say: "end.you_win" });
    expect(won([1], [0], 1)).toMatchObject({ say: "end.round_one", together: [1] });
    expect(won([0, 2], [0], 1)).toMatchObject({ say: "end.you_share", together: [2] });
    expect(won([1, 2], [0], 1)).toMatchObject({ say: "end.round", together: [1, 2] });
  });
  it("r8.2 names the winner of a round, not yet of the match", () => {
    expect(won([1], [1], 4)).toMatchObject({ say: "end.you_round" });
    expect(won([1], [0], 4)).toMatchObject({ say: "end.round", together: [1] });
  });
});

describe("asides", () => {
  const idle = { idle: { for: 1, help: true } };
  const { view } = table([person("Ada"), person("Onkel")], { phase: { name: "draw", giver: 1 }, view: idle });

  it("names the player for whom everybody waits, to the others, and nothing else but a claim", () => {
    const waits = { say: "say.idle", names: { name: 1 } };
    expect(presentSentence(view, [0])).toEqual(waits);
    expect(presentSentence(view, [])).toEqual(waits);
    expect(presentSentence(view, [1])?.say).toBe("say.draw_you");
    expect(presentSentence({ ...view, idle: { for: 1, help: false } }, [0])?.say, "not before others may help").toBe("say.draw");
    const offer = table([person("Ada"), person("Onkel")], { phase: { name: "answer", giver: 0, receiver: 1, claim: "hat" } as never, view: idle });
    expect(presentSentence(offer.view, [0])).toMatchObject({ spoken: { line: "offer", gift: "hat" }, aside: waits });
  });
  it("counts as fooled those who believed a lie", () => {
    const sentence = { say: "say.kept", names: {} } as const;
    const crowd = { believed: 3, doubted: 1 };
    expect(withCrowd(sentence, crowd, false).aside).toMatchObject({ say: "say.crowd", numbers: { n: 3, of: 4 } });
    expect(withCrowd(sentence, crowd, true).aside).toMatchObject({ say: "say.crowd_believed", numbers: { n: 3, of: 4 } });
    expect(withCrowd(sentence, { believed: 0, doubted: 4 }, false).aside).toMatchObject({ say: "say.crowd_none" });
    expect(withCrowd(sentence, crowd, null).aside).toMatchObject({ say: "say.crowd_believed", numbers: { n: 3, of: 4 } });
    expect(withCrowd(sentence, undefined, true).aside).toBeUndefined();
  });
});
