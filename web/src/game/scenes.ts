// The queue of happenings: from two states of the table, and what happened between them, to the little scenes that people
// can follow. Pure: nothing here waits, draws or remembers; a scene that was played is forgotten with its gift.

import type { Card, FaceUp, Shown, State, TableView } from "../wire.ts";
import { column, middle, only, present, type Lying, type Moving, type Picture, type Place, type Scene, type Side } from "./boardModel.ts";
import { doubts, drew, givesOldest, goes, keeps, laysOnTop, opened, passes, thanks, won, type Sentence } from "./sentence.ts";

export const LIFT = 120;
export const SLIDE = 320;
export const SETTLE = 80;
export const FLY = LIFT + SLIDE + SETTLE;
export const SHIFT = 200; // cards of a column make room, or close the gap
export const CALM = 700; // without motion: how long the way of a gift is drawn
export const TURN = 260;
export const ARROW = 700; // a wrapped gift shows its arrow and nothing else
export const THANKS = 400;
export const SIGHT = 430; // old and new gift, both in full sight: 400 ms and a timer's slack
export const STILL = 400; // the joke needs a breath
export const BREATH = 400;
export const STAMP = 1600;
export const SLOWLY = 1.5; // the third penalty
const OPENING = 420; // each card at the end of a round ...
const ALL_OPEN = 4200; // ... but not for ever
const LAST_LOOK = 1600;

type Beat = Partial<Picture> & { beat: string; ms: number; calm?: number; pace?: number; happened?: Shown[] };

/** The scenes that lead from one state to the next; the last one is always the present. */
export function scenes(before: TableView | null, state: State, columns: Card[][] | null = null): Scene[] {
  const { happened, view } = state;
  const told = before?.round && view.round ? happened.flatMap((event) => beatsOf(before, state, event, columns)) : [];
  const said = told.flatMap((scene) => scene.happened);
  const rest = happened.filter((event) => !said.includes(event));
  const speed = view.speed ?? 1;
  const paced = told.map((scene) => ({ ...scene, ms: scene.ms / speed, calm: scene.calm / speed, pace: scene.pace / speed }));
  const seen = paced.reduce((sum, { ms }) => sum + ms, 0);
  return [...paced, now(state, rest, Math.max(0, hold(state) - seen))];
}

/** The present as a scene that stays. */
export function now({ view, you }: State, happened: Shown[], ms = 0): Scene {
  return { ...present(view, you), beat: "present", ms, calm: ms, pace: 1, happened };
}

/** An open gift stays as long as the table agreed, its way to where it lies included, however late this screen is. */
function hold(state: State): number {
  if (state.view.round?.phase.name !== "wrap") return 0;
  const { deadline, options, speed = 1 } = state.view;
  return (deadline?.seconds ?? options.show_seconds / speed) * 1000;
}

function beatsOf(before: TableView, state: State, event: Shown, columns: Card[][] | null): Scene[] {
  switch (event.event) {
    case "drawn":
      return drawn(before, state, event);
    case "wrapped":
      return wrapped(before, state, event);
    case "offered":
      return offered(before, state, event);
    case "accepted":
      return accepted(before, state, event);
    case "refused":
      return refused(before, state, event);
    case "penalised":
      return before.round!.phase.name === "answer" ? [] : judged(before, state, event);
    case "ended":
      return columns === null ? [] : opening(state, columns, event);
    default:
      return [];
  }
}

/** Beats over a picture: each says only what differs from the one before it. */
function played(start: Picture, beats: Beat[]): Scene[] {
  const scenes: Scene[] = [];
  let still: Picture = { ...start, moving: [], turning: null, stamped: false, speech: null };
  for (const { beat, ms, calm = ms, pace = 1, happened = [], ...changes } of beats) {
    const scene: Scene = { ...still, ...changes, beat, ms, calm, pace, happened };
    scenes.push(scene);
    const landed = scene.moving.filter(({ to }) => to.at !== "penalty").map(({ card, to }): Lying => ({ card, at: to }));
    const turned: Lying[] = scene.turning ? [{ card: scene.turning.to, at: scene.turning.at }] : [];
    still = { ...scene, lying: [...scene.lying, ...landed, ...turned], moving: [], turning: null, stamped: false, speech: null };
  }
  return scenes;
}

function others(picture: Picture, seat: number): Lying[] {
  return picture.lying.filter(({ at }) => at.at === "column" && at.seat !== seat);
}

function inColumns(picture: Picture): Lying[] {
  return picture.lying.filter(({ at }) => at.at === "column");
}

