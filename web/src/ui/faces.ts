// The faces of players as SVG paths in a box of 40 × 40. Those of people are named after their hats, which are no gifts of the catalogue.

import type { Mood } from "../game/moods.ts";
import type { Chair, Character, Face } from "../wire.ts";

/** Eyes are drawn around the point between them (20, 24), and the mouth `mouthY` below it. A hat covers the top of the head. */
type Drawing = [head: string, eyes: string, mouthY: number, mouth: string, lines: string, hat?: string];

const BOT_ROUND = "M20 11Q33 10.5 33 24.5 33 38 20 38 7 38 7 24.5 7 11 20 11Z";
const BOT_LONG = "M20 11Q31.5 11 31.5 24 31.5 39 20 39 8.5 39 8.5 24 8.5 11 20 11Z";
const ROUND = "M20 12.5Q31.5 12.5 31.5 25 31.5 37 20 37 8.5 37 8.5 25 8.5 12.5 20 12.5Z";
const LONG = "M20 11.5Q29.5 11.5 29.5 24 29.5 38 20 38 10.5 38 10.5 24 10.5 11.5 20 11.5Z";
const SQUARE = "M11 14Q20 12.5 29 14 31 25 29.5 32.5 27.5 37.5 20 37.5 12.5 37.5 10.5 32.5 9 25 11 14Z";
const PEAR = "M20 11.5Q26.5 12 28 21.5 32 26.5 31 31 29 37.5 20 37.5 11 37.5 9 31 8 26.5 12 21.5 13.5 12 20 11.5Z";

const DOTS = "M-4.5-.5v2M4.5-.5v2";
const WIDE_DOTS = "M-5.5-1v2M5.5-1v2";
const CLOSED = "M-7 .5q2 2 4 0M3 .5q2 2 4 0";
const SMILE = "M-4 0q4 3 8 0";
const SLIGHT_SMILE = "M-4 0q4 2 8 0";

