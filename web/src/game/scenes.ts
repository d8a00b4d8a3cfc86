// The scenes between two states of a table: timed beats for each event. Nothing here waits, draws or keeps state.

import type { Card, FaceUp, Shown, State, TableView } from "../made/wire.ts";
import { boardOf, column, middle, MOTIONLESS, onlyReceiver, UNWRAPPING } from "./boardModel.ts";
import type { BoardModel, CardMove, CloseUp, CardSide, RestingCard, Scene, Spot } from "./boardModel.ts";
import { outcomeOf } from "./ending.ts";
import { doubts, keeps, NEW_GIFT, thanks, wasCalled, withCrowd, won, type Sentence } from "./sentences.ts";

export const LIFT = 120;
export const SLIDE = 320;
export const SETTLE = 80;
export const FLY = LIFT + SLIDE + SETTLE;
export const SHIFT = 200; // cards of a column make room or close a gap
export const REDUCED_MS = 700; // with reduced motion: how long the path of a gift is drawn
const FLIGHT = { ms: FLY, reducedMs: REDUCED_MS };
export const TURN = 260;
export const ARROW = 700; // a wrapped gift shows only its arrow
export const THANKS = 400; // alone; it stays while the gift lands
export const SIGHT = 430; // old and new gift are both visible: 400 ms and a timer's slack
export const STILL = 660; // the refusal cries out
export const CLOSE = 980; // a pause before the reveal: the two of them and the wrapped gift, large
export const BREATH = 980; // what it was
export const STAMP = 1600;
export const SLOWLY = 1.3; // the third penalty
export const BRISK = 1.7; // the speed of a brisk table (live/pace.py), which does not shorten what is read
const CLAIM = 2200; // is read, and voted on
const CLAIM_BRISKLY = 1600;
const CLAIM_STAYS = THANKS + FLY + SIGHT; // while its gift is accepted
const READ = new Set(["stamp", ...UNWRAPPING]);
const OPENING = 1500; // each card at the end of a round, beside its last claim
const ALL_OPEN = 4500; // all of them, at most: with the crown, six seconds
const CROWN = 1500;

/** What becomes known when a round is over: all cards, what each gift was last called, and which lies were believed. */
export interface RoundEnd {
  columns: Card[][];
  claims: Readonly<Record<string, string>>; // by gift
  lies: Readonly<Record<string, number>>; // how many, by gift
}

type Beat = Partial<BoardModel> & { beat: string; ms: number; reducedMs?: number; pace?: number; happened?: Shown[] };
type Event<Name extends Shown["event"]> = Shown & { event: Name };

/** Return the scenes that lead from one state to the next. The last one is always the present. */
export function scenes(before: TableView | null, state: State, end: RoundEnd | null = null): Scene[] {
  const { happened, view } = state;
  const played = before?.round && view.round ? happened.flatMap((event) => beatsOf(before, state, event)) : [];
  if (before?.round && end) played.push(...opening(state, end));
  const announced = played.flatMap((scene) => scene.happened);
  const rest = happened.filter((event) => !announced.includes(event));
  const paced = played.map((scene) => paceScene(scene, view));
  const duration = paced.reduce((sum, { ms }) => sum + ms, 0);
  return [...paced, presentScene(state, rest, Math.max(0, showTime(state, duration) - duration))];
}

/** Return a scene at the speed of a table. */
function paceScene(scene: Scene, { speed, options }: TableView): Scene {
  const unhurried = options.pace === "brisk" && READ.has(scene.beat) ? BRISK : 1;
  const longest = UNWRAPPING.has(scene.beat) ? 1 : Infinity; // however relaxed the table is
  const factor = Math.min(longest, unhurried / (speed ?? 1));
  return { ...scene, ms: scene.ms * factor, reducedMs: scene.reducedMs * factor, pace: scene.pace / (speed ?? 1) };
}

/** Return the present as a scene that stays. */
export function presentScene({ view, you }: State, happened: Shown[], ms = 0): Scene {
  return { ...boardOf(view, you), beat: "present", ms, reducedMs: ms, pace: 1, happened };
}

/** Return how long an open gift stays visible, including its motion, and a claim to somebody else. In a replay, which
 * has no deadline, only a new gift stays. */
