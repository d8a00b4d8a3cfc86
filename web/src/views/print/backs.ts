// The drawings of printed backs. Four signs show the direction, so that it can be read without colour: the arrow, its
// colour (black or white), the slant of the stripes and the darkness of the paper.

import type { Back, Choice } from "./sheets.ts";

const files = import.meta.glob<string>("./backs/*.svg", { query: "?raw", import: "default", eager: true });

export const backSvg = (back: Back, backs: Choice["backs"]): string => files[`./backs/${back}-${backs}.svg`]!;
