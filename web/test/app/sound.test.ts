import { readFileSync } from "node:fs";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { words } from "../../src/words/words.svelte.ts";

let slow: Record<string, number>; // how often a file gets lost on the way, or how long it takes

beforeEach(() => {
  vi.useFakeTimers();
  slow = {};
  vi.stubGlobal("document", { documentElement: {} });
  vi.stubGlobal("fetch", async (url: string) => {
    const [lang] = /\w\w(?=\.json)/.exec(url)!;
    const lost = /words\/\w\w\.json/.test(url) && !url.includes("made") && slow[lang];
    if (lost && slow[lang]!-- > 0) throw new TypeError("Failed to fetch");
    return { ok: true, status: 200, json: async () => JSON.parse(readFileSync(`.${url}`, "utf8")) as unknown };
  });
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

describe("the page", () => {
  it("says in its reader's language that it is late, before it has any other word, and then speaks", async () => {
    slow["fr"] = 2;
    void words.load("fr");
    await vi.advanceTimersByTimeAsync(100);
    expect([words.ready, words.late]).toEqual([false, expect.stringContaining("serveur")]);
    expect(document.documentElement.lang).toBe("fr");
    await vi.advanceTimersByTimeAsync(5000);
    expect([words.ready, words.late, words.say("home")]).toEqual([true, "", JSON.parse(readFileSync("src/words/fr.json", "utf8")).home]);
  });

  it("speaks the language that was chosen last, whichever comes last", async () => {
    slow["de"] = 3;
    void words.load("de");
    void words.load("nl");
    await vi.advanceTimersByTimeAsync(100);
    expect(words.lang).toBe("nl");
    await vi.advanceTimersByTimeAsync(20_000);
    expect(words.lang).toBe("nl");
    expect(words.late).toBe("");
  });

  it("names gifts in the language that was chosen last", async () => {
    await words.load("en");
    const first = words.learn("it");
    await words.learn(null);
    await first;
    expect([words.learning, words.name("hat")]).toEqual([null, "hat"]);
  });
});
