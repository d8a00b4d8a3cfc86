// Rectangles in layout tests.

import { expect } from "vitest";
import type { Rect } from "../../src/game/geometry.ts";

export function overlap(a: Rect, b: Rect): boolean {
  return a.x < b.x + b.w - 0.5 && b.x < a.x + a.w - 0.5 && a.y < b.y + b.h - 0.5 && b.y < a.y + a.h - 0.5;
}

export function inside(a: Rect, b: Rect): boolean {
  return a.x >= b.x - 0.5 && a.y >= b.y - 0.5 && a.x + a.w <= b.x + b.w + 0.5 && a.y + a.h <= b.y + b.h + 0.5;
}

export function expectApart(parts: Record<string, Rect> | Rect[]): void {
  const all = Object.entries(parts);
  for (const [i, [name, rect]] of all.entries())
    for (const [other, it] of all.slice(i + 1)) expect(overlap(rect, it), `${name} over ${other}`).toBe(false);
}

/** Return the area of the largest empty rectangle of a stage, with edges of the parts or of the stage. */
export function largestGap(stage: Rect, parts: Rect[]): number {
  const xs = [stage.x, stage.x + stage.w, ...parts.flatMap(({ x, w }) => [x, x + w])].sort((a, b) => a - b);
  const ys = [stage.y, stage.y + stage.h, ...parts.flatMap(({ y, h }) => [y, y + h])].sort((a, b) => a - b);
  let most = 0;
  for (const [i, x] of xs.entries())
    for (const right of xs.slice(i + 1)) {
      const across = parts.filter((part) => part.x < right - 1 && part.x + part.w > x + 1);
      let top = stage.y;
      for (const y of ys) {
        const hit = across.filter((part) => part.y <= y && part.y + part.h > y);
        if (hit.length === 0) continue;
        most = Math.max(most, (right - x) * (Math.min(...hit.map((part) => part.y)) - top));
        top = Math.max(top, ...hit.map((part) => part.y + part.h));
      }
      most = Math.max(most, (right - x) * (stage.y + stage.h - top));
    }
  return most;
}
