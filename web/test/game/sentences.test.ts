import { describe, expect, it } from "vitest";
import { won } from "../../src/game/sentences.ts";

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
