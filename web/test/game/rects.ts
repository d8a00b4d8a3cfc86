// Rectangles in layout tests.

import { expect } from "vitest";
import type { Rect } from "../../src/game/geometry.ts";

export function overlap(a: Rect, b: Rect): boolean {
  return a.x < b.x + b.w - 0.5 && b.x < a.x + a.w - 0.5 && a.y < b.y + b.h - 0.5 && b.y < a.y + a.h - 0.5;
}

export function inside(a: Rect, b: Rect): boolean {
  return a.x >= b.x - 0.5 && a.y >= b.y - 0.5 && a.x + a.w <= b.x + b.w + 0.5 && a.y + a.h <= b.y + b.h + 0.5;
}

export function expectApart(parts: Record<string, Rect>): void {
  const all = Object.entries(parts);
  for (const [i, [name, rect]] of all.entries())
    for (const [other, otherRect] of all.slice(i + 1)) expect(overlap(rect, otherRect), `${name} over ${other}`).toBe(false);
}
