// The sounds of a scene. app/sound.ts plays them.

import type { Scene } from "./boardModel.ts";

export type PaperSound = "slide" | "flip" | "thud";
export type Tune = "thanks" | "doubt" | "turn" | "nudge" | "win" | "lose";
export type Sound = PaperSound | Tune;

export function soundsOf({ beat, stamped, turning, moving, happened }: Scene, you: readonly number[]): Sound[] {
  const sounds: Sound[] = [];
  if (stamped) sounds.push("thud");
  else if (turning) sounds.push("flip");
  else if (moving.some(({ shift }) => !shift)) sounds.push("slide");
  if (beat === "thanks") sounds.push("thanks");
  if (beat === "still") sounds.push("doubt");
  const ended = happened.find((event) => event.event === "ended");
  if (!ended) return sounds;
  const won = you.length === 0 || you.some((seat) => ended.winners.includes(seat)); // a screen celebrates the winner
  return [...sounds, won ? "win" : "lose"];
}
