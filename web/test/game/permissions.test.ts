import { expect, it } from "vitest";
import { may, mayAbout } from "../../src/game/permissions.ts";

it("finds permissions by command and seat", () => {
  expect(mayAbout({ may: [{ do: "sit_in", seats: [1, 2] }] }, "sit_in", 2)?.do).toBe("sit_in");
  expect(mayAbout({ may: [{ do: "sit_in", seats: [1] }] }, "sit_in", 2)).toBe(undefined);
  expect(may({ may: [{ do: "leave", seat: 0 }, { do: "leave", seat: 1 }] }, "leave", 1)?.seat).toBe(1);
  // @ts-expect-error: a misspelt command does not compile
  expect(may({ may: [{ do: "leave", seat: 0 }] }, "leaves")).toBe(undefined);
});
