import { expect, it } from "vitest";
import { comeAs, plan, takeName, takePlan } from "../../src/app/plan.ts";

it("a name said for a friend's table that was not there sits nobody down a second time at one's own", () => {
  comeAs("Ada");
  plan([{ do: "sit", name: "Ada" }]);
  expect(takePlan()).toEqual([{ do: "sit", name: "Ada" }]);
  expect(takeName()).toBe("");
});
