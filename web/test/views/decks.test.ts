import { beforeEach, describe, expect, it, vi } from "vitest";
import { Making } from "../../src/views/decks/deckDraft.svelte.ts";
import type { Hat } from "../../src/wire.ts";
import { kindOf, plain } from "../../src/views/decks/giftImage.ts";
import { Finder, type GiftWords } from "../../src/words/finder.ts";

const bytes = (...parts: (string | number[])[]): Uint8Array =>
  new Uint8Array(parts.flatMap((part) => (typeof part === "string" ? [...part].map((letter) => letter.charCodeAt(0)) : part)));

describe("a deck in the making", () => {
  it("becomes a file with its arrows, balanced unless chosen", () => {
    const making = new Making();
    making.name = " At home ";
    for (const gift of ["hat", "cup", "egg"]) making.toggle(gift);
    making.toggle("cup");
    making.arrows["egg"] = "any";
    making.put(0, { kind: "image/webp", picture: "UklGRg==", words: { en: { name: "mug" } }, alike: ["cup"] });
    making.arrows["#1"] = "left";
    expect(making.cards).toBe(3);
    expect(making.hat).toEqual({
      hat: 1,
      name: "At home",
      language: "en",
      balanced: ["hat"],
      left: ["#1"],
      any: ["egg"],
      own: [{ picture: "UklGRg==", words: { en: { name: "mug" } }, look_alikes: ["cup"] }],
    });
  });

  const own = (name: string, ...look_alikes: string[]) => ({
    picture: "/9j/4AAQ",
    words: { de: { name, gender: "m" as const, synonyms: ["Ding"] } },
    ...(look_alikes.length > 0 ? { look_alikes } : {}),
  });
  const saved = (hat: Hat): Making => {
    const making = new Making();
    making.take(JSON.parse(JSON.stringify(hat)) as Hat);
    return making;
  };

  it("is the same after it was opened and saved, look-alikes among own gifts and the order of cards too", () => {
    const balanced = ["#2", "hat", "#1", "cup"];
    const hat: Hat = { hat: 1, name: "X", language: "de", balanced, right: ["egg", "#3"], own: [own("Becher", "#2", "cup"), own("Humpen", "#1", "#3"), own("Krug")] };
    expect(JSON.stringify(saved(hat).hat)).toBe(JSON.stringify(hat));
  });

  it("keeps look-alikes and arrows with their gifts when one of them is taken out", () => {
    const making = saved({ hat: 1, name: "X", language: "de", left: ["#1", "#3"], right: ["#2"], own: [own("Becher", "#3"), own("Humpen", "#1", "#3"), own("Krug", "#2", "#1")] });
    making.remove(0);
    expect(making.hat).toEqual({ hat: 1, name: "X", language: "de", left: ["#2"], right: ["#1"], own: [own("Humpen", "#2"), own("Krug", "#1")] });
    making.put(1, { ...making.own[1]!, alike: [] });
    expect(making.hat.left).toEqual(["#2"]); // changed, it keeps its arrow
    expect(making.nameOf("#2", (key) => key)).toBe("Krug");
  });

  it("knows pictures by their first letters, and nothing else", () => {
    expect(["UklGRg", "/9j/4A", "iVBORw", "PHN2Zy"].map(kindOf)).toEqual(["image/webp", "image/jpeg", "image/png", ""]);
  });
});

