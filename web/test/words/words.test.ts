import { readFileSync } from "node:fs";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { formatMessage, words } from "../../src/words/words.svelte.ts";

let losses: Record<string, number>; // failed requests by language

beforeEach(() => {
  vi.useFakeTimers();
  losses = {};
  vi.stubGlobal("document", { documentElement: {}, querySelector: () => null });
  vi.stubGlobal("fetch", async (url: string) => {
    const [lang] = /\w\w(?=\.json)/.exec(url)!;
    const lost = /words\/\w\w\.json/.test(url) && !url.includes("made") && losses[lang];
    if (lost && losses[lang]!-- > 0) throw new TypeError("Failed to fetch");
    return { ok: true, status: 200, json: async () => JSON.parse(readFileSync(`.${url}`, "utf8")) as unknown };
  });
});

describe("words", () => {
  it("show a loading notice in the user's language until they load", async () => {
    losses["fr"] = 2;
    void words.load("fr");
    await vi.advanceTimersByTimeAsync(100);
    expect([words.ready, words.loadingNotice]).toEqual([false, expect.stringContaining("serveur")]);
    expect(document.documentElement.lang).toBe("fr");
    await vi.advanceTimersByTimeAsync(5000);
    const { home } = JSON.parse(readFileSync("src/words/fr.json", "utf8"));
    expect([words.ready, words.loadingNotice, words.say("home")]).toEqual([true, "", home]);
  });

  it("use the language that was chosen last, whichever loads last", async () => {
    losses["de"] = 3;
    void words.load("de");
    void words.load("nl");
    await vi.advanceTimersByTimeAsync(100);
    expect(words.lang).toBe("nl");
    await vi.advanceTimersByTimeAsync(20_000);
    expect(words.lang).toBe("nl");
    expect(words.loadingNotice).toBe("");
  });

  it("name gifts in the language that was chosen last", async () => {
    await words.load("en");
    const first = words.learn("it");
    await words.learn(null);
    await first;
    expect([words.learning, words.name("hat")]).toEqual([null, "hat"]);
  });

  it("select the plural form and fill placeholders", () => {
    const plural = new Intl.PluralRules("en");
    const message = { one: "{n} gift for {name}", other: "{n} gifts for {name}" };
    expect(formatMessage(message, { n: 1, name: "Bo" }, plural)).toBe("1 gift for Bo");
    expect(formatMessage(message, { n: 0, name: "Bo" }, plural)).toBe("0 gifts for Bo");
  });
});
