// Sounds made on the spot, and the browser's own voices for claims. Both are off until somebody asks.

import { ears } from "./audioUnlock.ts";
import { settings } from "./settings.svelte.ts";

type Paper = "slide" | "flip" | "thud";
type Tune = "thanks" | "doubt" | "turn" | "win" | "lose";
export type Noise = Paper | Tune;

const PAPER: Record<Paper, { seconds: number; tone: number; loud: number }> = {
  slide: { seconds: 0.28, tone: 2400, loud: 0.1 },
  flip: { seconds: 0.09, tone: 3600, loud: 0.16 },
  thud: { seconds: 0.18, tone: 150, loud: 0.5 },
};
const TUNES: Record<Tune, number[]> = {
  thanks: [523, 659],
  doubt: [311, 233],
  turn: [784],
  win: [523, 659, 784, 1047],
  lose: [392, 330, 262],
};
const BEAT = 0.13;

export function play(noise: Noise): void {
  const context = ears();
  if (!context) return;
  if (noise in PAPER) rustle(context, PAPER[noise as Paper]);
  else TUNES[noise as Tune].forEach((tone, n) => ring(context, tone, context.currentTime + n * BEAT));
}

function rustle(context: AudioContext, { seconds, tone, loud }: (typeof PAPER)[Paper]): void {
  const length = Math.floor(context.sampleRate * seconds);
  const buffer = context.createBuffer(1, length, context.sampleRate);
  const samples = buffer.getChannelData(0);
  for (let i = 0; i < length; i++) samples[i] = (Math.random() * 2 - 1) * (1 - i / length) ** 2;
  const source = new AudioBufferSourceNode(context, { buffer });
  const filter = new BiquadFilterNode(context, { type: "bandpass", frequency: tone, Q: 0.8 });
  source.connect(filter).connect(new GainNode(context, { gain: loud })).connect(context.destination);
  source.start();
}

/** A soft note, like a glass on the table. */
function ring(context: AudioContext, frequency: number, at: number): void {
  const source = new OscillatorNode(context, { type: "triangle", frequency });
  const gain = new GainNode(context, { gain: 0 });
  gain.gain.setValueAtTime(0.12, at);
  gain.gain.exponentialRampToValueAtTime(0.001, at + 0.4);
  source.connect(gain).connect(context.destination);
  source.start(at);
  source.stop(at + 0.42);
}

/** Said in the listener's language; each seat has a voice of its own where the browser has several. */
export function speak(text: string, lang: string, seat: number): void {
  if (!settings.voice || !("speechSynthesis" in window)) return;
  const utterance = new SpeechSynthesisUtterance(text);
  utterance.lang = lang;
  const voices = speechSynthesis.getVoices().filter((voice) => voice.lang.toLowerCase().startsWith(lang.slice(0, 2)));
  if (voices.length > 0) utterance.voice = voices[seat % voices.length]!;
  utterance.pitch = 0.85 + (seat % 4) * 0.12;
  speechSynthesis.cancel();
  speechSynthesis.speak(utterance);
}

export function buzz(): void {
  if (navigator.userActivation?.hasBeenActive) navigator.vibrate?.(35);
}
