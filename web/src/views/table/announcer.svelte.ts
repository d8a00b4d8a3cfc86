// Decides what the live region of a table says: each event when its scene begins, what was dealt, once per turn what a
// player here must do, to whom the gift of another player goes, once per round that there are votes, and who won.
// Screen readers get nothing more and nothing sooner than the screen shows.

import { settings } from "../../app/settings.svelte.ts";
import { isDue, may } from "../../game/permissions.ts";
import type { Shown, State } from "../../made/wire.ts";
import { receiverOf } from "../../game/boardLayout.ts";
import type { BoardModel, CardSide, Scene } from "../../game/boardModel.ts";
import { canVote } from "../../game/regions.ts";
import { outcomeOf } from "../../game/ending.ts";
import { alsoLost, won, type Sentence } from "../../game/sentences.ts";
import { words } from "../../words/words.svelte.ts";
import { renderSentence, renderText, renderWrapped } from "./renderSentence.ts";
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
  readonly #spoken: Record<string, number> = {}; // what is spoken once: in which round or turn it was

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
    if (events.some(({ event }) => event === "round_dealt")) delete this.#spoken.dealt;
    if (view.stage !== "play") return this.#isNew("won", number) ? [...winnerTexts(state), ...pointTexts(state)] : [];
    if (view.round!.turn > 0 || !this.#isNew("dealt", number)) return [this.#promptText(scene, events, state, prompt)];
    this.#turn = isDue(state) ? 0 : null;
    return [...describeBoard(scene, you), renderSentence(prompt, view), readyText(state)];
  }

  /** Return whether something was not spoken yet in a round or turn; from now on it was. */
  #isNew(what: string, when: number): boolean {
    const isNew = this.#spoken[what] !== when;
    this.#spoken[what] = when;
    return isNew;
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
    if (phase?.name !== "give" || you.includes(phase.giver)) return "";
    const text = describeMiddle(scene, you).join(" ");
    return text && this.#isNew("direction", turn!) ? text : "";
  }

  #voteText(scene: Scene, state: State): string {
    const isAsked = settings.thumbs && canVote(scene, state);
    return isAsked && this.#isNew("vote", state.view.match?.number ?? 0) ? words.say("vote.ask") : "";
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
  const self = selfOf(you);
  const pointText = (seat: number): string =>
    hasText(seat === self, view.seats[seat]?.name ?? "", words.say("end.points", { n: totals[seat]! }));
  return totals.map((_, n) => pointText((n + (self ?? 0)) % totals.length));
}

function winnerTexts({ view, you }: State): string[] {
  const outcome = outcomeOf(view);
  return [won(outcome, you), alsoLost(outcome, you)].map((sentence) => (sentence ? renderText(sentence, view) : ""));
}

/** Describe what lies on the table now: the seats in their order, this player's first, then shop and middle. */
function describeBoard(board: BoardModel, you: readonly number[]): string[] {
  const { seats } = board.view;
  const self = selfOf(you);

  function seatText(seat: number): string {
    const cards = board.resting.filter(({ at }) => at.at === "column" && at.seat === seat);
    const things = cards.map(({ card }) => {
      const to = card.face === "down" ? receiverOf(seat, card.back, seats.length) : null;
      return describeCard(board, self, card, to);
    });
    const n = board.penalties[seat]?.length ?? 0;
    if (things.length === 0) things.push(words.say("live.has_none"));
    if (n > 0) things.push(words.say("table.penalties", { n }));
    return hasText(seat === self, seats[seat]!.name, things.join("; "));
  }

  const texts = board.penalties.map((_, n, all) => seatText((n + (self ?? 0)) % all.length));
  const { top } = board.shop;
  if (top !== null) texts.push(hasText(false, words.say("table.shop"), words.withArticle(top)));
  return [...texts, ...describeMiddle(board, you)];
}

/** Describe the gift in the middle, if there is one: for a wrapped one only to whom it goes. */
function describeMiddle(board: BoardModel, you: readonly number[]): string[] {
  const middle = board.resting.find(({ at }) => at.at === "middle");
  if (!middle) return [];
  return [words.say("live.middle", { things: describeCard(board, selfOf(you), middle.card, board.receiver) })];
}

function hasText(isSelf: boolean, name: string, things: string): string {
  return words.say(isSelf ? "live.has_you" : "live.has", { name, things });
}

function describeCard({ view }: BoardModel, self: number | null, card: CardSide, to: number | null): string {
  if (card.face === "up") return words.withArticle(card.gift);
  return renderWrapped(to, (seat) => (seat === self ? words.say("table.yourself") : view.seats[seat]!.name));
}

function selfOf(you: readonly number[]): number | null {
  return you.length === 1 ? you[0]! : null;
}
