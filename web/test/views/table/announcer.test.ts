import { beforeAll, describe, expect, it } from "vitest";
import { Announcer } from "../../../src/views/table/announcer.svelte.ts";
import { presentScene, scenes } from "../../../src/game/scenes.ts";
import { renderSentence } from "../../../src/views/table/renderSentence.ts";
import type { Card, May, Shown, State, TableView, View } from "../../../src/made/wire.ts";
import { loadWords } from "../../tables.ts";

const DOWN = { face: "down", back: "left" } as const;
const DEALT: Shown = { event: "round_dealt", round: 1, starter: 0 } as Shown;
const OFFER = { name: "answer", giver: 1, receiver: 0, card: DOWN, claim: "hat", from_shop: true } as const;

beforeAll(loadWords);

function table(turn: number, phase: View["phase"], may: May["do"][] = [], happened: Shown[] = []): State {
  const seats = [{ column: [DOWN], penalties: [] }, { column: [DOWN], penalties: [] }];
  const round: View = { turn, seats, shop: { top: "kite", left: 9 }, phase, scores: [0, 0], winners: [] };
  const chairs = ["Ada", "Bo"].map((name) => ({ name, kind: "person", away: false }));
  const options = { claims: "entered", show_seconds: 0 };
  const view = { code: "HATS", stage: "play", paused: false, seats: chairs, options, deadline: null, round };
  return { v: turn, view: view as unknown as TableView, happened, you: [0], may: may.map((what) => ({ do: what })) };
}

/** Return all texts of the live region for some states; a repeated text is not spoken. */
function announced(states: State[]): string[] {
  const announcer = new Announcer();
  const all: string[] = [];
  let before: TableView | null = null;
  for (const state of states) {
    for (const scene of scenes(before, state)) {
      announcer.announce(scene, state, scene.beat === "present" ? scene.sentence : null);
      const text = spoken(announcer).join(" ");
      if (text !== all.at(-1) && text) all.push(text);
    }
    before = state.view;
  }
  return all;
}

const spoken = ({ happened }: Announcer): string[] => happened.map(({ text }) => text);

/** Return a dealt table with an open gift for each seat. */
function dealt(giver: number, may: May["do"][], happened: Shown[] = [DEALT]): State {
  const state = table(0, { name: "draw", giver }, may, happened);
  state.view.round!.seats = ["hat", "umbrella"].map((gift) => ({ column: [{ face: "up", gift }], penalties: [] }));
  return state;
}