/** The shop's top card rises, open; the next one lies bare on the pile. */
function drawn(before: TableView, { view, you }: State, event: Shown & { event: "drawn" }): Scene[] {
  const { giver, gift } = event;
  if (before.round!.phase.name !== "draw") return [];
  const card: FaceUp = { face: "up", gift };
  const start = { ...present(before, you), shop: view.round!.shop, giver, receiver: null, sentence: drew() };
  const moving: Moving[] = [{ card, from: { at: "shop" }, to: middle(giver) }];
  return played(start, [{ beat: "rises", ms: FLY, calm: CALM, moving, happened: [event] }]);
}

function wrapped(before: TableView, { view, you }: State, event: Shown & { event: "wrapped" }): Scene[] {
  const phase = before.round!.phase;
  const after = view.round!.phase;
  if (phase.name !== "wrap" || after.name !== "give") return [];
  const { giver, back } = event;
  const start = present(before, you);
  const to = only(after.receivers);
  const down: Side = { face: "down", back };
  const points = { giver, receiver: to, sentence: goes(to, you) };
  if (phase.from_shop) {
    const at = middle(giver);
    const turning = { from: phase.card, to: down, at };
    return played({ ...start, ...points }, [
      { beat: "turns", ms: TURN, lying: inColumns(start), turning, happened: [event] },
      { beat: "arrow", ms: ARROW },
    ]);
  }
  const own = column(before, giver);
  const turning = { from: phase.card, to: down, at: own[0]!.at };
  return played({ ...start, ...points }, [
    { beat: "turns", ms: TURN, lying: [...others(start, giver), ...own.slice(1)], turning, happened: [event] },
    ...leaves(start, giver, [{ card: down, at: own[0]!.at }, ...own.slice(1)], points),
  ]);
}

/** The oldest goes to the middle; then the others take the free place. */
function leaves(start: Picture, seat: number, own: Lying[], points: { receiver: number | null; sentence: Sentence }): Beat[] {
  const [oldest, ...rest] = own;
  const closing = rest.map(({ card, at }, slot) => ({ card, from: at, to: slotOf(seat, slot, rest.length), shift: true as const }));
  const hand = { card: oldest!.card, at: middle(seat) };
  const leaving: Moving = { card: hand.card, from: oldest!.at, to: hand.at };
  return [
    { beat: "leaves", ms: FLY, calm: CALM, lying: [...others(start, seat), ...rest], moving: [leaving], ...points },
    { beat: "closes", ms: SHIFT, calm: 0, lying: [...others(start, seat), hand], moving: closing },
  ];
}

function slotOf(seat: number, slot: number, of: number): Place {
  return { at: "column", seat, slot, of };
}

/** The card travels to the receiver's edge of the middle. What it is said to be comes after it. */
function offered(before: TableView, { view, you }: State, event: Shown & { event: "offered" }): Scene[] {
  const { giver, receiver } = event;
  const phase = before.round!.phase;
  if (phase.name !== "give" || view.round!.phase.name !== "answer") return [];
  const start = { ...present(before, you), giver, receiver, sentence: passes(giver, receiver, you) };
  const moving = [{ card: phase.card, from: middle(giver), to: middle(receiver) }];
  return played(start, [{ beat: "travels", ms: FLY, calm: CALM, lying: inColumns(start), moving }]);
}

/** Thank you; the new gift comes to lie above the old; the oldest goes; the new one takes its place (5.1, 5.2). */
function accepted(before: TableView, { view, you }: State, event: Shown & { event: "accepted" }): Scene[] {
  const { receiver } = event;
  const held = before.round!.phase;
  if (held.name !== "answer") return [];
  const start = { ...present(before, you), giver: receiver, receiver: null };
  const own = column(before, receiver);
  const of = own.length + 1;
  const hand: Lying = { card: held.card, at: middle(receiver) };
  const roomy = own.map(({ card }, slot): Lying => ({ card, at: slotOf(receiver, slot, of) }));
  const room = roomy.map(({ card, at }, slot) => ({ card, from: own[slot]!.at, to: at, shift: true as const }));
  const landed: Lying = { card: held.card, at: slotOf(receiver, of - 1, of) };
  const landing: Moving = { card: held.card, from: hand.at, to: landed.at };
  const rest = others(start, receiver);
  const speech = { seat: receiver, line: "thanks" } as const;
  const beats: Beat[] = [
    { beat: "thanks", ms: THANKS, lying: [...rest, hand], moving: room, speech, sentence: thanks(receiver, you), happened: [event] },
    { beat: "lands", ms: FLY, calm: CALM, lying: [...rest, ...roomy], moving: [landing], sentence: laysOnTop(receiver, you) },
    { beat: "both", ms: SIGHT, calm: 0 }, // without motion both have been in sight while the way was drawn
  ];
  const phase = view.round!.phase;
  if (phase.name !== "give") return played(start, beats);
  const gone = { ...roomy[0]!, card: phase.card };
  const points = { receiver: only(phase.receivers), sentence: givesOldest(receiver, you) };
  return played(start, [...beats, ...leaves(start, receiver, [gone, ...roomy.slice(1), landed], points)]);
}

