// Laws over hundreds of whole games: scenes show what happened, beat by beat.

import { readFileSync } from "node:fs";
import { beforeAll, describe, expect, it } from "vitest";
import { CARD, computeLayout, type Rect } from "../../src/game/geometry.ts";
import { BoardLayout, pointsTo, receiverOf } from "../../src/game/boardLayout.ts";
import { isShopOpen, type CardSide, type RestingCard, type Scene, type Spot } from "../../src/game/boardModel.ts";
import { moodOf } from "../../src/game/moods.ts";
import { BRISK, scenes, STAMP } from "../../src/game/scenes.ts";
import type { Card, Shown, State, TableView, View } from "../../src/made/wire.ts";
import { overlap } from "./rects.ts";

interface Game {
  seats: number;
  each: number;
  edition: unknown[];
  spoken: boolean;
  first: View;
  steps: [Shown[], Partial<Omit<View, "seats">> & { seats?: Record<number, View["seats"][number]> }][];
  columns: Card[][];
}
interface Pace {
  scene: Record<string, number>;
  speed: Record<string, number>;
  reveal: number;
}
interface Step {
  before: View;
  after: View;
  happened: Shown[];
  played: Scene[];
  cardsAtEnd: RestingCard[][]; // the cards when each scene ends
  keys: string[]; // and their spots
}

const LINES = readFileSync(new URL("../made/games.jsonl", import.meta.url), "utf-8").split("\n");
const PACE = JSON.parse(LINES[0]!) as Pace;
const GAMES = LINES.slice(1).map((line) => JSON.parse(line) as Game);

function table(game: Game, round: View): TableView {
  const options = { show_seconds: 3, claims: game.spoken ? "spoken" : "entered" };
  const stage = round.phase.name === "over" ? "over" : "play";
  return { code: "HATS", seats: [], stage, options, deadline: null, round } as unknown as TableView;
}

function* steps(game: Game): Generator<Step> {
  let before = game.first;
  for (const [happened, { seats, ...changes }] of game.steps) {
    const after: View = { ...before, ...changes, seats: before.seats.map((seat, n) => seats?.[n] ?? seat) };
    const state: State = { v: 1, view: table(game, after), happened, you: [0], may: [] };
    const ended = happened.some(({ event }) => event === "ended");
    const played = scenes(table(game, before), state, ended ? { columns: game.columns, claims: {}, lies: {} } : null);
    const cardsAtEnd = played.map(endOf);
    const keys = cardsAtEnd.map((all) => all.map(({ at }) => where(at)).join());
    yield { before, after, happened, played, cardsAtEnd, keys };
    before = after;
  }
}

type Law = (step: Step, game: Game) => string | false | undefined;
const LAWS: [string, Law][] = [];
const BROKEN = new Map<string, string>();

function law(sentence: string, holds: Law): void {
  LAWS.push([sentence, holds]);
}

/** Check all laws in one pass over all games. Keep the first breach of each. */
function checkLaws(): void {
  for (const game of GAMES)
    for (const step of steps(game))
      for (const [sentence, holds] of LAWS) {
        const broken = !BROKEN.has(sentence) && holds(step, game);
        const { seats, each } = game;
        if (broken) BROKEN.set(sentence, `${broken}; ${seats} seats, ${each} each, ${JSON.stringify(step.happened)}`);
      }
}

const name = (card: CardSide): string => (card.face === "up" ? card.gift : card.back);
const where = (place: Spot): string => Object.values(place).join(" ");
const put = (card: CardSide, place: Spot): string => `${name(card)} at ${where(place)}`;

const lines = (cards: RestingCard[]): string => cards.map(({ card, at }) => put(card, at)).sort().join();
const total = (all: Scene[], time: "ms" | "reducedMs"): number => all.reduce((sum, scene) => sum + scene[time], 0);

/** Return the cards on the table when a scene starts or ends. */
function cardsAt(end: "from" | "to", { resting, moving, turning }: Scene): RestingCard[] {
  const all = [...resting, ...moving.map((flight): RestingCard => ({ card: flight.card, at: flight[end] }))];
  if (turning) all.push({ card: turning[end], at: turning.at });
  return all.filter(({ at }) => at.at === "middle" || at.at === "column");
}
const startOf = (scene: Scene) => cardsAt("from", scene);
const endOf = (scene: Scene) => cardsAt("to", scene);

