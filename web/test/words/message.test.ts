import { describe, expect, it } from "vitest";
import { formatMessage } from "../../src/words/message.ts";

describe("formatMessage", () => {
  it("selects the plural form and fills placeholders", () => {
    const plural = new Intl.PluralRules("en");
    const message = { one: "{n} gift for {name}", other: "{n} gifts for {name}" };
    expect(formatMessage(message, { n: 1, name: "Bo" }, plural)).toBe("1 gift for Bo");
    expect(formatMessage(message, { n: 0, name: "Bo" }, plural)).toBe("0 gifts for Bo");
  });
  it("uses the singular for zero in French", () => {
    expect(formatMessage({ one: "{n} cadeau", other: "{n} cadeaux" }, { n: 0 }, new Intl.PluralRules("fr"))).toBe("0 cadeau");
  });
});
