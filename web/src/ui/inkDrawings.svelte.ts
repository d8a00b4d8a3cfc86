// Faces and icons as SVG paths, from inkDrawings.json. Faces are in a box of 40 × 40; those of people are named after
// their hats, which are no gifts of the catalogue. Icons are in a box of 26 × 26.

import type { Mood } from "../game/moods.ts";
import { fetchAsset } from "../net/fetchAsset.ts";
import type { Chair, Character, Face } from "../made/wire.ts";
import type made from "./inkDrawings.json";
import url from "./inkDrawings.json?url";

/** Eyes are drawn around the point between them (20, 24), and the mouth `mouthY` below it. A hat covers the head. */
interface Drawing {
  head: string;
  eyes: string;
  mouth: string; // an open one ends with Z
  mouthY: number;
  lines?: string;
  hat?: string;
}
interface Drawings {
  plain: Drawing; // of a player who has chosen none
  faces: Record<Character | Face, Drawing>;
  moods: Record<Mood, { eyes?: string; mouth?: string; beside?: string }>; // else the face keeps its own
  icons: Record<string, string>;
}

export type IconName = keyof (typeof made)["icons"];

let drawn = $state.raw<Drawings>();
export const hasInkDrawings = (): boolean => drawn !== undefined;

export async function loadInkDrawings(): Promise<void> {
  drawn = await fetchAsset<typeof made>(url);
}

export const drawIcon = (name: IconName): string => drawn!.icons[name]!;

/** Return the paths of a player's face in a mood. */
export function drawFace({ face, character }: Pick<Chair, "character" | "face">, mood: Mood) {
  const { faces, plain, moods } = drawn!;
  const own = (faces as Record<string, Drawing>)[face ?? character ?? ""] ?? plain;
  return { ...own, beside: "", ...moods[mood] };
}
