// What the regions of a table screen show. Each region (stage, prompt, actions) shows one thing at a time,
// chosen here by a declared priority: must act, then the order of `PROMPTS`. README.md says how to add a prompt.

import type { State } from "../made/wire.ts";
import { absentSeat, idleSeat } from "./absence.ts";
import { UNWRAPPING, type Scene } from "./boardModel.ts";
import { may, mayAbout, MOVES } from "./permissions.ts";
import type { Sentence } from "./sentences.ts";

/** Buttons for what this player must do now. `controls`: the screen's own buttons, such as those of a replay. */
export type Actions = "go_on" | "take_back" | "receivers" | "moves" | "controls";

type PromptName =
  "absent" | "seat" | "knock" | "idle" | "ready" | "vote" | "probe" | "late" | "controller" | "sound" | "notify" |
  "others";

/** A question to this player, or a hint. `about` tells two prompts of the same name apart: a seat, a turn. */
export interface Prompt {
  name: PromptName;
  about: number;
}

export interface Regions {
  sentence: Sentence | null; // the line of the stage
  prompt: Prompt | null; // null while there are actions: both are in the same place
  actions: Actions | null;
}

export interface RegionInput {
  scene: Pick<Scene, "view" | "beat" | "stamped" | "closeUp" | "sentence">;
  table: Pick<State, "view" | "you" | "may">;
  settled: boolean; // nothing moves, and no move is unanswered
  giving: { waiting: boolean; picking: boolean; sent: boolean; sentence: Sentence | null };
  controls: boolean; // the screen has buttons of its own
  prompts: PromptSettings | null; // null: nothing is asked, as in a replay
}

export interface PromptSettings {
  asks: { votes: boolean; sound: boolean; notify: boolean; controller: boolean }; // questions that may be asked here
  hidden: readonly string[]; // keys of prompts that were answered, put off or expired
  shown: string | null; // key of the prompt on screen
  voted: number | null; // turn of the last own vote
}

/** A prompt is wanted if `about` is not null. `seconds`: it is about no move, so it stays while something moves and
 * disappears unanswered after that time on screen. `calm`: it waits for a moment in which this player has nothing to do
 * and nothing to remember; while it is on screen no vote takes its place. `beats`: it stays during these beats of a
 * scene. */
interface PromptRule {
  name: PromptName;
  seconds?: number;
  calm?: true;
  beats?: ReadonlySet<string>;
  about: (context: Context) => number | null;
}
type Context = Pick<RegionInput, "scene" | "table"> & { asks: PromptSettings["asks"] };

/** A claim has been answered, but its gift is still wrapped. */
const STILL_WRAPPED = new Set(["still", "thanks", "lands", "both", "leaves", "closes"]);

/** All prompts, the most important first. */
const PROMPTS: readonly PromptRule[] = [
  { name: "absent", about: absentee },
  { name: "seat", about: ({ table }) => may(table, "take_back")?.seat ?? null },
  { name: "knock", about: ({ table }) => (may(table, "answer_knock") ? 0 : null) },
  { name: "idle", about: ({ table }) => (canHelp(table) ? table.view.round!.turn : null) },
  { name: "ready", about: ({ table }) => (isFirstLook(table) && may(table, "ready") ? 0 : null) },
  { name: "vote", beats: STILL_WRAPPED, about: askedToVote },
  { name: "controller", seconds: 20, about: ({ asks, table }) => (asks.controller && table.you.length > 0 ? 0 : null) },
  { name: "sound", seconds: 15, calm: true, about: ({ asks }) => (asks.sound ? 0 : null) },
  { name: "notify", seconds: 15, calm: true, about: ({ asks }) => (asks.notify ? 0 : null) },
  { name: "late", about: ({ table }) => (table.you.length > 0 ? null : 0) },
  { name: "probe", about: ({ table }) => may(table, "probe")?.turn ?? null },
  { name: "others", about: ({ table }) => (isFirstLook(table) && isReady(table) ? 0 : null) },
];

const HELPS = ["sit_in", "move_for", "deal_again"] as const;

