// Browsers let a page be heard only after somebody has touched it, some only from within the touch itself. So this listens from
// the first page on: whoever wants sound has it at the table without touching anything again.

import { settings } from "./settings.svelte.ts";

let context: AudioContext | undefined;
let spoken = false; // the voice has been asked for within a touch

export function wake(): void {
  if (settings.sound) {
    context ??= new AudioContext();
    if (context.state !== "running") void context.resume();
  }
  if (settings.voice && !spoken && "speechSynthesis" in window) {
    speechSynthesis.speak(new SpeechSynthesisUtterance(""));
    spoken = true;
  }
}
addEventListener("pointerup", wake);
addEventListener("keydown", wake);

/** Where sounds are made, once somebody has touched the page and wants them. */
export function ears(): AudioContext | null {
  return settings.sound && context?.state === "running" ? context : null;
}
