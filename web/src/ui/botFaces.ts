// The faces of the computer players as SVG paths. Their keys are the bots' characters; a test compares them.

interface BotFace {
  name: string;
  head: string;
  lines: string;
}

const ROUND = "M18 5Q31 4.6 31 18.500 31 32 18.200 32 5 32 5 18.500 5 5 18 5Z";
const LONG = "M18 5Q29.500 5 29.500 18 29.500 33 18.200 33 6.500 33 6.500 18 6.500 5 18 5Z";

export const FACES = {
  berta: {
    name: "Berta",
    head: ROUND,
    lines: "M12.5 16.500v2M23.500 16.500v2M12 23q6 5.500 12 0M6 12Q10 3 18 6.500 26 3 30 12M14 2.500a4 3 0 1 1 8 0",
  },
  casimir: {
    name: "Casimir",
    head: LONG,
    lines:
      "M10.500 14l6 1.500M25.500 14l-6 1.500M13.500 18.500h1.500M21 18.500h1.500M14 27.500q4-1.500 8 0" +
      "M12 23.500q3-2.500 6-.5 3-2 6 .5",
  },
  dolores: {
    name: "Dolores",
    head: ROUND,
    lines:
      "M11 13.500q2.500-2.500 5 0M20 13.500q2.500-2.500 5 0M13 17v2M23 17v2M12.500 23.500q7 5 11.500-2" +
      "M5.500 14Q3 26 6 31M30.500 14Q33 26 30 31M5.500 14Q9 4 18 5.500 27 4 30.500 14",
  },
  edgar: {
    name: "Edgar",
    head: LONG,
    lines: "M12 17.500h3M21 17.500h3M13.500 25h9M8 10.500Q18 6 28 10.500",
  },
  fatima: {
    name: "Fatima",
    head: ROUND,
    lines:
      "M12.500 17v2M23.500 17v2M12 23q6 6 12 0ZM4.500 22Q2 6 18 3.500 34 6 31.500 22 31 33 23 34.500" +
      "M4.500 22Q5 33 13 34.500",
  },
  gustav: {
    name: "Gustav",
    head: ROUND,
    lines: "M10 12.500l6.500 2.500M26 12.500l-6.500 2.500M13.500 18v1M22.500 18v1M13 26q5-3.500 10 0M10 30.500q8 6 16 0",
  },
  hortense: {
    name: "Hortense",
    head: LONG,
    lines:
      "M9 18a4 4 0 1 0 8 0a4 4 0 1 0-8 0M19 18a4 4 0 1 0 8 0a4 4 0 1 0-8 0M17 17.500q1-1 2 0" +
      "M14.500 26.500q3.500 1.500 7 0M7.500 11Q10 3 18 4 26 3 28.500 11",
  },
  ilya: {
    name: "Ilya",
    head: ROUND,
    lines: "M11.500 13h4M20.500 12l4 1.500M13 17v2M23 17v2M13 24.500q6 3 10-2.500M6 13Q14 10 13 5M13 5Q20 12 30 12.500",
  },
} satisfies Record<string, BotFace>;

export type Mood = "plain" | "talking" | "worried" | "laughing" | "done";

// Strokes beside the face. A mood follows from what all players can see, never from what a computer player knows.
export const MOODS: Record<Mood, string> = {
  plain: "",
  talking: "M33 20.500l3.500-1.500M33 24.500l3.500 1",
  worried: "M31.500 6q4 5.500 0 7-4-1.500 0-7Z",
  laughing: "M30 3l2.500-2.500M33 7l3.500-1M33.500 11.500h3.500",
  done: "M29 4l5 5M34 4l-5 5",
};

export function moodOf(penalties: number, speaks: boolean): Mood {
  return penalties >= 3 ? "done" : speaks ? "talking" : penalties === 2 ? "worried" : "plain";
}

export type Character = keyof typeof FACES;
export const CHARACTERS = Object.keys(FACES) as Character[];

const PLAIN: BotFace = { name: "", head: ROUND, lines: "M12.500 17v2M23.500 17v2M13 24q5 3 10 0" };

export function faceOf(character: string | undefined): BotFace {
  return (FACES as Record<string, BotFace>)[character ?? ""] ?? PLAIN;
}