law("a sentence names a draw only before it, an opened gift only to be read", ({ played, after: { phase } }) => {
  for (const { sentence, beat, ms } of played) {
    const says = sentence?.say ?? "";
    if (/^say\.(draw|look)/.test(says) && (beat !== "present" || phase.name !== "draw")) return `${says} in ${beat}`;
    if (says.startsWith("end.was") && ms < 1200) return `${says} for ${ms} ms`;
    if (says === "say.new" && !(phase.name === "wrap" && phase.from_shop)) return `${says} in ${beat}`;
  }
});

law("a wrapped gift always points to its receiver", ({ played, before, after }, { seats }) => {
  const giverOf = ({ phase }: View): number[] => ("giver" in phase ? [phase.giver] : []);
  for (const scene of played) {
    for (const { card, at } of [...startOf(scene), ...endOf(scene)]) {
      if (card.face !== "down" || card.back === "any") continue;
      const givers = at.at === "column" ? [at.seat] : [...giverOf(before), ...giverOf(after)];
      const to = pointsTo(scene, card, at, seats);
      const receivers = givers.map((giver) => receiverOf(giver, card.back, seats));
      if (!receivers.includes(to)) return `${put(card, at)} points to ${to} in ${scene.beat}`;
    }
  }
});

law("r5.2 only the bottom card leaves a column", ({ played }) => {
  let before: RestingCard[] = [];
  for (const scene of played) {
    for (const { card, from, to } of scene.moving) {
      if (from.at !== "column" || (to.at === "column" && to.seat === from.seat)) continue;
      const column = before.filter(({ at }) => at.at === "column" && at.seat === from.seat);
      const bottom = column.find(({ at }) => at.at === "column" && at.slot === 0);
      const isBottom = from.slot === 0 && bottom && name(bottom.card) === name(card);
      if (!isBottom || from.of !== column.length) return `${put(card, from)} leaves`;
      if (to.at !== "middle" || to.toward !== from.seat) return `it goes to ${where(to)}`;
    }
    before = endOf(scene);
  }
});

const rest = new WeakMap<Game, RestingCard[]>(); // the cards at the end of the last step
law("every card begins a scene where it ended the last one", ({ played, cardsAtEnd, before }, game) => {
  const first: State = { v: 0, view: table(game, before), happened: [], you: [0], may: [] };
  let last = rest.get(game) ?? endOf(scenes(null, first)[0]!);
  rest.set(game, cardsAtEnd.at(-1)!);
  for (const [n, scene] of played.entries()) {
    if (scene.beat === "present" && played[n - 1]?.beat === "opened") return; // only the story opens them
    const [was, is] = [lines(last), lines(startOf(scene))];
    if (was !== is) return `before ${scene.beat} layout ${was}, and it begins with ${is}`;
    last = cardsAtEnd[n]!;
  }
});

law("r9.1 no card vanishes or appears twice", ({ played, before }) => {
  const layout = before.seats.flatMap(({ column, penalties }) => [...column, ...penalties]).length;
  const cards = layout + before.shop.left + ("card" in before.phase ? 1 : 0);
  for (const { resting, moving, turning, penalties, shop, beat } of played) {
    const shown = resting.length + moving.length + (turning ? 1 : 0) + penalties.flat().length + shop.left;
    if (shown !== cards) return `${shown} of ${cards} cards in ${beat}`;
  }
});

law("no two cards share a spot", ({ played, cardsAtEnd, keys }) => {
  for (const [n, { beat }] of played.entries()) {
    if (new Set(keys[n]!.split(",")).size !== cardsAtEnd[n]!.length) return `shared in ${beat}: ${keys[n]}`;
    const widths = new Map<number, number>();
    for (const { at } of cardsAtEnd[n]!) {
      if (at.at !== "column") continue;
      if ((widths.get(at.seat) ?? at.of) !== at.of) return `a column of two widths in ${beat}`;
      widths.set(at.seat, at.of);
    }
  }
});

law("the acting seats are outlined", ({ played, happened, after }) => {
  for (const { giver, receiver, beat } of played) {
    const [acts, dashed] = beat === "present" ? actors(after) : actorsOf(happened, beat);
    const right = giver === acts && (dashed === undefined || receiver === dashed);
    if (!right) return `${giver} and ${receiver} instead of ${acts} and ${dashed} in ${beat}`;
  }
});