export function chooseRegions(input: RegionInput): Regions {
  const actions = chooseActions(input);
  const sentence = input.giving.sentence ?? input.scene.sentence;
  return { sentence, actions, prompt: actions === null ? choosePrompt(input) : null };
}

function chooseActions({ scene, table, settled, giving, controls }: RegionInput): Actions | null {
  if (scene.stamped || UNWRAPPING.has(scene.beat)) return "go_on";
  if (giving.waiting) return "take_back";
  if (giving.picking) return "receivers";
  const isWaiting = giving.sent || absentSeat(scene.view) !== null;
  if (settled && !isWaiting && MOVES.some((move) => may(table, move))) return "moves";
  return controls ? "controls" : null;
}

/** Return the first prompt that is wanted. Prompts about a move belong to the present: none is shown while something
 * moves or a move is unanswered. None is shown after the round, or over a gift that is seen from near. */
function choosePrompt({ scene, table, settled, prompts }: RegionInput): Prompt | null {
  if (prompts === null || table.view.stage !== "play" || scene.closeUp) return null;
  const isPresent = settled && scene.beat === "present";
  const context = { scene, table, asks: prompts.asks };
  const onScreen = PROMPTS.find(({ name, calm }) => calm && prompts.shown === promptKey({ name, about: 0 }));
  const isAsking = onScreen !== undefined && onScreen.about(context) !== null;
  const vote = askedToVote(context);
  const isVoting = vote !== null && vote !== prompts.voted && !prompts.hidden.includes(`vote ${vote}`);
  for (const { name, seconds, calm, beats, about } of PROMPTS) {
    const found = about(context);
    const prompt = { name, about: found ?? 0 };
    if (found === null || prompts.hidden.includes(promptKey(prompt)) || (isAsking && name === "vote")) continue;
    if (name === "idle" && isVoting) continue; // the vote keeps its place until it is answered or closed
    if (calm && name !== onScreen?.name && !(isPresent && isCalm(table))) continue;
    return isPresent || seconds !== undefined || beats?.has(scene.beat) ? prompt : null;
  }
  return null;
}

export function promptKey({ name, about }: Prompt): string {
  return `${name} ${about}`;
}

/** Return after how many seconds on screen a prompt expires, if it does. */
export function secondsOf({ name }: Prompt): number | undefined {
  return PROMPTS.find((rule) => rule.name === name)?.seconds;
}

/** Return the seat that the table waits for while its player is away, if this guest may do something about it. */
function absentee({ scene, table }: Context): number | null {
  const seat = absentSeat(scene.view);
  if (seat === null) return null;
  return HELPS.some((command) => mayAbout(table, command, seat)) ? seat : null;
}

/** Return whether this player may nudge or help the one that the table waits for. */
function canHelp(table: RegionInput["table"]): boolean {
  const seat = idleSeat(table.view);
  return seat !== null && (["nudge", "bot_move"] as const).some((command) => mayAbout(table, command, seat));
}

/** Return whether this player has nothing to do and nothing to remember. */
function isCalm(table: RegionInput["table"]): boolean {
  return table.you.length > 0 && !isConcerned(table) && table.view.round!.phase.name !== "wrap";
}

/** Return the turn of the claim to vote on. */
function askedToVote({ asks, scene, table }: Context): number | null {
  return asks.votes && canVote(scene, table) ? scene.view.round!.turn : null;
}

/** Return whether this player draws, gives or answers now. */
function isConcerned({ view, you }: RegionInput["table"]): boolean {
  const phase = view.round!.phase;
  return ("giver" in phase && you.includes(phase.giver)) || ("receiver" in phase && you.includes(phase.receiver));
}

function isFirstLook({ view }: RegionInput["table"]): boolean {
  return view.round?.turn === 0;
}

function isReady({ view, you }: RegionInput["table"]): boolean {
  return you.some((seat) => view.seats[seat]?.ready);
}

/** Return whether the scene has a claim to another player, which this player or spectator may vote on. */
export function canVote({ view }: RegionInput["scene"], { you }: RegionInput["table"]): boolean {
  const phase = view.round?.phase;
  if (phase?.name !== "answer" || phase.claim === null || you.length > 1) return false;
  return !you.includes(phase.giver) && !you.includes(phase.receiver);
}
