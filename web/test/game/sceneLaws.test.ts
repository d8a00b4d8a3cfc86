// The truth in motion, as laws over thousands of whole games: what is shown is what happened, beat by beat.

import { readFileSync } from "node:fs";
import { beforeAll, describe, expect, it } from "vitest";
import { moodOf } from "../../src/ui/faces.ts";
import { layout, type Rect } from "../../src/game/geometry.ts";
import { Ground } from "../../src/game/boardLayout.ts";
import type { Lying, Place, Scene, Side } from "../../src/game/boardModel.ts";
import { scenes, STAMP } from "../../src/game/scenes.ts";
import type { Card, Shown, State, TableView, View } from "../../src/wire.ts";

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
}
interface Step {
  before: View;
  after: View;
  happened: Shown[];
  told: Scene[];
  lies: Lying[][]; // what lies on the table when each scene ends
  keys: string[]; // and where, in one word
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
    const told = scenes(table(game, before), state, ended ? game.columns : null);
    const lies = told.map(ends);
    yield { before, after, happened, told, lies, keys: lies.map((all) => all.map(({ at }) => where(at)).join()) };
    before = after;
  }
}

type Law = (step: Step, game: Game) => string | false | undefined;
const LAWS: [string, Law][] = [];
const BROKEN = new Map<string, string>();

function law(sentence: string, holds: Law): void {
  LAWS.push([sentence, holds]);
}

/** All laws in one pass over all games; of each the first breach, with what was seen. */
function judge(): void {
  for (const game of GAMES)
    for (const step of steps(game))
      for (const [sentence, holds] of LAWS) {
        const broken = !BROKEN.has(sentence) && holds(step, game);
        if (broken) BROKEN.set(sentence, `${broken}; ${game.seats} seats, ${game.each} each, after ${JSON.stringify(step.happened)}`);
      }
}

const name = (card: Side): string => (card.face === "up" ? card.gift : card.back);
const where = (place: Place): string => Object.values(place).join(" ");
const put = (card: Side, place: Place): string => `${name(card)} at ${where(place)}`;
const onTable = (place: Place): boolean => place.at === "middle" || place.at === "column";

function starts({ lying, moving, turning }: Scene): string[] {
  const all = [...lying, ...moving.map(({ card, from }): Lying => ({ card, at: from }))];
  if (turning) all.push({ card: turning.from, at: turning.at });
  return all.filter(({ at }) => onTable(at)).map(({ card, at }) => put(card, at)).sort();
}

function ends({ lying, moving, turning }: Scene): Lying[] {
  const all = [...lying, ...moving.map(({ card, to }): Lying => ({ card, at: to }))];
  if (turning) all.push({ card: turning.to, at: turning.at });
  return all.filter(({ at }) => onTable(at));
}

law("no sentence names a draw unless a draw is what comes next", ({ told, after }) => {
  for (const { sentence, beat } of told) {
    const says = sentence?.say ?? "";
    if (/^say\.(draw|look)/.test(says) && !(beat === "present" && after.phase.name === "draw")) return `${says} in ${beat}`;
    if (says === "say.new" && !(after.phase.name === "wrap" && after.phase.from_shop)) return `${says} in ${beat}`;
  }
});

law("r5.2 the card that leaves a column is the one that lay at its bottom, and nothing else leaves", ({ told }) => {
  let lies: Lying[] = [];
  for (const scene of told) {
    for (const { card, from, to } of scene.moving) {
      if (from.at !== "column" || (to.at === "column" && to.seat === from.seat)) continue;
      const column = lies.filter(({ at }) => at.at === "column" && at.seat === from.seat);
      const bottom = column.find(({ at }) => at.at === "column" && at.slot === 0);
      if (from.slot !== 0 || from.of !== column.length || !bottom || name(bottom.card) !== name(card)) return `${put(card, from)} leaves`;
      if (to.at !== "middle" || to.toward !== from.seat) return `it goes to ${where(to)}`;
    }
    lies = ends(scene);
  }
});

const rest = new WeakMap<Game, Lying[]>(); // what lay on the table when the last step was over
law("nothing jumps: every card begins a scene where it ended the last one, same side up", ({ told, lies, before }, game) => {
  let last = rest.get(game) ?? ends(scenes(null, { v: 0, view: table(game, before), happened: [], you: [0], may: [] })[0]!);
  rest.set(game, lies.at(-1)!);
  for (const [n, scene] of told.entries()) {
    if (scene.beat === "present" && told[n - 1]?.beat === "opened") return; // the view keeps them wrapped; the story opened them
    const was = last.map(({ card, at }) => put(card, at)).sort().join();
    const is = starts(scene).join();
    if (was !== is) return `before ${scene.beat} lay ${was}, and it begins with ${is}`;
    last = lies[n]!;
  }
});

