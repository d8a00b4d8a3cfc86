import { expect, it } from "vitest";
import { facesOf, inTheWay, inTheWayOfTails, roomToSpeak, tailOf } from "../../src/game/bubbles.ts";
import { computeLayout, type Rect } from "../../src/game/geometry.ts";
import { computeScreenLayout } from "../../src/game/screenLayout.ts";

const SEATS = [2, 3, 4, 5, 6, 7, 8];
const covers = (a: Rect, b: Rect): boolean => a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h;

it.each(SEATS)("of %i players on a television have room for long claims, and tails to their faces", (seats) => {
  const layout = computeScreenLayout({ width: 1920, height: 1080, seats });
  const blocked = inTheWay(layout);
  for (const [place, area] of layout.said.entries()) {
    expect(Math.min(area.w / 470, area.h / 215), `place ${place}`).toBeGreaterThanOrEqual(1);
    expect(blocked.some((one) => covers(area, one))).toBe(false);
    const { face } = layout.places[place]!;
    const { from, to } = tailOf(area, face, blocked);
    const across = Math.max(face.x - to.x, 0, to.x - face.x - face.w);
    const left = Math.hypot(across, Math.max(face.y - to.y, 0, to.y - face.y - face.h));
    expect(left, `place ${place} from ${from.x} ${from.y}`).toBeLessThan(150);
  }
});

it.each(SEATS)("with thanks find room beside all faces of %i players on phones", (seats) => {
  for (const [width, height] of [[320, 568], [390, 844]] as const) {
    const layout = computeLayout({ width, height, seats });
    const within = { x: 4, y: layout.header, w: width - 8, h: layout.actions!.y - layout.header };
    const taken = [...inTheWay(layout), layout.words!, layout.middle];
    for (const place of layout.places.keys())
      expect(roomToSpeak(facesOf(layout), place, within, { w: 90, h: 34 }, taken)).not.toBeNull();
  }
});

it.each([[360, 740], [390, 844]])("has room for a long remark at a full table on %i × %i", (width, height) => {
  const layout = computeLayout({ width, height, seats: 8 });
  const places = layout.places.map(({ label, side, ...one }) => {
    const x = side === "right" ? label.x + label.w - 70 : label.x; // of a short name
    return { ...one, side, label: { ...label, x, w: 70 } };
  });
  const within = { x: 4, y: layout.header, w: width - 8, h: layout.actions!.y - layout.header };
  const taken = [...inTheWay({ ...layout, places, shop: layout.counter }), layout.words!, layout.middle];
  const area = roomToSpeak(facesOf(layout), 1, within, { w: 128, h: height * 0.08 }, taken, 9, 60);
  expect(area!.w * area!.h).toBeGreaterThan(32 * 110); // letters, with the room for each
});

it("points to a face behind others' cards with a short tip", () => {
  const [bubble, face] = [{ x: 50, y: 400, w: 300, h: 70 }, { x: 90, y: 60, w: 80, h: 80 }];
  const { from, to } = tailOf(bubble, face, [{ x: 0, y: 240, w: 390, h: 40 }]);
  expect(from.y).toBe(400);
  expect(from.y - to.y).toBeGreaterThan(10);
  expect(from.y - to.y).toBeLessThan(40);
  expect(tailOf(bubble, face, []).to.y).toBeCloseTo(133.6); // just inside
});

it.each(SEATS)("ends before names, cards and the gift, and is seen, at tables of %i players", (seats) => {
  for (const [width, height] of [[320, 568], [390, 844], [844, 390], [1280, 720]] as const) {
    const layout = computeLayout({ width, height, seats });
    const blocked = [...inTheWayOfTails(layout), layout.middle];
    for (const [place, { face }] of layout.places.entries()) {
      const { from, to, side } = tailOf(layout.words!, face, blocked, 20);
      const length = Math.hypot(to.x - from.x, to.y - from.y);
      expect((to.x - from.x) * side[0] + (to.y - from.y) * side[1]).toBeGreaterThanOrEqual(length * 0.69);
      if (place > 0) expect(length, `${width}: place ${place}`).toBeGreaterThan(5); // your gift may be between
      expect(length > 0 && blocked.some((one) => covers({ ...to, w: 0, h: 0 }, one))).toBe(false);
    }
  }
});
