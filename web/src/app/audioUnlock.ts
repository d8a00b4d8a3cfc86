// Browsers allow sound only after a user gesture, some only inside it. The app listens from its first page on, so that
// a table needs no further gesture.

import { settings } from "./settings.svelte.ts";

let context: AudioContext | undefined;
let voiceUnlocked = false;

export function unlockAudio(): void {
  if (settings.sound) {
    context ??= new AudioContext();
    if (context.state !== "running") void context.resume();
  }
  if (settings.voice && !voiceUnlocked && "speechSynthesis" in window) {
    speechSynthesis.speak(new SpeechSynthesisUtterance(""));
    voiceUnlocked = true;
  }
}
addEventListener("pointerup", unlockAudio);
addEventListener("keydown", unlockAudio);

/** Return the audio context if sound is on and unlocked. */
export function audioContext(): AudioContext | null {
  return settings.sound && context?.state === "running" ? context : null;
}
