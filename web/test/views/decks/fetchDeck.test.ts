import { beforeEach, describe, expect, it, vi } from "vitest";
import type { GiftWords } from "../../../src/words/finder.ts";

describe("decks of a table", () => {
  const own = (key: string, name: string) => {
    const word: GiftWords = [name, `a ${name}`, `I have a nice ${name} for you.`, `That’s not a ${name}!`, [], []];
    return { key, kind: "image/webp", picture: "UklGRg==", words: { en: word }, lang: { en: "en" } };
  };
  const decks: Record<string, unknown> = {
    "/api/tables/K7QX/decks/3": { name: "One", gifts: ["own_1"], own: [own("own_1", "mug")] },
    "/api/tables/K7QX/decks/9": { name: "Other", gifts: ["own_2"], own: [own("own_2", "saucer")] },
  };
  beforeEach(() => {
    vi.stubGlobal("location", { origin: "http://here" });
    vi.stubGlobal("fetch", async (path: string) => ({ ok: true, json: async () => decks[path] ?? {} }));
    return () => vi.unstubAllGlobals();
  });

  it("are named at their table; only the last is for claims", async () => {
    const { useDeck } = await import("../../../src/views/decks/fetchDeck.ts");
    const { drawings } = await import("../../../src/ui/drawings.svelte.ts");
    const { words } = await import("../../../src/words/words.svelte.ts");
    await useDeck("K7QX", 3);
    expect([words.name("own_1"), words.denial("own_1"), words.langOf("own_1")]).toEqual(["mug", "That’s not a mug!", "en"]);
    const picture = drawings.of("own_1");
    await useDeck("K7QX", 9); // an older round may still be shown
    expect([words.name("own_1"), words.withArticle("own_1"), words.name("own_2")]).toEqual(["mug", "A mug", "saucer"]);
    expect(drawings.of("own_1")).toBe(picture);
    expect(words.giftKeys).toEqual(["own_2"]);
    expect(words.finder.find("mug")).toEqual([]);
    await useDeck("K7QX", 0);
    expect([words.name("own_1"), words.name("own_2"), words.giftKeys]).toEqual(["mug", "saucer", []]);
    await useDeck("", 0);
    expect([words.name("own_1"), words.name("own_2"), drawings.of("own_1"), drawings.of("own_2")]).toEqual(["", "", "", ""]);
  });

  it("are fetched once", async () => {
    const { useDeck } = await import("../../../src/views/decks/fetchDeck.ts");
    const served = fetch;
    const requests: string[] = [];
    vi.stubGlobal("fetch", (path: string) => (requests.push(path), served(path)));
    expect(await Promise.all([useDeck("K7QX", 3), useDeck("K7QX", 3)])).toEqual([["own_1"], ["own_1"]]);
    expect(await useDeck("K7QX", 3)).toEqual(["own_1"]);
    expect(requests.filter((path) => path.includes("/decks/"))).toHaveLength(1);
    await useDeck("", 0);
  });

  it("are fetched again after network errors, but not refusals", async () => {
    const { fetchDeck, useDeck } = await import("../../../src/views/decks/fetchDeck.ts");
    const { words } = await import("../../../src/words/words.svelte.ts");
    vi.useFakeTimers();
    const served = fetch;
    let tries = 0;
    vi.stubGlobal("fetch", async (path: string) => {
      if (path.includes("/decks/") && ++tries < 4) throw new TypeError("Failed to fetch");
      return served(path);
    });
    const taken = useDeck("K7QX", 3);
    await vi.runAllTimersAsync();
    await taken;
    expect([tries, words.name("own_1")]).toEqual([4, "mug"]);
    vi.stubGlobal("fetch", async () => ({ ok: false, json: async () => ({ reason: "no_such_table" }) }));
    await expect(fetchDeck("K7QX", 3)).rejects.toThrow("no_such_table");
    await useDeck("", 0);
    vi.useRealTimers();
  });
});
