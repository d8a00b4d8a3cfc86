// Renders sentences as text.

import type { TableView } from "../../made/wire.ts";
import { words } from "../../words/words.svelte.ts";
import type { Scene, Speech } from "../../game/boardModel.ts";
import type { Sentence } from "../../game/sentences.ts";

/** Return a sentence with its spoken line and its aside. */
export function renderSentence(sentence: Sentence, view: TableView): string {
  const aside = sentence.aside && renderText(sentence.aside, view);
  return [renderText(sentence, view), renderSpokenLine(sentence.spoken), aside].filter(Boolean).join(" ");
}

/** Return a sentence without its spoken line and its aside. */
export function renderText(sentence: Sentence, { seats }: TableView): string {
  const { say, names, numbers, thing, claim, together = [] } = sentence;
  const nameOf = (seat: number): string => seats[seat]?.name ?? "";
  const values: Record<string, string | number> = { thing: "", gift: "", claim: "", claimed: "", ...numbers };
  if (thing) Object.assign(values, { thing: words.withArticle(thing), gift: words.name(thing) });
  if (claim) Object.assign(values, { claimed: words.withArticle(claim), claim: words.name(claim) });
  for (const [placeholder, seat] of Object.entries(names)) values[placeholder] = nameOf(seat);
  if (together.length > 0) Object.assign(values, { name: words.list(together.map(nameOf)), n: together.length });
  return words.say(say, values);
}

/** Return a spoken line: "I have a nice hat for you.", "That's not a hat!" or thanks. */
export function renderSpokenLine(speech: Sentence["spoken"] | Speech): string {
  if (!speech) return "";
  return speech.line === "thanks" ? words.say("say.thank_you") : words[speech.line](speech.gift);
}

/** Return what is known of a wrapped card: to whom its arrow points, if it points to one seat. */
export function renderWrapped(to: number | null, nameOf: (seat: number) => string): string {
  return to === null ? words.say("table.wrapped_any") : words.say("table.wrapped", { name: nameOf(to) });
}

/** Return remarks by seat, and the thanks that are said beside a claim. */
export function remarksOf({ thanks }: Scene, bubbles: Record<number, string>): Record<number, string> {
  return thanks === null ? bubbles : { ...bubbles, [thanks]: words.say("say.thank_you") };
}