describe("a picture painted here", () => {
  it("keeps of a JPEG what draws it, and nothing that tells of it", () => {
    const jfif = bytes([0xff, 0xe0, 0, 16], "JFIF\0", [1, 1, 0, 0, 1, 0, 1, 0, 0]);
    const exif = bytes([0xff, 0xe1, 0, 8], "Exif\0\0");
    const table = bytes([0xff, 0xdb, 0, 4, 1, 2]);
    const scan = bytes([0xff, 0xda, 0, 2, 7, 7, 0xff, 0xd9]);
    const found = plain(bytes([0xff, 0xd8], [...jfif], [...exif], [...table], [...scan]), "image/jpeg");
    expect([...found]).toEqual([0xff, 0xd8, ...jfif, ...table, ...scan]);
  });

  it("keeps of a WebP what draws it, and its size is true again", () => {
    const part = (name: string, content: number[]): number[] => [...bytes(name, [content.length, 0, 0, 0], content)];
    const inside = [...part("VP8X", [0x3c, 0, 0, 0, 7, 0, 0, 4, 0, 0]), ...part("ICCP", [1, 2, 3]), 0, ...part("VP8 ", [9, 9]), ...part("EXIF", [5, 5])];
    const found = plain(bytes("RIFF", [inside.length + 4, 0, 0, 0], "WEBP", inside), "image/webp");
    const left = [...part("VP8X", [0x10, 0, 0, 0, 7, 0, 0, 4, 0, 0]), ...part("VP8 ", [9, 9])];
    expect([...found]).toEqual([...bytes("RIFF", [left.length + 4, 0, 0, 0], "WEBP", left)]);
  });
});

describe("decks that come with a table", () => {
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

  it("are known as long as people are at it: older ones by name, the last one to be claimed too, none anywhere else", async () => {
    const { take } = await import("../../src/views/decks/fetchDeck.ts");
    const { drawings } = await import("../../src/views/table/drawings.svelte.ts");
    const { words } = await import("../../src/words/words.svelte.ts");
    await take("K7QX", 3);
    expect([words.name("own_1"), words.denial("own_1"), words.langOf("own_1")]).toEqual(["mug", "That’s not a mug!", "en"]);
    const picture = drawings.of("own_1");
    await take("K7QX", 9); // somebody still sees the end of the round before, or its results
    expect([words.name("own_1"), words.thing("own_1"), words.name("own_2")]).toEqual(["mug", "A mug", "saucer"]);
    expect(drawings.of("own_1")).toBe(picture);
    expect(words.allGifts).toEqual(["own_2"]);
    expect(words.finder.find("mug")).toEqual([]);
    await take("K7QX", 0);
    expect([words.name("own_1"), words.name("own_2"), words.allGifts]).toEqual(["mug", "saucer", []]);
    await take("", 0);
    expect([words.name("own_1"), words.name("own_2"), drawings.of("own_1"), drawings.of("own_2")]).toEqual(["", "", "", ""]);
  });

  it("are asked for once, however many want to know what is in them", async () => {
    const { take } = await import("../../src/views/decks/fetchDeck.ts");
    const served = fetch;
    const asked: string[] = [];
    vi.stubGlobal("fetch", (path: string) => (asked.push(path), served(path)));
    expect(await Promise.all([take("K7QX", 3), take("K7QX", 3)])).toEqual([["own_1"], ["own_1"]]);
    expect(await take("K7QX", 3)).toEqual(["own_1"]);
    expect(asked.filter((path) => path.includes("/decks/"))).toHaveLength(1);
    await take("", 0);
  });

  it("are asked for again when the network was away, and not when there is none", async () => {
    const { deckOf, take } = await import("../../src/views/decks/fetchDeck.ts");
    const { words } = await import("../../src/words/words.svelte.ts");
    vi.useFakeTimers();
    const served = fetch;
    let tries = 0;
    vi.stubGlobal("fetch", async (path: string) => {
      if (path.includes("/decks/") && ++tries < 4) throw new TypeError("Failed to fetch");
      return served(path);
    });
    const taken = take("K7QX", 3);
    await vi.runAllTimersAsync();
    await taken;
    expect([tries, words.name("own_1")]).toEqual([4, "mug"]);
    vi.stubGlobal("fetch", async () => ({ ok: false, json: async () => ({ reason: "no_such_table" }) }));
    await expect(deckOf("K7QX", 3)).rejects.toThrow("no_such_table");
    await take("", 0);
    vi.useRealTimers();
  });
});

describe("whoever learns a language", () => {
  it("finds a gift by its new name first, and by the old one too", () => {
    const word = (name: string): GiftWords => [name, name, name, name, [], []];
    const finder = new Finder({ hat: word("chapeau"), cup: word("tasse") }, { hat: word("Hut"), cup: word("Tasse") });
    expect(finder.find("chap")).toEqual(["hat"]);
    expect(finder.find("Hut")).toEqual(["hat"]);
  });
});
