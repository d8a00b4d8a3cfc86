// The layout of the demonstration's table in a picture of any size: two people face each other, a third is nearer than
// the picture's edge.

import { CARD, GAP, shopIn, type Layout, type Place, type Rect } from "../../game/geometry.ts";

const LARGEST_FACE = 190;
const LEAST_NAME = 15; // height
const BUTTON = 40; // width, beside the words

/** Return the table, or with `near` a refused gift between the faces of giver and receiver. */
export function demoLayout(width: number, height: number, near: boolean): Layout {
  const margin = width * 0.03;
  const words = { x: BUTTON, y: height * 0.03, w: width - 2 * BUTTON, h: height * 0.24 };
  const top = words.y + words.h + height * 0.03;
  const face = Math.min(width * 0.23, (height - top) * (near ? 0.66 : 0.46), LARGEST_FACE);
  const line = face * 0.16;
  const label = Math.max(LEAST_NAME, face * 0.24) + line;
  const side = { w: Math.max(face, width * 0.25), h: height - top - margin };
  const down = near ? (side.h - face - label) / 2 : 0;
  const placeAt = (x: number, y: number, on: Place["side"]): Place => {
    const below = y + face + label + GAP;
    const square = { x: x + (side.w - face) / 2, y, w: face, h: face };
    const column = { x, y: below, w: side.w, h: top + side.h - below };
    return { tile: { ...side, x, y }, face: square, label: { ...square, y: y + face, h: label }, column, side: on };
  };
  const viewer = placeAt((width - side.w) / 2, height * 2, "left"); // out of the picture
  const places = [viewer, placeAt(margin, top + down, "left"), placeAt(width - margin - side.w, top + down, "right")];
  const centre: Rect = { x: 2 * margin + side.w, y: top, w: width - 4 * margin - 2 * side.w, h: side.h };
  const gift = Math.floor(Math.min(centre.w * (near ? 1 : 0.9), centre.h * (near ? 1 : 0.6) * CARD));
  const middle = { ...centre, h: near ? centre.h : gift / CARD };
  const below = { ...centre, y: middle.y + middle.h + GAP, h: centre.h - middle.h - GAP };
  const board = { x: 0, y: top + face * 0.5, w: width, h: height };
  const frame = { shape: "picture" as const, width, height, header: 0, board };
  const shops = { shop: shopIn(below, gift * 0.62, 0), counter: shopIn(centre, gift, 0) };
  return { ...frame, ...shops, places, face: face * 0.84, line, middle, gift, words, actions: null };
}
