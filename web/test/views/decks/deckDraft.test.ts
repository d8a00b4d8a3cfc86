import { describe, expect, it } from "vitest";
import { DeckDraft, isComplete } from "../../../src/views/decks/deckDraft.svelte.ts";
import type { Hat } from "../../../src/made/wire.ts";

describe("DeckDraft", () => {
  it("becomes a file with chosen and balanced arrows", () => {
    const draft = new DeckDraft();
    draft.keep({ name: " At home " });
    for (const gift of ["hat", "cup", "egg"]) draft.toggle(gift);
    draft.toggle("cup");
    draft.setArrow("egg", "any");
    draft.put(0, { picture: "UklGRg==", words: { en: { name: "mug" } }, alike: ["cup"] });
    draft.setArrow("#1", "left");
    expect(draft.cards).toBe(3);
    expect(draft.hat).toEqual({
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
  const opened = (hat: Hat): DeckDraft => {
    const draft = new DeckDraft();
    draft.load(JSON.parse(JSON.stringify(hat)) as Hat);
    return draft;
  };

  it("saves an opened file unchanged", () => {
    const balanced = ["#2", "hat", "#1", "cup"];
    const gifts = [own("Becher", "#2", "cup"), own("Humpen", "#1", "#3"), own("Krug")];
    const hat: Hat = { hat: 1, name: "X", language: "de", balanced, right: ["egg", "#3"], own: gifts };
    expect(JSON.stringify(opened(hat).hat)).toBe(JSON.stringify(hat));
  });

  it("keeps look-alikes and arrows when a gift is removed", () => {
    const hat: Hat = { hat: 1, name: "X", language: "de" };
    const gifts = [own("Becher", "#3"), own("Humpen", "#1", "#3"), own("Krug", "#2", "#1")];
    const draft = opened({ ...hat, left: ["#1", "#3"], right: ["#2"], own: gifts });
    draft.remove(0);
    expect(draft.hat).toEqual({ ...hat, left: ["#2"], right: ["#1"], own: [own("Humpen", "#2"), own("Krug", "#1")] });
    draft.put(1, { ...draft.own[1]!, alike: [] });
    expect(draft.hat.left).toEqual(["#2"]); // a changed gift keeps its arrow
    expect(draft.nameOf("#2")).toBe("Krug");
  });

  it("keeps own gifts in a ready-made deck, and undoes changes", () => {
    const draft = opened({ hat: 1, name: "X", language: "de", left: ["#1"], own: [own("Becher")] });
    const drawn = { ...draft.own[0]!, picture: "", strokes: [[1, 2, 3, 4]] };
    draft.put(1, drawn);
    draft.put(1, { ...drawn, picture: "/9j/4AAQ" });
    draft.loadExample({ hat: 1, name: "Kitchen", language: "en", balanced: ["cup"] });
    expect([draft.name, Object.keys(draft.arrows), draft.own.length]).toEqual(["X", ["cup", "#1", "#2"], 2]);
    draft.undo();
    expect(draft.arrows["#1"]).toBe("left");
    draft.undo();
    expect(draft.own.length).toBe(1); // all strokes of one gift are one change
  });

  it("finds the first own gift without a name or an article", () => {
    expect(isComplete("en", { name: "mug" })).toBe(true);
    expect(isComplete("de", { name: "Becher" })).toBe(false);
    expect(isComplete("de", { name: "Becher", plural: true })).toBe(true);
    expect(isComplete("fr", { name: "tasses", plural: true })).toBe(false);
    const jug = { picture: "/9j/4AAQ", words: { de: { name: "Krug" } } };
    const draft = opened({ hat: 1, name: "X", language: "de", own: [own("Becher"), jug] });
    expect(draft.firstIncomplete).toBe(1);
    draft.keep({ language: "en" });
    expect(draft.firstIncomplete).toBe(0);
  });
});