law("r5.1 both gifts are visible for 400 ms, the new one above", ({ played, happened, before }) => {
  const accepted = happened.find(({ event }) => event === "accepted");
  if (accepted?.event !== "accepted") return;
  const theirs = (place: Spot): boolean => place.at === "column" && place.seat === accepted.receiver;
  const wanted = before.seats[accepted.receiver]!.column.length + 1;
  const changes = ({ moving, turning }: Scene) => turning || moving.some(({ from, to }) => theirs(from) || theirs(to));
  const all = ({ resting }: Scene) => resting.filter(({ at }) => theirs(at)).length === wanted;
  const ms = total(played.slice(0, -1).filter((scene) => all(scene) && !changes(scene)), "ms");
  const lands = played.find(({ beat }) => beat === "lands")!;
  const reducedMs = lands.reducedMs - 300; // minus the fade-in
  if (ms < 400 || reducedMs < 400) return `${ms} ms, ${reducedMs} ms without motion`;
  const { to } = lands.moving[0]!;
  if (to.at !== "column" || to.slot !== wanted - 1 || to.of !== wanted) return `it lands at ${where(to)}`;
});

law("a claim is said from its gift's journey until the answer", ({ played, happened }) => {
  const offers = new Set(played.filter(({ speech }) => speech?.line === "offer").map(({ beat }) => beat));
  const offered = happened.find(({ event }) => event === "offered");
  if (offered?.event === "offered" && offered.claim !== null && !offers.has("travels")) return "said too late";
  if (offers.has("leaves") || offers.has("turns")) return "said of another gift";
});

law("scenes end before the next move is due (live/pace.py)", ({ played, happened }) => {
  if (happened.some(({ event }) => event === "ended")) return; // no move follows
  const most = happened.reduce((sum, { event }) => sum + (PACE.scene[event] ?? 0) * 1000, 0);
  const shown = played.slice(0, -1);
  const [ms, reducedMs] = [total(shown, "ms"), total(shown, "reducedMs")];
  if (ms > most || reducedMs > most) return `${ms} ms, ${reducedMs} ms without motion, of ${most}`;
});

law("every event appears once, and the present is last", ({ played, happened, after }) => {
  if (played.flatMap((scene) => scene.happened).length !== happened.length) return "an event is lost or said twice";
  if (played.at(-1)!.beat !== "present" || played.at(-1)!.view.round !== after) return "the present is missing";
});

law("r8.1 every wrapped card is opened after the round", ({ played, after }, game) => {
  if (after.phase.name !== "over") return;
  const open = played.findLast(({ beat }) => beat === "opened");
  const shown = open?.resting.map(({ card, at }) => at.at === "column" && `${at.seat} ${at.slot} ${name(card)}`).sort();
  const real = game.columns.flatMap((column, seat) => column.map(({ gift }, n) => `${seat} ${n} ${gift}`)).sort();
  return shown?.join() !== real.join() && "not everything is opened";
});

law("r8.1 the winners are crowned when all cards are open", ({ played, happened }) => {
  const ended = happened.find((event) => event.event === "ended");
  for (const { beat, crowned } of played) {
    const expected = beat === "opened" && ended ? ended.winners : [];
    if (crowned.join() !== expected.join()) return `${crowned.join()} instead of ${expected.join()} at ${beat}`;
  }
});

law("r8.1 only the third penalty is shown slowly", ({ played, happened }) => {
  const slow = happened.some(({ event }) => event === "refused") && happened.some(({ event }) => event === "ended");
  for (const { beat, pace, ms } of played) {
    const slowed = slow && ["still", "close", "turns", "breath", "stamp", "keeps"].includes(beat);
    if ((pace > 1) !== slowed || (slowed && beat === "stamp" && ms <= STAMP)) return `${beat} ${pace} times as long`;
  }
});

const moods = (played: Scene[]): string =>
  played.map((scene) => [scene.beat, ...scene.penalties.map((_, seat) => moodOf(scene, seat))].join(" ")).join();
law("r9.5 moods of faces depend only on public information", ({ before, after, happened, played }, game) => {
  const exchanged = game.columns.map((column) => column.map((card) => ({ ...card, gift: "hat" })));
  const elsewhere: State = { v: 1, view: table(game, after), happened, you: [game.seats - 1], may: [] };
  const end = after.phase.name === "over" ? { columns: exchanged, claims: {}, lies: {} } : null;
  const there = scenes(table(game, before), elsewhere, end);
  if (moods(there) !== moods(played)) return `${moods(there)} instead of ${moods(played)}`;
  const present = played.at(-1)!;
  for (const [seat, { penalties }] of after.seats.entries()) {
    const mood = moodOf(present, seat);
    const acts = seat === present.giver || seat === present.receiver;
    const fits = acts || (mood === "worried") === (penalties.length === 2);
    if (!fits || (mood === "done") !== (penalties.length === 3)) return `${mood} at seat ${seat}`;
  }
});

