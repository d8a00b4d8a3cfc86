import { beforeAll, expect, test, vi } from "vitest";
import type { May, State } from "../../../src/made/wire.ts";
import { loadWords, person, table } from "../../tables.ts";

vi.stubGlobal("localStorage", { getItem: () => null });
const { newsFor } = await import("../../../src/views/table/notifications.ts");

const round = (number: number, may: May[] = [], you = [0]): State => ({
  ...table([person("Ada"), person("Ben")], { you, view: { match: { number } } }),
  may,
});
const draw: May = { do: "draw", seat: 0 };
const knock = (name: string): May => ({ do: "answer_knock", names: [name] });

beforeAll(loadWords);

test("a hidden tab tells of the own turn, a knock and a new round, each once", () => {
  expect(newsFor(round(1), round(1, [draw]))).toBe("Your turn");
  expect(newsFor(round(1, [draw]), round(1, [draw]))).toBe(null);
  expect(newsFor(round(1), round(1, [knock("Eve")]))).toContain("Eve");
  expect(newsFor(round(1, [knock("Eve")]), round(1, [knock("Eve")]))).toBe(null);
  expect(newsFor(round(1, [knock("Eve")]), round(1, [knock("Uma")]))).toContain("Uma");
  expect(newsFor(round(1), round(2))).toBe("The next round has been dealt.");
  expect(newsFor(round(1), round(2, [draw], [])), "a spectator is told nothing").toBe(null);
});