function showTime({ view: { round, deadline, options, ...view }, you }: State, motion: number): number {
  const phase = round?.phase;
  const speed = view.speed ?? 1;
  if (phase?.name === "answer" && phase.claim !== null && !you.includes(phase.receiver))
    return Math.max(motion, ((options.pace === "brisk" ? CLAIM_BRISKLY * BRISK : CLAIM) - CLAIM_STAYS) / speed);
  if (phase?.name !== "wrap") return 0;
  const replayed = phase.from_shop ? options.show_seconds / speed : 0;
  return (deadline?.seconds ?? replayed) * 900; // a little less than the server leaves it open
}

function beatsOf(before: TableView, state: State, event: Shown): Scene[] {
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
    default:
      return [];
  }
}

/** Turn beats into scenes. Each beat has only what differs from the one before it. */
function scenesFrom(start: BoardModel, beats: Beat[]): Scene[] {
  const scenes: Scene[] = [];
  let still: BoardModel = { ...start, ...MOTIONLESS };
  for (const { beat, ms, reducedMs = ms, pace = 1, happened = [], ...changes } of beats) {
    const scene: Scene = { ...still, ...changes, beat, ms, reducedMs, pace, happened };
    scenes.push(scene);
    const kept = scene.moving.filter(({ to }) => to.at !== "penalty");
    const landed = kept.map(({ card, to }): RestingCard => ({ card, at: to }));
    const turned: RestingCard[] = scene.turning ? [{ card: scene.turning.to, at: scene.turning.at }] : [];
    still = { ...scene, ...MOTIONLESS, resting: [...scene.resting, ...landed, ...turned] };
  }
  return scenes;
}

/** Return the cards of all columns, or of all but one. */
function inColumns(board: BoardModel, except?: number): RestingCard[] {
  return board.resting.filter(({ at }) => at.at === "column" && at.seat !== except);
}

/** The shop's top card rises, face up, and the next one is visible on the pile. */
function drawn(before: TableView, { view, you }: State, event: Event<"drawn">): Scene[] {
  const { giver, gift } = event;
  if (before.round!.phase.name !== "draw") return [];
  const card: FaceUp = { face: "up", gift };
  const start = { ...boardOf(before, you), shop: view.round!.shop, giver, receiver: null, sentence: NEW_GIFT };
  const moving: CardMove[] = [{ card, from: { at: "shop" }, to: middle(giver) }];
  return scenesFrom(start, [{ beat: "rises", ...FLIGHT, moving, happened: [event] }]);
}

function wrapped(before: TableView, { view, you }: State, event: Event<"wrapped">): Scene[] {
  const phase = before.round!.phase;
  const after = view.round!.phase;
  if (phase.name !== "wrap" || after.name !== "give") return [];
  const { giver, back } = event;
  const start = boardOf(before, you);
  const to = onlyReceiver(after.receivers);
  const down: CardSide = { face: "down", back };
  const points = { giver, receiver: to, sentence: null }; // the arrow shows it
  if (phase.from_shop) {
    const at = middle(giver);
    const turning = { from: phase.card, to: down, at };
    return scenesFrom({ ...start, ...points }, [
      { beat: "turns", ms: TURN, resting: inColumns(start), turning, happened: [event] },
      { beat: "arrow", ms: ARROW },
    ]);
  }
  const own = column(before, giver);
  const turning = { from: phase.card, to: down, at: own[0]!.at };
  return scenesFrom({ ...start, ...points }, [
    { beat: "turns", ms: TURN, resting: [...inColumns(start, giver), ...own.slice(1)], turning, happened: [event] },
    ...leaves(start, giver, [{ card: down, at: own[0]!.at }, ...own.slice(1)], points),
  ]);
}

/** The oldest card goes to the middle; then the others close the gap. */
function leaves(start: BoardModel, seat: number, own: RestingCard[], points: Partial<BoardModel>): Beat[] {
  const [oldest, ...rest] = own;
  const closing = rest.map(({ card, at }, slot) => shifted(card, at, slotOf(seat, slot, rest.length)));
  const hand = { card: oldest!.card, at: middle(seat) };
  const leaving: CardMove = { card: hand.card, from: oldest!.at, to: hand.at };
  return [
    { beat: "leaves", ...FLIGHT, resting: [...inColumns(start, seat), ...rest], moving: [leaving], ...points },
    { beat: "closes", ms: SHIFT, reducedMs: 0, resting: [...inColumns(start, seat), hand], moving: closing },
  ];
}

function shifted(card: CardSide, from: Spot, to: Spot): CardMove {
  return { card, from, to, shift: true };
}

function slotOf(seat: number, slot: number, of: number): Spot {
  return { at: "column", seat, slot, of };
}

