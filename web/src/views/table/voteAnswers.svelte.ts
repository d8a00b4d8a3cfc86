// Answers this player's votes when a gift they judged is revealed, and never before (9.5).

import { countAnswer, readVotes } from "../../app/votes.ts";
import type { Scene } from "../../game/boardModel.ts";
import { words } from "../../words/words.svelte.ts";

const SHOWN_MS = 4000;

export class VoteAnswers {
  text = $state(""); // the answer on screen
  #claim: { round: number; turn: number } | null = null; // the claim on the table
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** Follow a scene that begins. Return the answer if it reveals a gift that was voted on. */
  follow({ view, beat, happened }: Scene): string {
    let text = "";
    for (const event of happened) {
      if (event.event === "refused" && event.claim !== null) text = this.#answer(view.code, event.claim === event.gift);
      if (event.event === "offered" || event.event === "accepted" || event.event === "refused") this.#claim = null;
    }
    const isClaim = beat === "present" && view.round?.phase.name === "answer";
    if (isClaim) this.#claim = { round: view.match?.number ?? 0, turn: view.round!.turn };
    if (text) this.#show(text);
    return text;
  }

  /** A gift is revealed after a refusal: at a true claim the receiver was fooled, too. */
  #answer(code: string, isTrue: boolean): string {
    const believed = this.#claim && readVotes(code, this.#claim.round)[this.#claim.turn];
    if (typeof believed !== "boolean") return "";
    const knew = believed === isTrue;
    const streak = countAnswer(code, knew);
    const text = words.say(knew ? "vote.knew" : isTrue ? "vote.fooled_too" : "vote.fooled");
    return streak > 1 ? `${text} ${words.say("vote.streak", { n: streak })}` : text;
  }

  #show(text: string): void {
    clearTimeout(this.#timer);
    this.text = text;
    this.#timer = setTimeout(() => (this.text = ""), SHOWN_MS);
  }
}
