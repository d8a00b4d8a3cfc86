import { expect, it } from "vitest";
import { outcomeOf, podiumOf, votesOf } from "../../src/game/ending.ts";
import type { TableView } from "../../src/made/wire.ts";

function ended(penalties: number[], match = {}, chairs: object[] = []): TableView {
  const winners = penalties.flatMap((n, seat) => (n === Math.min(...penalties) ? [seat] : []));
  const round = { winners, seats: penalties.map((n) => ({ penalties: Array(n).fill("hat") })) };
  const seats = penalties.map((_, n) => ({ name: `Player ${n}`, kind: "person", away: false, ...chairs[n] }));
  const whole = { of: 1, totals: penalties, winners, ...match };
  return { stage: "over", seats, round, match: whole } as unknown as TableView;
}
const seatsOf = (people: { seat: number }[]): number[] => people.map(({ seat }) => seat);

it("shows winners large, and ranks the others by penalties with moods to match", () => {
  const { large, others } = podiumOf(ended([2, 0, 3, 1]));
  expect(large).toMatchObject([{ seat: 1, place: 1, mood: "laughing", crowned: true }]);
  const rest = others.map(({ seat, place, mood }) => [seat, place, mood]);
  expect(rest).toEqual([[3, 2, "relieved"], [0, 3, "worried"], [2, 4, "done"]]);
});

it.each([[0, 0, 3, 1], [0, 0, 3, 0], [1, 1, 3, 1], [2, 2, 2, 2]])("crowns all who share the win", (...penalties) => {
  const { winners, rest } = outcomeOf(ended(penalties));
  const { large, others } = podiumOf(ended(penalties));
  expect([seatsOf(large), seatsOf(others).sort()]).toEqual([winners, rest]);
  expect(large.every(({ crowned, place, mood }) => crowned && place === 1 && mood === "laughing")).toBe(true);
  expect(others.some(({ crowned, mood }) => crowned || mood === "laughing")).toBe(false);
});

it("counts the whole match in its final, and the round between rounds", () => {
  const match = { of: 4, totals: [5, 2, 9], winners: [1] };
  expect(podiumOf(ended([0, 1, 3], match)).large).toMatchObject([{ seat: 1, points: 2 }]);
  expect(podiumOf({ ...ended([0, 1, 3], match), stage: "between" }).large).toMatchObject([{ seat: 0, points: 0 }]);
});

it("asks people who have not left whether they play again", () => {
  const chairs = [{ again: true }, { again: false }, { again: false, gone: true }, { kind: "bot" }];
  expect(votesOf(ended([0, 1, 2, 3], {}, chairs))).toEqual({ asked: [0, 1], ready: [0] });
});