const FACES: Record<Character | Face, Drawing> = {
  berta: [
    BOT_ROUND, WIDE_DOTS, 5, "M-6 0q6 5.5 12 0",
    "M8 18Q12 9 20 12.5 28 9 32 18M16 8.5a4 3 0 1 1 8 0",
  ],
  casimir: [
    BOT_LONG, "M-7.5-4l6 1.5M7.5-4l-6 1.5M-4.5 .5h1.5M3 .5h1.5", 9.5, "M-4 0q4-1.5 8 0",
    "M14 29.5q3-2.5 6-.5 3-2 6 .5",
  ],
  dolores: [
    BOT_ROUND, "M-7-4.5q2.5-2.5 5 0M2-4.5q2.5-2.5 5 0M-5-1v2M5-1v2", 5.5, "M-5.5 0q7 5 11.5-2",
    "M7.5 20Q5 32 8 37M32.5 20Q35 32 32 37M7.5 20Q11 10 20 11.5 29 10 32.5 20",
  ],
  edgar: [
    BOT_LONG, "M-6-.5h3M3-.5h3", 7, "M-4.5 0h9",
    "M10 16.5Q20 12 30 16.5",
  ],
  fatima: [
    BOT_ROUND, WIDE_DOTS, 5, "M-6 0q6 6 12 0h-12",
    "M6.5 28Q4 12 20 9.5 36 12 33.5 28 33 39 25 40.5M6.5 28Q7 39 15 40.5",
  ],
  gustav: [
    BOT_ROUND, "M-8-5.5l6.5 2.5M8-5.5l-6.5 2.5M-4.5 0v1M4.5 0v1", 8, "M-5 0q5-3.5 10 0",
    "M12 36.5q8 6 16 0",
  ],
  hortense: [
    BOT_LONG, "M-5 0v.5M5 0v.5", 8.5, "M-3.5 0q3.5 1.5 7 0",
    "M11 24a4 4 0 1 1 8 0a4 4 0 1 1-8 0M21 24a4 4 0 1 1 8 0a4 4 0 1 1-8 0M19 23.5q1-1 2 0M9.5 17Q12 9 20 10 28 9 30.5 17",
  ],
  ilya: [
    BOT_ROUND, "M-6.5-5h4M2.5-6l4 1.5M-5-1v2M5-1v2", 6.5, "M-5 0q6 3 10-2.5",
    "M8 19Q16 16 15 11M15 11Q22 18 32 18.5",
  ],
  beret: [
    ROUND, DOTS, 7.5, SLIGHT_SMILE,
    "M14.5 29q3-2 5.5-.5 2.5-1.5 5.5.5",
    "M6.5 16Q4.5 8.5 15 6.5 27 4 33.5 8.5 37 12.5 31.5 15.5 20 12.5 6.5 16ZM18.5 6l-1-3",
  ],
  bicorne: [
    SQUARE, "M-7-3q2.5-1 4.5.5M7-3q-2.5-1-4.5.5M-4 .5v1.5M4 .5v1.5", 7.5, SLIGHT_SMILE,
    "",
    "M2.5 16.5Q9.5 2.5 20 2.5 30.5 2.5 37.5 16.5 29 13 20 13 11 13 2.5 16.5ZM18 8a2 2 0 1 1 4 0a2 2 0 1 1-4 0",
  ],
  boater: [
    LONG, DOTS, 5.5, "M-5.5 0q5.5 6 11 0h-11",
    "",
    "M3 15Q20 12 37 15 37.5 16.5 36 17 20 14.5 4 17 2.5 16.5 3 15ZM10.5 14L11 5.5Q20 4 29 5.5L29.5 14" +
      "M10.5 10Q20 8.5 29.5 10",
  ],
  bobble: [
    ROUND, DOTS, 7, SMILE,
    "M11.5 29.5h2M26.5 29.5h2",
    "M7.5 13.5Q8 5.5 20 5.5 32 5.5 32.5 13.5M7 13Q20 10.5 33 13L33 18Q20 15 7 18ZM13 12v4M20 11.5v4M27 12v4" +
      "M17 3a3 3 0 1 1 6 0a3 3 0 1 1-6 0",
  ],
  bonnet: [
    ROUND, DOTS, 6.5, SMILE,
    "M20 37L15 35v4.5ZM20 37L25 35v4.5Z",
    "M7.5 26Q2.5 3.5 20 3.5 37.5 3.5 32.5 26q-3.5-.5-3-4-3-.5-3-3.5-3 .5-4-2.5-2.5 2-5 0-1 3-4 2.5 0 3.5-3 3.5 .5 3.5-3 4Z" +
      "M9.5 11.5Q20 4.5 30.5 11.5",
  ],
  bowler: [
    LONG, DOTS, 10, "M-2.5 0h5",
    "M12.5 29.5q3.5-3.5 7.5-1 4-2.5 7.5 1-4 1.5-7.5-.5-3.5 2-7.5.5",
    "M4 12.5Q5 16.5 12 16 20 14 28 16 35 16.5 36 12.5 34 13.5 29.5 12.5 30 2.5 20 2.5 10 2.5 10.5 12.5 6 13.5 4 12.5Z" +
      "M10.5 9.5Q20 7.5 29.5 9.5",
  ],
  chef: [
    PEAR, "M-4.5 0q1-1.5 2 0M2.5 0q1-1.5 2 0", 5.5, "M-6.5 0q6.5 6 13 0",
    "",
    "M11.5 17.5L11 12.5Q4 11.5 5.5 6.5 8 2 13 4 16 .5 20 1.5 25 .5 27.5 4 33 2 35 6.5 36 11.5 29 12.5L28.5 17.5Q20 15 11.5 17.5Z" +
      "M16.5 14.5v-4M23.5 14.5v-4",
  ],
  cowboy: [
    SQUARE, "M-5-.5h2.5M2.5-.5h2.5", 8, "M-4 0q5 1.5 8.5-2.5",
    "M13 33.5v1M16 35.5v.5M24 35.5v.5M27 33.5v1",
    "M1.5 10.5Q4 14 10.5 13L12.5 5Q15 1.5 20 4.5 25 1.5 27.5 5L29.5 13Q36 14 38.5 10.5 37.5 17 29.5 17.5 20 15 10.5 17.5 2.5 17 1.5 10.5Z" +
      "M11 11Q20 9.5 29 11",
  ],
  deerstalker: [
    LONG, "M-4.5-1.5v2M4.5-1.5v2M-6.5-4l3.5-1M6.5-4l-3.5-1", 8, "M-3 0h6",
    "",
    "M2.5 17Q5.5 13 10 13Q11 4 20 4 29 4 30 13 34.5 13 37.5 17 29 15 20 15 11 15 2.5 17ZM20 4V15M20 4L15 1.5v4.5Z" +
      "M20 4L25 1.5v4.5Z",
  ],
  fez: [
    ROUND, "M-6-1.5q1.5-1.5 3 0M3-1.5q1.5-1.5 3 0M-4.5 1v1M4.5 1v1", 7.5, SLIGHT_SMILE,
    "",
    "M10.5 15.5L13 3.5Q20 2 27 3.5L29.5 15.5Q20 12.5 10.5 15.5ZM20 3Q29 1.5 32.5 5.5L33 10M31.5 10.5h3l.5 3.5h-4Z",
  ],
  jester: [
    PEAR, "M-4.5-1l2 2.5M-2.5-1l-2 2.5M4-1v2", 5, "M-7 0q7 7.5 14 0",
    "",
    "M9.5 18Q10 8 4 12.5 2.5 4.5 12 5 17 5.5 20 11 23 5.5 28 5 37.5 4.5 36 12.5 30 8 30.5 18 20 14 9.5 18ZM20 11V15" +
      "M2.5 14.5a2 2 0 1 1 4 0a2 2 0 1 1-4 0M33.5 14.5a2 2 0 1 1 4 0a2 2 0 1 1-4 0",
  ],
  mortarboard: [
    ROUND, "M-4.5 1v1.5M4.5 1v1.5M-6.5-1.5q2-1.5 3.5 0M3-1.5q2-1.5 3.5 0", 7, SMILE,
    "",
    "M20 2L38 8 20 14.5 2 8ZM11 11.5L11 16.5Q20 20.5 29 16.5L29 11.5M34.5 9.5L35 17M33 17.5h3.5l.5 4h-4.5Z",
  ],
  nightcap: [
    PEAR, CLOSED, 7, "M-2 0a2 2 0 1 1 4 0a2 2 0 1 1-4 0",
    "",
    "M10.5 17.5L11 13Q13.5 2 24 3 34 4.5 35.5 17.5 31.5 10 26.5 9.5 29 12 29 13L29.5 17.5Q20 14.5 10.5 17.5Z" +
      "M11 13Q20 10.5 29 13M34 20a2 2 0 1 1 4 0a2 2 0 1 1-4 0",
  ],
  sailor: [
    SQUARE, DOTS, 4, "M-5 0q5 4.5 10 0",
    "M10 29Q11 38.5 20 38.5 29 38.5 30 29M15 34q5 2.5 10 0",
    "M8 16.5L6 8.5Q20 4.5 34 8.5L32 16.5Q20 13 8 16.5ZM10.5 7.5Q12 2.5 20 2.5 28 2.5 29.5 7.5",
  ],
  ushanka: [
    ROUND, DOTS, 7, SLIGHT_SMILE,
    "M20 25.5l-1 2.5h2",
    "M9.5 8Q10 2 20 2 30 2 30.5 8" +
      "M6.5 8.5Q20 5.5 33.5 8.5L33.5 15Q37.5 22 34.5 30 31 32.5 29 29.5 30 22 28.5 16 20 14 11.5 16 10 22 11 29.5 9 32.5 5.5 30 2.5 22 6.5 15Z" +
      "M33 20v2.5M32.5 26v2M7 20v2.5M7.5 26v2M13 10v2M20 9.5v2M27 10v2",
  ],
  wizard: [
    LONG, DOTS, 5, SLIGHT_SMILE,
    "M10.5 27Q9.5 35.5 15 37.5L20 40.5 25 37.5Q30.5 35.5 29.5 27",
    "M4 17.5Q20 12.5 36 17.5 37 16 35.5 15L29.5 13.5Q25.5 8.5 25 4.5L29.5 3.5Q25 .5 20.5 2 14 5.5 10.5 13.5L4.5 15Q3 16 4 17.5Z" +
      "M10.5 13.5Q20 10.5 29.5 13.5",
  ],
};