/** Stillness, flip, a breath, the stamp; the sentence stays while the card goes to whoever was wrong (6.1, 6.2). */
function refused(before: TableView, { happened, you }: State, event: Shown & { event: "refused" }): Scene[] {
  const { receiver, claim, gift } = event;
  const held = before.round!.phase;
  if (held.name !== "answer") return [];
  const penalty = happened.find((other) => other.event === "penalised");
  const slow = happened.some((other) => other.event === "ended") ? SLOWLY : 1;
  const start = { ...present(before, you), sentence: doubts(receiver, claim, you) };
  const open: FaceUp = { face: "up", gift };
  const speech = claim === null ? null : { seat: receiver, line: "denial" as const, gift: claim };
  const beats: Beat[] = [
    { beat: "still", ms: STILL, speech },
    { beat: "turns", ms: TURN, lying: inColumns(start), turning: { from: held.card, to: open, at: middle(receiver) }, speech },
    { beat: "breath", ms: BREATH, speech, happened: [event] },
  ];
  if (penalty?.event === "penalised") beats.push(...kept(start, penalty, open, receiver, keeps(penalty.seat, gift, claim, you)));
  return played(start, beats.map((beat) => ({ ...beat, ms: beat.ms * slow, calm: (beat.calm ?? beat.ms) * slow, pace: slow })));
}

function kept(start: Picture, penalty: Shown & { event: "penalised" }, card: FaceUp, receiver: number, sentence: Sentence): Beat[] {
  const { seat } = penalty;
  const to: Place = { at: "penalty", seat, slot: start.penalties[seat]!.length };
  const carried: Moving = { card, from: middle(receiver), to };
  const wrong = { giver: seat, receiver: null, sentence };
  return [
    { beat: "stamp", ms: STAMP, stamped: true, ...wrong },
    { beat: "keeps", ms: FLY, calm: CALM, lying: inColumns(start), moving: [carried], ...wrong, happened: [penalty] },
  ];
}

/** The table has judged a spoken claim, or corrects itself: then the card goes over from one to the other (12.2). */
function judged(before: TableView, { view, you }: State, event: Shown & { event: "penalised" }): Scene[] {
  const { seat, gift } = event;
  const phase = before.round!.phase;
  const start = present(before, you);
  const card: FaceUp = { face: "up", gift };
  if (phase.name === "judge") return played(start, kept(start, event, card, phase.receiver, keeps(seat, gift, null, you)));
  const relieved = view.round!.seats.findIndex(({ penalties }, other) => penalties.length < start.penalties[other]!.length);
  if (relieved < 0) return [];
  const penalties = view.round!.seats.map((other, n) => (n === seat ? other.penalties.slice(0, -1) : other.penalties));
  const from: Place = { at: "penalty", seat: relieved, slot: penalties[relieved]!.length };
  const moving = [{ card, from, to: { at: "penalty", seat, slot: penalties[seat]!.length } as const }];
  const corrected = { ...start, penalties, giver: seat, receiver: null, sentence: keeps(seat, gift, null, you) };
  return played(corrected, [{ beat: "keeps", ms: FLY, calm: CALM, moving, happened: [event] }]);
}

/** The round is over: every wrapped card on the table turns over in turn, once its story may be read (8.1). */
function opening({ view, you }: State, columns: Card[][], event: Shown & { event: "ended" }): Scene[] {
  const start = { ...present(view, you), giver: null, receiver: null, sentence: opened() };
  const wrapped = start.lying.filter(({ card }) => card.face === "down");
  const each = Math.min(OPENING, ALL_OPEN / Math.max(wrapped.length, 1));
  let lying = start.lying;
  const turns = wrapped.map((one, n): Beat => {
    const { at, card } = one;
    const gift = at.at === "column" ? (columns[at.seat]?.[at.slot]?.gift ?? "") : "";
    lying = lying.filter((other) => other !== one);
    const open: FaceUp = { face: "up", gift };
    const beat: Beat = { beat: "opens", ms: each, lying, turning: { from: card, to: open, at }, happened: n === 0 ? [event] : [] };
    lying = [...lying, { card: open, at }];
    return beat;
  });
  const happened = wrapped.length === 0 ? [event] : [];
  return played(start, [...turns, { beat: "opened", ms: LAST_LOOK, sentence: won(event.winners, you, view.match?.of ?? 1), happened }]);
}

/** How quickly to play when this screen is behind: people must see gifts, but not forever late. 0 is a jump to the present. */
export function haste(waiting: number): number {
  if (waiting <= 2) return 1;
  return waiting <= 4 ? 0.5 : 0;
}
