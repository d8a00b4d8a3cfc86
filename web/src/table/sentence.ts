// What the table says now, as a sentence: from what lies on it, in the words of this screen's language.

import type { TableView } from "../wire.ts";
import { whoIsAway } from "../people/absence.ts";
import type { Key } from "../words/words.svelte.ts";
import type { Scene } from "./scenes.ts";

export interface Sentence {
  say: Key;
  names: Record<string, number>; // places in the text that are people, by seat
  spoken?: { line: "offer" | "denial"; gift: string }; // a line of the ritual, larger
  thing?: string; // a gift named with its article
}

export function sentence(scene: Scene, you: readonly number[]): Sentence | null {
  const { view, reveal } = scene;
  if (!view.round) return null;
  if (view.paused) return { say: "say.paused", names: {} };
  if (reveal) return revealed(reveal, you);
  if (view.stage === "between") return { say: "say.between", names: {} };
  if (view.stage === "over") return { say: "say.over", names: {} };
  return ofPhase(view, you);
}

function revealed(reveal: NonNullable<Scene["reveal"]>, you: readonly number[]): Sentence {
  const { receiver, claim, gift, wrong } = reveal;
  if (gift === null || wrong === null) {
    const said: Sentence = { say: mine(you, receiver) ? "say.you_doubt" : "say.doubts", names: { name: receiver } };
    return claim === null ? said : { ...said, spoken: { line: "denial", gift: claim } };
  }
  const say = mine(you, wrong) ? (claim === gift ? "say.it_was_you" : "say.kept_you") : claim === gift ? "say.it_was" : "say.kept";
  return { say, names: { name: wrong }, thing: gift };
}

function ofPhase(view: TableView, you: readonly number[]): Sentence {
  const { phase, turn } = view.round!;
  const absent = whoIsAway(view);
  if (absent !== null) return { say: view.seats[absent]!.gone ? "say.gone" : "say.away", names: { name: absent } };
  switch (phase.name) {
    case "draw": {
      const look = turn === 0;
      const own = mine(you, phase.giver);
      return { say: look ? (own ? "say.look_you" : "say.look") : own ? "say.draw_you" : "say.draw", names: { name: phase.giver } };
    }
    case "wrap":
      return { say: phase.from_shop ? "say.new" : mine(you, phase.giver) ? "say.oldest_you" : "say.oldest", names: { name: phase.giver } };
    case "give": {
      const own = mine(you, phase.giver);
      const to = phase.receivers.length === 1 ? phase.receivers[0]! : null;
      if (!own) return { say: to !== null && mine(you, to) ? "say.choosing_for_you" : "say.choosing", names: { name: phase.giver } };
      if (to === null) return { say: "say.give_any", names: {} };
      return { say: view.options.claims === "spoken" ? "say.give_aloud" : "say.give", names: { name: to } };
    }
    case "answer": {
      const names = { giver: phase.giver, receiver: phase.receiver };
      const own = mine(you, phase.receiver);
      if (phase.claim === null) return { say: own ? "say.offers_aloud_you" : "say.offers_aloud", names };
      const say = own ? "say.offers_you" : mine(you, phase.giver) ? "say.you_offer" : "say.offers";
      return { say, names, spoken: { line: "offer", gift: phase.claim } };
    }
    case "judge":
      return { say: "say.judge", names: {} };
    case "over":
      return { say: "say.over", names: {} };
  }
}

/** Said to the one person behind this screen; with several of them everyone has a name. */
function mine(you: readonly number[], seat: number): boolean {
  return you.length === 1 && you[0] === seat;
}