const PLAIN: Drawing = [BOT_ROUND, WIDE_DOTS, 6, "M-5 0q5 3 10 0", ""];

const FROWN = "M-4 1.5q4-4 8 0";

// Eyes, mouth and strokes beside the face; without eyes or mouth the face keeps its own. Open mouths end with Z.
const MOODS: Record<Mood, [eyes: string, mouth: string, beside: string]> = {
  plain: ["", "", ""],
  talking: ["", "M-3 0a3 3 0 1 1 6 0a3 3 0 1 1-6 0Z", "M15 2.5l3.5-1.5M15 6.5l3.5 1"],
  thinking: ["M-5-1.5v1.5M5-1.5v1.5M2-4.5q2.5-2 5 0", "M0 .5h4", ""],
  suspicious: ["M-8-4.5l6 2.5M8-4.5l-6 2.5M-6.5 .5h3.5M3 .5h3.5", "M-4 .5l8-1", ""],
  worried: ["M-7.5-3l4.5-2.5M7.5-3l-4.5-2.5M-4.5-.5v2M4.5-.5v2", FROWN, "M16-7q4 5.5 0 7-4-1.5 0-7"],
  relieved: [CLOSED, "M-5-.5q5 4 10 0", ""],
  laughing: ["M-7 .5q2-4 4.5 0M2.5 .5q2-4 4.5 0", "M-5.5-1q5.5 9 11 0Z", "M14-3l3-2.5M15 1h3.5M14 5l3 2"],
  asleep: [CLOSED, "M-1.5 0h3", "M13-3h4l-4 5h4M17-10h3l-3 4h3"],
  done: ["M-6.5-1.5l3.5 3.5m0-3.5l-3.5 3.5m9.5-3.5l3.5 3.5m0-3.5l-3.5 3.5", FROWN, ""],
};

/** Return the paths of a player's face in a mood. */
export function drawFace({ face, character }: Pick<Chair, "character" | "face">, mood: Mood) {
  const [head, ownEyes, mouthY, ownMouth, lines, hat] = (FACES as Record<string, Drawing>)[face ?? character ?? ""] ?? PLAIN;
  const [eyes, mouth, beside] = MOODS[mood];
  return { head, lines, hat, eyes: eyes || ownEyes, mouth: mouth || ownMouth, mouthY, beside };
}
