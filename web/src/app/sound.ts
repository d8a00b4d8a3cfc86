// Synthesised sounds, and speech synthesis for claims. Both are off by default.

import type { PaperSound, Sound, Tune } from "../game/sceneSounds.ts";
import { audioContext } from "./audioUnlock.ts";
import { settings } from "./settings.svelte.ts";

const PAPER: Record<PaperSound, { seconds: number; frequency: number; gain: number }> = {
  slide: { seconds: 0.28, frequency: 2400, gain: 0.1 },
  flip: { seconds: 0.09, frequency: 3600, gain: 0.16 },
  thud: { seconds: 0.18, frequency: 150, gain: 0.5 },
};
const TUNES: Record<Tune, number[]> = {
  thanks: [523, 659],
  doubt: [311, 233],
  turn: [784],
  nudge: [784, 988, 784],
  win: [523, 659, 784, 1047],
  lose: [392, 330, 262],
};
const NOTE_SECONDS = 0.13;

export function play(sound: Sound): void {
  const context = audioContext();
  if (!context) return;
  const start = context.currentTime;
  if (sound in PAPER) playPaper(context, PAPER[sound as PaperSound]);
  else TUNES[sound as Tune].forEach((frequency, n) => playNote(context, frequency, start + n * NOTE_SECONDS));
}

function playPaper(context: AudioContext, { seconds, frequency, gain }: (typeof PAPER)[PaperSound]): void {
  const length = Math.floor(context.sampleRate * seconds);
  const buffer = context.createBuffer(1, length, context.sampleRate);
  const samples = buffer.getChannelData(0);
  for (let i = 0; i < length; i++) samples[i] = (Math.random() * 2 - 1) * (1 - i / length) ** 2;
  const source = new AudioBufferSourceNode(context, { buffer });
  const filter = new BiquadFilterNode(context, { type: "bandpass", frequency, Q: 0.8 });
  source.connect(filter).connect(new GainNode(context, { gain })).connect(context.destination);
  source.start();
}

function playNote(context: AudioContext, frequency: number, at: number): void {
  const source = new OscillatorNode(context, { type: "triangle", frequency });
  const gain = new GainNode(context, { gain: 0 });
  gain.gain.setValueAtTime(0.12, at);
  gain.gain.exponentialRampToValueAtTime(0.001, at + 0.4);
  source.connect(gain).connect(context.destination);
  source.start(at);
  source.stop(at + 0.42);
}

/** Speak a text. Each seat has its own voice if the browser has several of the language. */
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

export function vibrate(pattern: number | number[] = 35): void {
  if (navigator.userActivation?.hasBeenActive) navigator.vibrate?.(pattern);
}
