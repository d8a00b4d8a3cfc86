// The moods of faces, from what everybody can see.

import { expect, test } from "vitest";
import type { Scene } from "../../src/game/boardModel.ts";
import { lookedAt, moodOf } from "../../src/game/moods.ts";

const [ADA, BEN, CLEO] = [0, 1, 2];
const ANSWER = { name: "answer", giver: ADA, receiver: BEN };

function scene(changes: object, phase: object = ANSWER, chairs: object[] = [{}, {}, {}]): Scene {
  const still = { beat: "present", penalties: [[], [], []], crowned: [], giver: ADA, receiver: BEN, speech: null };
  return { ...still, ...changes, view: { seats: chairs, round: { phase } } } as unknown as Scene;
}
function moods(of: Scene): string[] {
  return [ADA, BEN, CLEO].map((seat) => moodOf(of, seat));
}

test("a giver thinks, then talks to a suspicious receiver", () => {
  const give = { name: "give", giver: ADA, receivers: [BEN, CLEO] };
  expect(moods(scene({ receiver: null }, give))).toEqual(["thinking", "plain", "plain"]);
  expect(moods(scene({ speech: { seat: ADA, line: "offer" } }))).toEqual(["talking", "suspicious", "plain"]);
});

test("a giver whose gift is taken is relieved", () => {
  const thanks = scene({ beat: "thanks", giver: BEN, receiver: null, speech: { seat: BEN, line: "thanks" } });
  expect(moods(thanks)).toEqual(["relieved", "talking", "plain"]);
});

test.each(["stamp", "keeps"])("after a refusal the loser worries and the winner laughs: %s", (beat) => {
  expect(moods(scene({ beat, giver: ADA, receiver: null }))).toEqual(["worried", "laughing", "plain"]);
  expect(moods(scene({ beat, giver: BEN, receiver: null }))).toEqual(["laughing", "worried", "plain"]);
});

test("penalties, absence, crowns and remarks show", () => {
  const over = { giver: null, receiver: null, penalties: [["hat"], ["hat", "kite"], ["hat", "kite", "spoon"]] };
  expect(moods(scene({ ...over, crowned: [ADA] }, { name: "over" }))).toEqual(["laughing", "worried", "done"]);
  const away = scene({}, ANSWER, [{ away: true, stand_in: true }, { away: true }, {}]);
  expect(moods(away)).toEqual(["plain", "asleep", "plain"]);
  expect(moodOf(scene({}), CLEO, true)).toBe("talking");
});

test("eyes turn to whoever speaks, and the speaker's to the receiver", () => {
  const offer = scene({ speech: { seat: ADA, line: "offer" } });
  expect([ADA, BEN, CLEO].map((seat) => lookedAt(offer, seat))).toEqual([BEN, ADA, ADA]);
  expect(lookedAt(scene({}), CLEO)).toBe(CLEO);
});