law("r9.1 no card vanishes or is there twice, not for a tenth of a second", ({ told, before }) => {
  const lay = before.seats.flatMap(({ column, penalties }) => [...column, ...penalties]).length;
  const cards = lay + before.shop.left + ("card" in before.phase ? 1 : 0);
  for (const { lying, moving, turning, penalties, shop, beat } of told) {
    const shown = lying.length + moving.length + (turning ? 1 : 0) + penalties.flat().length + shop.left;
    if (shown !== cards) return `${shown} of ${cards} cards in ${beat}`;
  }
});

law("a card that lands covers nothing", ({ told, lies, keys }) => {
  for (const [n, { beat }] of told.entries()) {
    if (new Set(keys[n]!.split(",")).size !== lies[n]!.length) return `two cards at one place in ${beat}: ${keys[n]}`;
    const widths = new Map<number, number>();
    for (const { at } of lies[n]!) {
      if (at.at !== "column") continue;
      if ((widths.get(at.seat) ?? at.of) !== at.of) return `a column of two widths in ${beat}`;
      widths.set(at.seat, at.of);
    }
  }
});

law("who is outlined is who acts", ({ told, happened, after }) => {
  for (const { giver, receiver, beat } of told) {
    const [acts, dashed] = beat === "present" ? actors(after) : actorsOf(happened, beat);
    const right = giver === acts && (dashed === undefined || receiver === dashed);
    if (!right) return `${giver} and ${receiver} instead of ${acts} and ${dashed} in ${beat}`;
  }
});

law("r5.1 whoever accepts has both gifts in full sight for 400 ms or more, the new one above", ({ told, happened, before }) => {
  const accepted = happened.find(({ event }) => event === "accepted");
  if (accepted?.event !== "accepted") return;
  const theirs = (place: Place): boolean => place.at === "column" && place.seat === accepted.receiver;
  const wanted = before.seats[accepted.receiver]!.column.length + 1;
  const still = told.slice(0, -1).filter(({ moving, turning }) => !turning && !moving.some(({ from, to }) => theirs(from) || theirs(to)));
  const ms = still.filter(({ lying }) => lying.filter(({ at }) => theirs(at)).length === wanted).reduce((sum, scene) => sum + scene.ms, 0);
  const lands = told.find(({ beat }) => beat === "lands")!;
  const calm = lands.calm - 300; // fading in; then it lies there while the way is drawn
  if (ms < 400 || calm < 400) return `${ms} ms, ${calm} ms without motion`;
  const { to } = lands.moving[0]!;
  if (to.at !== "column" || to.slot !== wanted - 1 || to.of !== wanted) return `it lands at ${where(to)}`;
});

law("no claim is written or said while its gift is still on the way", ({ told }) => {
  for (const { sentence, speech, moving, beat } of told)
    if (moving.length > 0 && (sentence?.spoken?.line === "offer" || speech?.line === "offer")) return `claimed in ${beat}`;
});

law("every scene ends before the house lets anybody act on it (live/pace.py)", ({ told, happened }) => {
  if (happened.some(({ event }) => event === "ended")) return; // the third penalty takes its time: nobody acts after it
  const most = happened.reduce((sum, { event }) => sum + (PACE.scene[event] ?? 0) * 1000, 0);
  const shown = told.slice(0, -1);
  const ms = shown.reduce((sum, scene) => sum + scene.ms, 0);
  const calm = shown.reduce((sum, scene) => sum + scene.calm, 0);
  if (ms > most || calm > most) return `${ms} ms, ${calm} ms without motion, of ${most}`;
});

law("says every event once, and ends with the present", ({ told, happened, after }) => {
  if (told.flatMap((scene) => scene.happened).length !== happened.length) return "an event is lost or said twice";
  if (told.at(-1)!.beat !== "present" || told.at(-1)!.view.round !== after) return "it does not end with the present";
});

