// What is said aloud of a table: each event when it is seen, and once for each turn what it asks of somebody here. Nobody hears
// more than eyes see, nor sooner; every text is replaced by the next.

import { isDue, may } from "../../game/permissions.ts";
import type { Shown, State } from "../../wire.ts";
import type { Scene } from "../../game/boardModel.ts";
import type { Sentence } from "../../game/sentence.ts";
import { spelled } from "../../game/renderSentence.ts";
import { told } from "../../game/liveRegion.ts";

export class Said {
  happened = $state("");
  aside = $state(""); // what people remark beside it, which must not push it away
  #turn: number | null = null; // what this turn asks was said

  /** A scene begins. `asks` is the sentence of the present, where something is asked of people and nothing moves any more. */
  begun(scene: Scene, state: State, asks: Sentence | null = null): void {
    const tell = (events: Shown[]): string => events.map((event) => told(event, state.view, state.you)).filter(Boolean).join(" ");
    const events = scene.happened.filter((event) => !isAside(event));
    const happened = [tell(events), asks && this.#asked(events, state, asks)].filter(Boolean).join(" ");
    const aside = tell(scene.happened.filter(isAside));
    if (happened) this.happened = happened;
    if (aside || happened) this.aside = aside; // what was said before is over
  }

  #asked(events: Shown[], state: State, asks: Sentence): string {
    const { view, you } = state;
    const { turn, phase } = view.round!;
    const before = this.#turn;
    const due = isDue(state) || (phase.name === "judge" && !!may(state, "judge"));
    this.#turn = due ? turn : null;
    if (events.some(({ event }) => event === "round_dealt")) return spelled(asks, view); // everybody is to look, and hears who begins
    if (!due || before === turn || events.some(({ event }) => event === "offered")) return ""; // said already, now or before
    return phase.name === "answer" ? told({ event: "offered", ...phase }, view, you) : spelled(asks, view);
  }
}

function isAside({ event }: Shown): boolean {
  return event === "emoted" || event === "applauded" || event === "remarked";
}
