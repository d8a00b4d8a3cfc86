// The queue of happenings: from two states of the table to the little scenes that people can follow between them.
// Pure: nothing here waits, draws or remembers; a scene that was played is forgotten with its gift.

import type { FaceDown, FaceUp, Shown, State, TableView } from "../wire.ts";

export type Place =
  | { at: "shop" }
  | { at: "air"; toward: number | null }
  | { at: "column"; seat: number; slot: number; of: number }
  | { at: "penalty"; seat: number };

export interface Flight {
  card: FaceUp | FaceDown;
  from: Place;
  to: Place;
}

/** What turns over where it lies: from one side to the other. */
export interface Turning {
  from: FaceUp | FaceDown;
  to: FaceUp | FaceDown;
}

export interface Reveal {
  giver: number;
  receiver: number;
  claim: string | null;
  gift: string | null; // null as long as the card lies still and face down
  wrong: number | null;
}

export interface Scene {
  view: TableView; // what lies on the table during the scene
  ms: number; // how long at least; 0 is the present, which stays
  flight?: Flight;
  turning?: Turning;
  reveal?: Reveal;
  happened: Shown[]; // what is said aloud when the scene begins
}

export const LIFT = 120;
export const SLIDE = 320;
export const SETTLE = 80;
export const FLY = LIFT + SLIDE + SETTLE;
export const CALM = 700; // without motion: how long the way of a gift is drawn
export const TURN = 260;
export const STILL = 400; // the joke needs a breath
export const STAMP = 2200;

/** The scenes that lead from one state to the next; the last one is always the present. */
export function scenes(before: TableView | null, state: State): Scene[] {
  const told = before === null ? [] : state.happened.flatMap((event) => sceneOf(before, state, event));
  const said = told.flatMap((scene) => scene.happened);
  const rest = state.happened.filter((event) => !said.includes(event));
  return [...told, { view: state.view, ms: hold(state), happened: rest }];
}

/** An open gift stays as long as the table agreed, however late this screen is. */
function hold(state: State): number {
  const phase = state.view.round?.phase;
  if (phase?.name !== "wrap") return 0;
  return (state.view.deadline?.seconds ?? state.view.options.show_seconds) * 1000;
}

function sceneOf(before: TableView, state: State, event: Shown): Scene[] {
  const after = state.view;
  const phase = after.round?.phase;
  const held = before.round?.phase;
  const happened = [event];
  switch (event.event) {
    case "drawn": {
      const card: FaceUp = { face: "up", gift: event.gift };
      return [{ view: after, ms: FLY, happened, flight: { card, from: { at: "shop" }, to: { at: "air", toward: event.giver } } }];
    }
    case "wrapped": {
      if (held?.name !== "wrap") return [];
      return [{ view: after, ms: TURN, happened, turning: { from: held.card, to: { face: "down", back: event.back } } }];
    }
    case "offered": {
      if (phase?.name !== "answer") return [];
      const flight = { card: phase.card, from: air(event.giver), to: air(event.receiver) };
      return [{ view: after, ms: FLY, happened, flight }];
    }
    case "accepted":
      return accepted(before, after, event);
    case "refused":
      return refused(before, state.happened, event);
    case "penalised": {
      const card: FaceUp = { face: "up", gift: event.gift };
      const from = state.happened.some(({ event: name }) => name === "refused") || held?.name === "judge" ? air(null) : null;
      if (from === null) return [];
      const bare = without(before);
      return [{ view: bare, ms: FLY, happened, flight: { card, from, to: { at: "penalty", seat: event.seat } } }];
    }
    default:
      return [];
  }
}

function accepted(before: TableView, after: TableView, event: Shown & { event: "accepted" }): Scene[] {
  const held = before.round?.phase;
  const phase = after.round?.phase;
  if (held?.name !== "answer" || !after.round) return [];
  const { receiver } = event;
  const of = after.round.seats[receiver]!.column.length;
  const landing: Flight = { card: held.card, from: air(receiver), to: { at: "column", seat: receiver, slot: of - 1, of } };
  const arrives: Scene = { view: without(before), ms: FLY, happened: [event], flight: landing };
  if (phase?.name !== "wrap" && phase?.name !== "give") return [arrives];
  const lifting: Flight = { card: phase.card, from: { at: "column", seat: receiver, slot: 0, of }, to: air(receiver) };
  return [arrives, { view: after, ms: FLY, happened: [], flight: lifting }];
}

function refused(before: TableView, happened: Shown[], event: Shown & { event: "refused" }): Scene[] {
  const held = before.round?.phase;
  if (held?.name !== "answer") return [];
  const { giver, receiver, claim, gift } = event;
  const penalty = happened.find((other) => other.event === "penalised");
  const wrong = penalty?.event === "penalised" ? penalty.seat : null;
  const open: FaceUp = { face: "up", gift };
  const still: Reveal = { giver, receiver, claim, gift: null, wrong: null };
  const shown: Reveal = { giver, receiver, claim, gift, wrong };
  const scenes: Scene[] = [
    { view: before, ms: STILL, happened: [], reveal: still },
    { view: before, ms: TURN, happened: [event], reveal: still, turning: { from: held.card, to: open } },
  ];
  return wrong === null ? scenes : [...scenes, { view: before, ms: STAMP, happened: [], reveal: shown }];
}

function air(toward: number | null): Place {
  return { at: "air", toward };
}

/** The table without the card in the air, which is on its way somewhere. */
function without(view: TableView): TableView {
  if (!view.round) return view;
  const phase = view.round.phase;
  const giver = "giver" in phase ? phase.giver : 0;
  return { ...view, round: { ...view.round, phase: { name: "draw", giver } } };
}

/** How quickly to play when this screen is behind: people must see gifts, but not forever late. */
export function haste(waiting: number): number {
  if (waiting <= 2) return 1;
  return waiting <= 4 ? 0.5 : 0;
}