law("r8.1 when the round is over, every wrapped card turns over in turn to what it was", ({ told, after }, game) => {
  if (after.phase.name !== "over") return;
  const open = told.findLast(({ beat }) => beat === "opened");
  const shown = open?.lying.map(({ card, at }) => (at.at === "column" ? `${at.seat} ${at.slot} ${name(card)}` : "")).sort();
  const real = game.columns.flatMap((column, seat) => column.map(({ gift }, slot) => `${seat} ${slot} ${gift}`)).sort();
  return shown?.join() !== real.join() && "not everything is opened";
});

law("r8.1 the third penalty is told slower than the others, and nothing else is", ({ told, happened }) => {
  const slow = happened.some(({ event }) => event === "refused") && happened.some(({ event }) => event === "ended");
  for (const { beat, pace, ms } of told) {
    const kept = slow && ["still", "turns", "breath", "stamp", "keeps"].includes(beat);
    if ((pace > 1) !== kept || (kept && beat === "stamp" && ms <= STAMP)) return `${beat} ${pace} times as long`;
  }
});

const moods = (told: Scene[]): string =>
  told.map(({ beat, penalties, speech }) => [beat, ...penalties.map((own, seat) => moodOf(own.length, speech?.seat === seat))].join(" ")).join();
law("r9.5 moods of faces come from what all can see: the same on every screen, whatever lies hidden", ({ before, after, happened, told }, game) => {
  if (!happened.some(({ event }) => event === "penalised")) return;
  const exchanged = game.columns.map((column) => column.map((card) => ({ ...card, gift: "hat" })));
  const elsewhere: State = { v: 1, view: table(game, after), happened, you: [game.seats - 1], may: [] };
  const there = scenes(table(game, before), elsewhere, after.phase.name === "over" ? exchanged : null);
  if (moods(there) !== moods(told)) return `${moods(there)} instead of ${moods(told)}`;
  for (const [seat, { penalties }] of after.seats.entries()) {
    const mood = moodOf(penalties.length, false);
    if ((mood === "done") !== (penalties.length === 3) || (mood === "worried") !== (penalties.length === 2)) return `${mood} at seat ${seat}`;
  }
});

const grounds = new Map<string, Ground>();
const apart = new Map<string, boolean>();
for (const [width, height] of [[320, 568], [390, 844], [844, 390], [1280, 720], [1920, 1080]] as const)
  law(`nothing lies over anything at ${width} × ${height}`, ({ told, lies, keys }, { seats }) => {
    const size = `${width} ${height} ${seats}`;
    const ground = grounds.get(size) ?? new Ground(layout({ width, height, seats }), 0, seats, 1);
    grounds.set(size, ground);
    for (const [n, { beat }] of told.entries()) {
      const key = `${size} ${keys[n]!}`;
      if (!apart.has(key)) apart.set(key, noneOverlap(lies[n]!.map(({ at }) => ground.rect(at)).concat(ground.rect({ at: "shop" }))));
      if (!apart.get(key)) return `cards overlap in ${beat}: ${key}`;
    }
  });

const seen = new WeakMap<Game, { ms: number; calm: number }>();
law("the arrow of a wrapped gift is seen alone for 700 ms or more before anybody says what it is", ({ told, happened }, game) => {
  const alone = seen.get(game) ?? { ms: 0, calm: 0 };
  seen.set(game, alone);
  for (const { sentence, lying, moving, ms, calm } of told) {
    const said = sentence?.spoken?.line === "offer" && happened.some(({ event }) => event === "offered");
    if (said && Math.min(alone.ms, alone.calm) < 700) return `${alone.ms} ms, ${alone.calm} ms without motion`;
    const hands = [...lying, ...moving.map(({ card, to }): Lying => ({ card, at: to }))];
    const arrow = hands.some(({ card, at }) => card.face === "down" && at.at === "middle");
    Object.assign(alone, arrow ? { ms: alone.ms + ms, calm: alone.calm + calm } : { ms: 0, calm: 0 });
  }
});

describe(`in ${GAMES.length} whole games`, () => {
  beforeAll(judge, 300_000);

  it("all kinds of tables are played", () => {
    expect(GAMES.length).toBeGreaterThan(2000);
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

/** Who acts in a beat of what happened; whom it is for, where that is certain. */
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
  const beside = (a: Rect, b: Rect): boolean => a.x >= b.x + b.w - 0.5 || b.x >= a.x + a.w - 0.5;
  const over = (a: Rect, b: Rect): boolean => a.y >= b.y + b.h - 0.5 || b.y >= a.y + a.h - 0.5;
  return rects.every((a, n) => rects.slice(n + 1).every((b) => beside(a, b) || over(a, b)));
}
