import { beforeAll, describe, expect, it } from "vitest";
import { introductions, news, pendingNews } from "../../../src/views/table/peopleNews.ts";
import type { Shown, State, TableView } from "../../../src/made/wire.ts";
import { loadWords, person, table } from "../../tables.ts";

beforeAll(loadWords);

const texts = (before: State | null, now: State): string[] => news(before, now).map(({ text }) => text);

describe("news", () => {
  const two = [person("Ada"), person("Ben")];
  it("includes applause, also the guest's own", () => {
    const clap: Shown = { event: "applauded", emote: "clap" };
    expect(texts(table(two), table(two, { happened: [clap] }))).toEqual(["A spectator: Well done!"]);
    const own = table(two, { happened: [clap], ack: "k3f9", you: [] });
    expect(texts(table(two), own)).toEqual(["A spectator: Well done!"]);
  });
  it("includes what others did, not the guest's own commands", () => {
    const happened: Shown[] = [{ event: "locked", locked: true }];
    expect(texts(table(two), table(two, { happened }))).toEqual(["The table is locked."]);
    expect(texts(table(two), table(two, { happened, ack: "k3f9" }))).toEqual([]);
  });
  it("leaves out the moves of the round", () => {
    expect(texts(table(two), table(two, { happened: [{ event: "accepted", giver: 0, receiver: 1 }] }))).toEqual([]);
  });
  it("includes who is away and who is back", () => {
    const without = [person("Ada"), person("Ben", { away: true })];
    expect(news(table(two), table(without))).toEqual([{ text: "Ben is away.", aloud: true }]);
    expect(texts(table(without), table(two))).toEqual(["Ben is back."]);
  });
  it("includes new spectators, and the last one leaving", () => {
    expect(texts(table(two), table(two, { watching: 1 }))).toEqual(["Someone is watching."]);
    expect(texts(table(two, { watching: 1 }), table(two, { watching: 3 }))).toEqual(["3 people are watching."]);
    expect(texts(table(two, { watching: 3 }), table(two, { watching: 2 }))).toEqual([]);
    expect(texts(table(two, { watching: 1 }), table(two))).toEqual(["Nobody is watching any more."]);
  });
  it("keeps three items and drops those of the lobby at the deal", () => {
    const lobby = (...happened: Shown[]): State => table(two, { happened, view: { stage: "lobby" } });
    const locked = (locked: boolean): State => lobby({ event: "locked", locked });
    let [waiting, before] = [pendingNews([], null, lobby()), lobby()];
    for (const now of [true, false, true, false].map(locked))
      [waiting, before] = [pendingNews(waiting, before, now), now];
    const last = ["The table is open.", "The table is locked.", "The table is open."];
    expect(waiting.map(({ text }) => text)).toEqual(last);
    const watched = table(two, { watching: 1 });
    expect(pendingNews(waiting, before, watched)).toEqual(news(before, watched));
    expect(pendingNews(waiting, table(two), table(two))).toEqual(waiting);
  });
  it("introduces every computer player once, at the first deal", () => {
    const bots = ["berta", "casimir"].map((character) => person(character, { kind: "bot", character }));
    const secret = person("fatima", { kind: "bot", character: "fatima", surprise: true });
    const { view } = table([person("Ada"), ...bots, secret]);
    const at = (number: number): TableView => ({ ...view, match: { ...view.match!, number } });
    expect(introductions(at(1))).toEqual([
      { seat: 1, name: "berta", temper: "Believes nearly everything" },
      { seat: 2, name: "casimir", temper: "Polite and suspicious" },
    ]);
    expect(introductions(at(2))).toEqual([]);
  });
  it("says that time was up, with \"you\" for oneself", () => {
    const late = (seat: number) => texts(table(two), table(two, { happened: [{ event: "out_of_time", seat }] }));
    expect(late(0)).toEqual(["Time was up. A computer said this for you."]);
    expect(late(1)[0]).toContain("Time was up for Ben");
  });
});