/** The giver says what it is, and the card travels to the receiver's edge of the middle. */
function offered(before: TableView, { view, you }: State, event: Event<"offered">): Scene[] {
  const { giver, receiver, claim } = event;
  const phase = before.round!.phase;
  if (phase.name !== "give" || view.round!.phase.name !== "answer") return [];
  const start = { ...boardOf(before, you), giver, receiver, sentence: null };
  const moving = [{ card: phase.card, from: middle(giver), to: middle(receiver) }];
  const speech = claim === null ? null : { seat: giver, line: "offer" as const, gift: claim };
  return scenesFrom(start, [{ beat: "travels", ...FLIGHT, resting: inColumns(start), moving, speech }]);
}

/** Thank you, beside the claim; the new gift lands above the old one, which leaves; the new one stays (5.1, 5.2). */
function accepted(before: TableView, { view, you }: State, event: Event<"accepted">): Scene[] {
  const { receiver } = event;
  const held = before.round!.phase;
  if (held.name !== "answer") return [];
  const start = { ...boardOf(before, you), giver: receiver, receiver: null };
  const own = column(before, receiver);
  const of = own.length + 1;
  const hand: RestingCard = { card: held.card, at: middle(receiver) };
  const roomy = own.map(({ card }, slot): RestingCard => ({ card, at: slotOf(receiver, slot, of) }));
  const room = roomy.map(({ card, at }, slot) => shifted(card, own[slot]!.at, at));
  const landed: RestingCard = { card: held.card, at: slotOf(receiver, of - 1, of) };
  const landing: CardMove = { card: held.card, from: hand.at, to: landed.at };
  const rest = inColumns(start, receiver);
  const thanking = { seat: receiver, line: "thanks" } as const;
  const said = { speech: start.speech ?? thanking, thanks: start.speech && receiver };
  const sentence = thanks(receiver, you);
  const happened = [event];
  const reducedMs = CLAIM_STAYS - REDUCED_MS;
  const beats: Beat[] = [
    { beat: "thanks", ms: THANKS, reducedMs, resting: [...rest, hand], moving: room, ...said, sentence, happened },
    { beat: "lands", ...FLIGHT, resting: [...rest, ...roomy], moving: [landing], ...said, sentence: null },
    { beat: "both", ms: SIGHT, reducedMs: 0, ...said }, // with reduced motion, both were visible with the drawn path
  ];
  const phase = view.round!.phase;
  if (phase.name !== "give") return scenesFrom(start, beats);
  const gone = { ...roomy[0]!, card: phase.card };
  const points = { receiver: onlyReceiver(phase.receivers), sentence: null };
  return scenesFrom(start, [...beats, ...leaves(start, receiver, [gone, ...roomy.slice(1), landed], points)]);
}

/** The doubt; from near a pause, the flip, a breath, the stamp; then the card goes to who was wrong (6.1, 6.2). */
function refused(before: TableView, { happened, view, you }: State, event: Event<"refused">): Scene[] {
  const { receiver, claim, gift } = event;
  const held = before.round!.phase;
  if (held.name !== "answer") return [];
  const penalty = happened.find((other) => other.event === "penalised");
  const slow = happened.some((other) => other.event === "ended") ? SLOWLY : 1;
  const start = { ...boardOf(before, you), sentence: doubts(receiver, claim, you) };
  const open: FaceUp = { face: "up", gift };
  const speech = claim === null ? null : { seat: receiver, line: "denial" as const, gift: claim };
  const closeUp: CloseUp = { giver: held.giver, receiver, claim, card: held.card, wrong: null, nth: 0, crowd: null };
  const revealed = { ...closeUp, card: open };
  const turning = { from: held.card, to: open, at: middle(receiver) };
  const beats: Beat[] = [
    { beat: "still", ms: STILL, speech },
    { beat: "close", ms: CLOSE, speech, closeUp },
    { beat: "turns", ms: TURN, resting: inColumns(start), turning, speech, closeUp },
    { beat: "breath", ms: BREATH, speech, closeUp: revealed, happened: [event] },
  ];
  if (penalty?.event === "penalised") {
    const others = view.seats.some(({ kind }, seat) => kind !== "bot" && !you.includes(seat));
    const crowd = (others ? view.crowd : null) ?? null; // alone, the crowd is oneself
    const sentence = withCrowd(keeps(penalty.seat, gift, claim, you), crowd, claim === gift);
    beats.push(...penaltyBeats(start, penalty, { ...revealed, crowd }, sentence));
  }
  const slowly = beats.map((beat): Beat => {
    return { ...beat, ms: beat.ms * slow, reducedMs: (beat.reducedMs ?? beat.ms) * slow, pace: slow };
  });
  return scenesFrom(start, slowly);
}