describe("the announcer", () => {
  it("says every gift that is opened after the round, and its last name (8.1)", () => {
    const ended: Shown = { event: "ended", scores: [3, 0], winners: [1] };
    const over = { ...table(9, { name: "over" }, [], [ended]) };
    const columns = [[{ gift: "kite" }], [{ gift: "hat" }]] as unknown as Card[][];
    const end = { columns, claims: { kite: "lemon", hat: "hat" }, lies: { kite: 1 } };
    const announcer = new Announcer();
    const said = scenes(table(8, OFFER).view, over, end).flatMap((scene) => {
      announcer.announce(scene, over);
      return scene.beat === "opens" ? [spoken(announcer).at(-1)] : [];
    });
    const lie = "Your kite, last called “lemon”";
    expect(said).toEqual(["Bo’s hat, and that’s what it was called", lie]);
  });
  it("says item by item who has what, own seat first, and who begins (3.2)", () => {
    const announcer = new Announcer();
    const one = (state: State): string[] => {
      announcer.announce(presentScene(state, state.happened), state, presentScene(state, []).sentence);
      return spoken(announcer);
    };
    const gifts = ["You: A hat.", "Bo: An umbrella.", "Gift shop: A kite."];
    const ready = "Remember these. Draw a gift when everyone’s ready.";
    expect(one(dealt(0, ["draw"]))).toEqual(["Round 1 is dealt.", ...gifts, ready]);
    const others = { ...dealt(1, ["ready"]), you: [1] };
    const swapped = ["You: An umbrella.", "Ada: A hat.", "Gift shop: A kite."];
    expect(one(others)).toEqual(["Round 1 is dealt.", ...swapped, ready, "Then “Got it”, or key 1."]);
    expect(one({ ...others, happened: [{ event: "is_ready", seat: 1 }] as Shown[] })).toEqual(["You’re ready."]);
  });

  it("says what was dealt to a player who comes back during the first look", () => {
    const look = "You: A hat. Bo: An umbrella. Gift shop: A kite. Remember these. Bo begins.";
    expect(announced([dealt(1, [], [])])).toEqual([look]);
    expect(announced([table(2, { name: "draw", giver: 1 })])).toEqual([]);
  });

  it("repeats what the screen shows now, and nothing of the past", () => {
    const announcer = new Announcer();
    const offer = table(3, OFFER, ["accept", "refuse"]);
    offer.view.round!.seats[1] = { column: [], penalties: ["hat", "kite"] };
    announcer.repeat(presentScene(offer, []), offer, presentScene(offer, []).sentence);
    expect(spoken(announcer)).toEqual([
      "You: a wrapped gift, goes to Bo.",
      "Bo: no gift; 2 penalty points.",
      "Gift shop: A kite.",
      "In the middle: a wrapped gift, goes to you.",
      "Bo says to you: I have a nice hat for you.",
    ]);
  });

  it("says once who won", () => {
    const over = table(9, { name: "over" } as View["phase"], [], [{ event: "match_over" }] as Shown[]);
    Object.assign(over.view, { stage: "over", match: { number: 1, winners: [1], of: 1, totals: [3, 1] } });
    const won = "The game is over. Bo forgot the least. You forgot the most. It happens.";
    const points = "You: 3 penalty points. Bo: 1 penalty point.";
    expect(announced([over, { ...over, happened: [] }])).toEqual([`${won} ${points}`]);
  });

  it("prompts once for each turn, and again after a pause", () => {
    const draw = table(4, { name: "draw", giver: 0 }, ["draw"]);
    const paused = { ...draw, may: [], view: { ...draw.view, paused: true } };
    const waved = { ...draw, happened: [{ event: "emoted", seat: 1, emote: "hello" }] as Shown[] };
    const locked = { ...draw, happened: [{ event: "locked", locked: true }] as Shown[] };
    const turn = "Your turn: take a gift from the shop.";
    expect(announced([draw, waved, draw, locked, draw])).toEqual([turn, "The table is locked."]);
    expect(announced([draw, locked, paused, draw])).toEqual([turn, "The table is locked.", turn]);
  });

  it("prompts for the gift to give after a draw (4.3)", () => {
    const gave = table(2, { name: "give", giver: 0, card: DOWN, from_shop: true, receivers: [1] }, ["give"], [
      { event: "drawn", giver: 0, gift: "hat" },
      { event: "wrapped", giver: 0, back: "left" },
    ] as Shown[]);
    const [, ...then] = announced([table(0, { name: "draw", giver: 0 }, ["draw"]), gave]);
    expect(then).toEqual(["You draw a gift. A hat.", "You wrap the gift. What do you give Bo?"]);
  });

  it("announces an offer once, also to a late receiver", () => {
    const offered = { event: "offered", giver: 1, receiver: 0, claim: "hat" } as Shown;
    const offerText = "Bo to you: I have a nice hat for you.";
    const late = table(3, OFFER, ["accept", "refuse"]);
    expect(announced([{ ...late, happened: [offered] }, late])).toEqual([offerText]);
    expect(announced([late])).toEqual([offerText]);
  });

  it("says once to whom another player's wrapped gift goes, before the claim", () => {
    const give = table(3, { name: "give", giver: 1, card: DOWN, from_shop: true, receivers: [0] });
    expect(announced([give, give])).toEqual(["In the middle: a wrapped gift, goes to you."]);
  });

  it("asks for a vote once a round", () => {
    const offered = { event: "offered", giver: 1, receiver: 0, claim: "hat" } as Shown;
    const offer = (turn: number): State => ({ ...table(turn, OFFER, ["vote"], [offered]), you: [2] });
    const claim = "Bo to Ada: I have a nice hat for you.";
    const announcer = new Announcer();
    const said = [3, 7].map((turn) => {
      const scene = presentScene(offer(turn), [offered]);
      announcer.announce(scene, offer(turn), scene.sentence);
      return spoken(announcer);
    });
    expect(said).toEqual([[claim, "Would you believe it?"], [claim]]);
  });

  it("asks who was wrong (12.2)", () => {
    const judge = table(6, { name: "judge", giver: 1, receiver: 0, card: { face: "up", gift: "hat" } }, ["judge"]);
    expect(announced([judge])).toEqual([renderSentence({ say: "say.judge", names: {} }, judge.view)]);
  });
});
