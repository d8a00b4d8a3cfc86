// Paper sounds made on the spot, and the browser's own voice for claims. Both are off until somebody asks.

import { settings } from "./settings.svelte.ts";

let context: AudioContext | undefined;
let heard = false; // the voice has been asked for within a touch

type Noise = "slide" | "flip" | "thud";
const SHAPES: Record<Noise, { seconds: number; tone: number; loud: number }> = {
  slide: { seconds: 0.28, tone: 2400, loud: 0.1 },
  flip: { seconds: 0.09, tone: 3600, loud: 0.16 },
  thud: { seconds: 0.18, tone: 150, loud: 0.5 },
};

/** Browsers let a page be heard only after somebody has touched it, some only from within the touch itself. */
function touched(): void {
  if (settings.sound) {
    context ??= new AudioContext();
    if (context.state !== "running") void context.resume();
  }
  if (settings.voice && !heard && "speechSynthesis" in window) {
    speechSynthesis.speak(new SpeechSynthesisUtterance(""));
    heard = true;
  }
}
addEventListener("pointerup", touched);
addEventListener("keydown", touched);

export function play(noise: Noise): void {
  if (!settings.sound || context?.state !== "running") return;
  const { seconds, tone, loud } = SHAPES[noise];
  const length = Math.floor(context.sampleRate * seconds);
  const buffer = context.createBuffer(1, length, context.sampleRate);
  const samples = buffer.getChannelData(0);
  for (let i = 0; i < length; i++) samples[i] = (Math.random() * 2 - 1) * (1 - i / length) ** 2;
  const source = new AudioBufferSourceNode(context, { buffer });
  const filter = new BiquadFilterNode(context, { type: "bandpass", frequency: tone, Q: 0.8 });
  const gain = new GainNode(context, { gain: loud });
  source.connect(filter).connect(gain).connect(context.destination);
  source.start();
}

export function speak(text: string, lang: string): void {
  if (!settings.voice || !("speechSynthesis" in window)) return;
  const utterance = new SpeechSynthesisUtterance(text);
  utterance.lang = lang;
  speechSynthesis.cancel();
  speechSynthesis.speak(utterance);
}

export function buzz(): void {
  if (navigator.userActivation?.hasBeenActive) navigator.vibrate?.(35);
}
