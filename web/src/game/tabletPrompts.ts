// What a table that people sit around says, and to whom it turns: everybody has a name here, and nobody is "you".

import type { Scene } from "./boardModel.ts";
import type { Sentence } from "./sentence.ts";

/** Who acts, or whom it is about: names, sentence and shop turn to them. */
export function facing({ view, giver, receiver }: Pick<Scene, "view" | "giver" | "receiver">): number | null {
  const phase = view.round?.phase.name;
  return (phase === "answer" || phase === "judge") && receiver !== null ? receiver : giver;
}

/** Whoever is to act is asked by name; what happens is told as everywhere. */
export function asks({ beat, view, sentence }: Pick<Scene, "beat" | "view" | "sentence">): Sentence | null {
  const phase = view.round?.phase;
  if (beat !== "present" || !phase || !sentence || view.paused || view.stage !== "play") return sentence;
  const spoken = view.options.claims === "spoken";
  if (sentence.say === "say.draw") return { say: "around.draw", names: sentence.names };
  if (sentence.say === "say.offers_aloud") return { say: "around.believe", names: sentence.names };
  if (sentence.say !== "say.choosing" || phase.name !== "give") return sentence;
  const [to, other] = phase.receivers;
  if (other !== undefined) return { say: "around.to_whom", names: { giver: phase.giver } };
  return { say: spoken ? "around.tell" : "around.name", names: { giver: phase.giver, receiver: to! } };
}
