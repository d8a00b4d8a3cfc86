// The moods of faces. They follow from what everybody can see, never from what a player knows (9.5).

import type { Scene } from "./boardModel.ts";

export type Mood =
  "plain" | "talking" | "thinking" | "suspicious" | "worried" | "relieved" | "laughing" | "asleep" | "done";

/** Return the mood of a player. `remarks` tells whether they just said something beside the game. */
export function moodOf(scene: Scene, seat: number, remarks?: boolean): Mood {
  const { view, beat, penalties, crowned, giver, receiver, speech, thanks } = scene;
  const count = penalties[seat]?.length ?? 0;
  const chair = view.seats[seat];
  const phase = view.round?.phase; // while events are shown, the one before them
  const [from, to] = phase && "receiver" in phase ? [phase.giver, phase.receiver] : [];
  if (count >= 3) return "done";
  if (chair?.away && !chair.stand_in) return "asleep";
  if (beat === "stamp" || beat === "keeps") {
    if (seat === giver) return "worried";
    if (seat === from || seat === to) return "laughing";
  }
  if (crowned.includes(seat)) return "laughing";
  if (seat === from && giver === to) return "relieved"; // the receiver took it
  if (remarks || seat === (thanks ?? speech?.seat)) return "talking";
  if (phase?.name === "give" && seat === giver) return "thinking";
  if (phase?.name === "answer" && seat === receiver) return "suspicious";
  return count === 2 ? "worried" : "plain";
}

/** Return the seat that a player looks at: whoever speaks; the speaker looks at the receiver. Else it is their own. */
export function lookedAt({ speech, thanks, receiver }: Scene, seat: number): number {
  const speaker = thanks ?? speech?.seat;
  return (speaker === seat ? receiver : speaker) ?? seat;
}
