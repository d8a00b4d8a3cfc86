import { beforeEach, describe, expect, it, vi } from "vitest";
import { drawings } from "../../../src/ui/drawings.svelte.ts";
import { useDeck } from "../../../src/views/decks/fetchDeck.ts";
import { Finder, type GiftWords } from "../../../src/words/finder.ts";
import { words } from "../../../src/words/words.svelte.ts";

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
  });

  it("are named at their table; only the last is for claims", async () => {
    await useDeck("K7QX", 3);
    expect([words.name("own_1"), words.langOf("own_1")]).toEqual(["mug", "en"]);
    expect(words.denial("own_1")).toBe("That’s not a mug!");
    const picture = drawings.of("own_1");
    await useDeck("K7QX", 9); // an older round may still be shown
    expect([words.name("own_1"), words.withArticle("own_1"), words.name("own_2")]).toEqual(["mug", "A mug", "saucer"]);
    expect(drawings.of("own_1")).toBe(picture);
    expect(words.giftKeys).toEqual(["own_2"]);
    expect(new Finder(...words.findable).find("mug")).toEqual([]);
    await useDeck("K7QX", 0);
    expect([words.name("own_1"), words.name("own_2"), words.giftKeys]).toEqual(["mug", "saucer", []]);
    await useDeck("", 0);
    expect(["own_1", "own_2"].flatMap((gift) => [words.name(gift), drawings.of(gift)])).toEqual(["", "", "", ""]);
  });

  it("are fetched once", async () => {
    const served = fetch;
    const requests: string[] = [];
    vi.stubGlobal("fetch", (path: string) => (requests.push(path), served(path)));
    expect(await Promise.all([useDeck("K7QX", 3), useDeck("K7QX", 3)])).toEqual([["own_1"], ["own_1"]]);
    expect(await useDeck("K7QX", 3)).toEqual(["own_1"]);
    expect(requests.filter((path) => path.includes("/decks/"))).toHaveLength(1);
    await useDeck("", 0);
  });

  const refusal = (reason: string) => ({ ok: false, json: async () => ({ reason }) });
  const networkError = () => Promise.reject(new TypeError("Failed to fetch"));

  it("are fetched again after failures that pass", async () => {
    vi.useFakeTimers();
    const served = fetch;
    const lost = Array<() => unknown>(9).fill(networkError);
    const failures = [networkError, () => refusal("busy"), () => refusal("too_fast"), ...lost];
    vi.stubGlobal("fetch", async (path: string) => (path.includes("/decks/") && failures.shift()?.()) || served(path));
    const loaded = useDeck("K7QX", 3);
    await vi.advanceTimersByTimeAsync(300_000);
    expect([await loaded, words.name("own_1")]).toEqual([["own_1"], "mug"]);
    await useDeck("", 0);
  });

  it("are not fetched again after a refusal, or when another is wanted", async () => {
    vi.useFakeTimers();
    let answer = "no_such_deck";
    const served = fetch;
    const refuse = vi.fn(() => refusal(answer));
    vi.stubGlobal("fetch", async (path: string) => (path.includes("/decks/") ? refuse() : served(path)));
    expect(await useDeck("K7QX", 3)).toEqual([]);
    await useDeck("", 0);
    answer = "busy";
    const superseded = useDeck("K7QX", 3);
    await vi.advanceTimersByTimeAsync(100);
    await useDeck("", 0);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(await superseded).toEqual([]);
    expect(refuse).toHaveBeenCalledTimes(2);
  });
});
