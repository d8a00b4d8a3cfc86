// Decides what the live region of a table says: each event when its scene begins, and once per turn what a player here must do.
// Screen readers get nothing more and nothing sooner than the screen shows. Each text replaces the one before.

import { isDue, may } from "../../game/permissions.ts";
import type { Shown, State } from "../../wire.ts";
import type { Scene } from "../../game/boardModel.ts";
import type { Sentence } from "../../game/sentences.ts";
import { renderSentence } from "./renderSentence.ts";
import { describeEvent } from "./describeEvent.ts";

export class Announcer {
  happened = $state("");
  aside = $state(""); // remarks, kept apart so that they do not replace an event
  #turn: number | null = null; // the prompt of this turn was spoken

  /** Announce a scene that begins. `prompt` is the sentence of the present, once nothing moves. */
  announce(scene: Scene, state: State, prompt: Sentence | null = null): void {
    const tell = (events: Shown[]): string => events.map((event) => describeEvent(event, state.view, state.you)).filter(Boolean).join(" ");
    const events = scene.happened.filter((event) => !isAside(event));
    const happened = [tell(events), prompt && this.#promptText(events, state, prompt)].filter(Boolean).join(" ");
    const aside = tell(scene.happened.filter(isAside));
    if (happened) this.happened = happened;
    if (aside || happened) this.aside = aside; // else it would refer to an event that is gone
  }

  #promptText(events: Shown[], state: State, prompt: Sentence): string {
    const { view, you } = state;
    const { turn, phase } = view.round!;
    const before = this.#turn;
    const due = isDue(state) || (phase.name === "judge" && !!may(state, "judge"));
    this.#turn = due ? turn : null;
    if (events.some(({ event }) => event === "round_dealt")) return renderSentence(prompt, view); // for all players: it names who begins
    if (!due || before === turn || events.some(({ event }) => event === "offered")) return ""; // already said
    return phase.name === "answer" ? describeEvent({ event: "offered", ...phase }, view, you) : renderSentence(prompt, view);
  }
}

function isAside({ event }: Shown): boolean {
  return event === "emoted" || event === "applauded" || event === "remarked";
}