const grounds = new Map<string, BoardLayout>();
const apart = new Map<string, boolean>();
for (const [width, height] of [[320, 568], [390, 844], [844, 390], [1280, 720], [1920, 1080]] as const)
  law(`no cards overlap at ${width} × ${height}`, ({ played, cardsAtEnd, keys }, { seats }) => {
    const size = `${width} ${height} ${seats}`;
    const board = grounds.get(size) ?? new BoardLayout(computeLayout({ width, height, seats }), 0, seats);
    grounds.set(size, board);
    for (const [n, scene] of played.entries()) {
      const open = isShopOpen(scene);
      const key = `${size} ${keys[n]!} ${open}`;
      const shop = open ? board.layout.counter : board.layout.shop; // it moves aside while a card is in the middle
      const rects = () => [...cardsAtEnd[n]!.map(({ at }) => board.rect(at)), { ...shop, h: shop.w / CARD }];
      if (!apart.has(key)) apart.set(key, noneOverlap(rects()));
      if (!apart.get(key)) return `cards overlap in ${scene.beat}: ${key}`;
    }
  });

const seen = new WeakMap<Game, { ms: number; reducedMs: number }>();
law("an arrow is visible for 700 ms before the claim", ({ played, happened }, game) => {
  const alone = seen.get(game) ?? { ms: 0, reducedMs: 0 };
  seen.set(game, alone);
  for (const { sentence, resting, moving, ms, reducedMs } of played) {
    const said = sentence?.spoken?.line === "offer" && happened.some(({ event }) => event === "offered");
    if (said && Math.min(alone.ms, alone.reducedMs) < 700) return `${alone.ms} ms, ${alone.reducedMs} ms reduced`;
    const hands = [...resting, ...moving.map(({ card, to }): RestingCard => ({ card, at: to }))];
    const arrow = hands.some(({ card, at }) => card.face === "down" && at.at === "middle");
    alone.ms = arrow ? alone.ms + ms : 0;
    alone.reducedMs = arrow ? alone.reducedMs + reducedMs : 0;
  }
});

describe(`in ${GAMES.length} whole games`, () => {
  beforeAll(checkLaws, 300_000);

  it("have the server's durations", () => {
    expect([BRISK, STAMP]).toEqual([PACE.speed.brisk, PACE.reveal * 1000]);
  });

  it("have all kinds of tables", () => {
    expect(GAMES.length).toBeGreaterThan(600);
    expect(new Set(GAMES.map(({ seats }) => seats))).toEqual(new Set([2, 3, 4, 5, 6, 7, 8]));
    expect(new Set(GAMES.map(({ each, edition, spoken }) => JSON.stringify([each, edition, spoken]))).size).toBe(20);
  });

  it.each(LAWS)("%s", (sentence) => expect(BROKEN.get(sentence)).toBeUndefined());
});

function actors({ phase }: View): [number | null, number | null | undefined] {
  if (phase.name === "over") return [null, null];
  if (phase.name === "answer" || phase.name === "judge") return [phase.giver, phase.receiver];
  return [phase.giver, phase.name === "give" && phase.receivers.length === 1 ? phase.receivers[0]! : null];
}

/** Return giver and receiver of a beat; undefined if the receiver is uncertain. */
function actorsOf(happened: Shown[], beat: string): [number | null, number | null | undefined] {
  if (beat === "opens" || beat === "opened") return [null, null];
  for (const event of happened) {
    if (event.event === "drawn") return [event.giver, null];
    if (event.event === "wrapped") return [event.giver, undefined];
    if (event.event === "offered") return [event.giver, event.receiver];
    if (event.event === "accepted") return [event.receiver, beat === "leaves" || beat === "closes" ? undefined : null];
    if (event.event === "refused" && beat !== "stamp" && beat !== "keeps") return [event.giver, event.receiver];
    if (event.event === "penalised") return [event.seat, null];
  }
  return [null, null];
}

function noneOverlap(rects: Rect[]): boolean {
  return rects.every((a, n) => rects.slice(n + 1).every((b) => !overlap(a, b)));
}
