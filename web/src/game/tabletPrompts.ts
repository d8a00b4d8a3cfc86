// Prompts on a shared tablet, and which seat they face. Players are addressed by name.

import type { Scene } from "./boardModel.ts";
import { idleSeat } from "./absence.ts";
import { presentSentence, type Sentence } from "./sentences.ts";

/** Return the seat that name, sentence and shop face. */
export function facedSeat({ view, giver, receiver }: Pick<Scene, "view" | "giver" | "receiver">): number | null {
  const phase = view.round?.phase.name;
  return (phase === "answer" || phase === "judge") && receiver !== null ? receiver : giver;
}

/** Return the prompt for the acting player, or the usual sentence during a scene. An idle player is still asked: the
 * other seats say for whom the table waits. */
export function promptOf({ beat, view, sentence: shown }: Pick<Scene, "beat" | "view" | "sentence">): Sentence | null {
  const phase = view.round?.phase;
  if (beat !== "present" || !phase || !shown || view.paused || view.stage !== "play") return shown;
  const sentence = idleSeat(view) === null ? shown : presentSentence({ ...view, idle: null }, [])!;
  const spoken = view.options.claims === "spoken";
  if (sentence.say === "say.draw") return { say: "around.draw", names: sentence.names };
  if (sentence.say === "say.offers_aloud") return { say: "around.believe", names: sentence.names };
  if (sentence.say !== "say.choosing" || phase.name !== "give") return sentence;
  const [to, other] = phase.receivers;
  if (other !== undefined) return { say: "around.to_whom", names: { giver: phase.giver } };
  return { say: spoken ? "around.tell" : "around.name", names: { giver: phase.giver, receiver: to! } };
}
