// What a scene sounds like. Pure: sound.ts makes it heard, for whoever asked for it.

import type { Noise } from "../app/sound.ts";
import type { Scene } from "./boardModel.ts";

export function noises({ beat, stamped, turning, moving, happened }: Scene, you: readonly number[]): Noise[] {
  const found: Noise[] = [];
  if (stamped) found.push("thud");
  else if (turning) found.push("flip");
  else if (moving.some(({ shift }) => !shift)) found.push("slide");
  if (beat === "thanks") found.push("thanks");
  if (beat === "still") found.push("doubt");
  const ended = happened.find((event) => event.event === "ended");
  // glad or sorry, whoever sits here; a room is glad with whoever won
  if (ended?.event === "ended") found.push(you.length === 0 || you.some((seat) => ended.winners.includes(seat)) ? "win" : "lose");
  return found;
}
