// Decides what the live region of a table says: each event when its scene begins, what was dealt, once per turn what a
// player here must do, to whom the gift of another player goes, once per round that there are votes, and who won.
// Screen readers get nothing more and nothing sooner than the screen shows.

import { settings } from "../../app/settings.svelte.ts";
import { isDue, may } from "../../game/permissions.ts";
import type { Shown, State } from "../../made/wire.ts";
import type { Scene } from "../../game/boardModel.ts";
import { canVote } from "../../game/regions.ts";
import { outcomeOf } from "../../game/ending.ts";
import { alsoLost, won, type Sentence } from "../../game/sentences.ts";
import { words } from "../../words/words.svelte.ts";
import { renderSentence, renderText } from "./renderSentence.ts";
import { describeBoard, describeMiddle, hasText } from "./describeBoard.ts";
import { describeEvent } from "./describeEvent.ts";

/** One text. Screen readers queue texts and speak one after the other, at their listener's speed. */
interface Utterance {
  id: number;
  text: string;
}

export class Announcer {
  happened = $state.raw<Utterance[]>([]); // replaces what happened before
  aside = $state(""); // remarks, kept apart so that they do not replace an event
  #count = 0;
  #turn: number | null = null; // the prompt of this turn was spoken
  #dealt: number | null = null; // what was dealt in this round was spoken
  #arrow: number | null = null; // to whom the gift of this turn goes was spoken
  #asked: number | null = null; // the question of votes was spoken in this round
  #won: number | null = null; // who won this round was spoken

  /** Announce a scene that begins. `prompt` is the sentence of the present once nothing moves; `answer` to a vote. */
  announce(scene: Scene, state: State, prompt: Sentence | null = null, answer = ""): void {
    const tell = (events: Shown[]): string[] => events.map((event) => describeEvent(event, state.view, state.you));
    const events = scene.happened.filter((event) => !isAside(event));
    const aside = tell(scene.happened.filter(isAside)).filter(Boolean).join(" ");
    const unwrapped = scene.beat === "opens" && scene.sentence; // a gift after the round
    const opened = unwrapped ? renderSentence(unwrapped, scene.view) : "";
    const present = prompt ? this.#present(scene, events, state, prompt) : [];
    this.#say([...tell(events), this.#directionText(scene, state), opened, answer, ...present], aside);
  }

  /** Say what lies on the table now, and what there is to do. */
  repeat(scene: Scene, state: State, prompt: Sentence | null): void {
    this.#say([...describeBoard(scene, state.you), prompt ? renderSentence(prompt, scene.view) : "", readyText(state)]);
  }

  #say(texts: string[], aside = ""): void {
    const spoken = texts.filter(Boolean);
    if (spoken.length > 0) this.happened = spoken.map((text) => ({ id: (this.#count += 1), text }));
    if (aside || spoken.length > 0) this.aside = aside; // else it would refer to an event that is gone
  }

  #present(scene: Scene, events: Shown[], state: State, prompt: Sentence): string[] {
    const { view, you } = state;
    const number = view.match?.number ?? 0;
    if (events.some(({ event }) => event === "round_dealt")) this.#dealt = null;
    if (view.stage !== "play") {
      if (this.#won === number) return [];
      this.#won = number;
      return [...winnerTexts(state), ...pointTexts(state)];
    }
    if (view.round!.turn > 0 || this.#dealt === number) return [this.#promptText(scene, events, state, prompt)];
    this.#dealt = number;
    this.#turn = isDue(state) ? 0 : null;
    return [...describeBoard(scene, you), renderSentence(prompt, view), readyText(state)];
  }

  #promptText(scene: Scene, events: Shown[], state: State, prompt: Sentence): string {
    const { view, you } = state;
    const { turn, phase } = view.round!;
    const before = this.#turn;
    const due = isDue(state) || (phase.name === "judge" && !!may(state, "judge"));
    this.#turn = due ? turn : null;
    if (!due) return this.#voteText(scene, state);
    if (before === turn || events.some(({ event }) => event === "offered")) return ""; // already said
    if (phase.name !== "answer") return renderSentence(prompt, view);
    return describeEvent({ event: "offered", ...phase }, view, you);
  }

  /** Return to whom the wrapped gift of another player goes, once it lies in the middle. */
  #directionText(scene: Scene, { you }: State): string {
    const { turn, phase } = scene.view.round ?? {};
    if (phase?.name !== "give" || you.includes(phase.giver) || this.#arrow === turn) return "";
    const text = describeMiddle(scene, you).join(" ");
    if (text) this.#arrow = turn!;
    return text;
  }

  #voteText(scene: Scene, state: State): string {
    const number = state.view.match?.number ?? 0;
    if (this.#asked === number || !settings.thumbs || !canVote(scene, state)) return "";
    this.#asked = number;
    return words.say("vote.ask");
  }
}

function isAside({ event }: Shown): boolean {
  return event === "emoted" || event === "applauded" || event === "remarked";
}

function readyText(state: State): string {
  if (state.view.stage !== "play" || !may(state, "ready")) return "";
  return words.say("live.then_ready", { button: words.say("look.ready") });
}

/** Say the points of all seats, this player's first. */
function pointTexts({ view, you }: State): string[] {
  const totals = view.match?.totals ?? [];
  const self = you.length === 1 ? you[0]! : null;
  const pointText = (seat: number): string =>
    hasText(seat === self, view.seats[seat]?.name ?? "", words.say("end.points", { n: totals[seat]! }));
  return totals.map((_, n) => pointText((n + (self ?? 0)) % totals.length));
}

function winnerTexts({ view, you }: State): string[] {
  const outcome = outcomeOf(view);
  return [won(outcome, you), alsoLost(outcome, you)].map((sentence) => (sentence ? renderText(sentence, view) : ""));
}