function penaltyBeats(start: BoardModel, penalty: Event<"penalised">, closeUp: CloseUp, sentence: Sentence): Beat[] {
  const { seat } = penalty;
  const { card } = closeUp;
  const slot = start.penalties[seat]!.length;
  const to: Spot = { at: "penalty", seat, slot };
  const carried: CardMove = { card, from: middle(closeUp.receiver), to };
  const wrong = { giver: seat, receiver: null, sentence };
  return [
    { beat: "stamp", ms: STAMP, stamped: true, ...wrong, closeUp: { ...closeUp, wrong: seat, nth: slot + 1 } },
    { beat: "keeps", ...FLIGHT, resting: inColumns(start), moving: [carried], sentence: null, happened: [penalty] },
  ];
}

/** A spoken claim is judged, or a judgement is corrected: then the card moves from one player to the other (12.2). */
function judged(before: TableView, { view, you }: State, event: Event<"penalised">): Scene[] {
  const { seat, gift } = event;
  const phase = before.round!.phase;
  const start = boardOf(before, you);
  const card: FaceUp = { face: "up", gift };
  if (phase.name === "judge") {
    const { giver, receiver } = phase;
    const closeUp = { giver, receiver, claim: null, card, wrong: null, nth: 0, crowd: view.crowd ?? null };
    return scenesFrom(start, penaltyBeats(start, event, closeUp, keeps(seat, gift, null, you)));
  }
  const { seats } = view.round!;
  const relieved = seats.findIndex(({ penalties }, other) => penalties.length < start.penalties[other]!.length);
  if (relieved < 0) return [];
  const penalties = seats.map((other, n) => (n === seat ? other.penalties.slice(0, -1) : other.penalties));
  const from: Spot = { at: "penalty", seat: relieved, slot: penalties[relieved]!.length };
  const moving = [{ card, from, to: { at: "penalty", seat, slot: penalties[seat]!.length } as const }];
  const corrected = { ...start, penalties, giver: seat, receiver: null, sentence: keeps(seat, gift, null, you) };
  return scenesFrom(corrected, [{ beat: "keeps", ...FLIGHT, moving, happened: [event] }]);
}

/** The round is over, its verdict kept: every wrapped card turns over beside its last claim, the longest believed lie
 * last; then the winners are crowned (8.1). */
function opening({ happened: all, view, you }: State, { columns, claims, lies }: RoundEnd): Scene[] {
  const ended = all.filter(({ event }) => event === "ended");
  const sentence: Sentence = { say: "end.opened", names: {} };
  const start = { ...boardOf(view, you), giver: null, receiver: null, sentence };
  const giftAt = (at: Spot): string => (at.at === "column" ? (columns[at.seat]?.[at.slot]?.gift ?? "") : "");
  const liesAbout = ({ at }: RestingCard): number => lies[giftAt(at)] ?? 0;
  const wrapped = start.resting.filter(({ card }) => card.face === "down").sort((a, b) => liesAbout(a) - liesAbout(b));
  const last = wrapped.length - 1;
  const each = Math.min(OPENING, (ALL_OPEN - OPENING) / Math.max(last, 1));
  let resting = start.resting;
  const turns = wrapped.map((one, n): Beat => {
    const { at, card } = one;
    const seat = at.at === "column" ? at.seat : 0;
    const gift = giftAt(at);
    resting = resting.filter((other) => other !== one);
    const open: FaceUp = { face: "up", gift };
    const turning = { from: card, to: open, at };
    const told = n === last || each === OPENING ? wasCalled(seat, gift, claims[gift], you) : sentence; // can be read
    const ms = n === last ? OPENING : each;
    const beat: Beat = { beat: "opens", ms, resting, turning, sentence: told, happened: n === 0 ? ended : [] };
    resting = [...resting, { card: open, at }];
    return beat;
  });
  const happened = wrapped.length === 0 ? ended : [];
  const outcome = outcomeOf(view, (view.match?.of ?? 1) === 1);
  const crown = { beat: "opened", ms: CROWN, crowned: view.round!.winners, sentence: won(outcome, you), happened };
  return scenesFrom(start, [...turns, crown]);
}

/** Return the factor on durations when states are queued: faster, and 0 to jump to the present. */
export function playbackRate(queued: number): number {
  if (queued <= 2) return 1;
  return queued <= 4 ? 0.5 : 0;
}
