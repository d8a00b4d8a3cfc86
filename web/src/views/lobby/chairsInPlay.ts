// Where chairs stand in the lobby of a tablet or a big screen: where their players will sit, in per cent of its table.

import { centreOf, clamp, type Layout, type Point } from "../../game/geometry.ts";
import { MAX_CHAIRS } from "./chairPlaces.ts";

const FEWEST = 2;
const RING = 37; // the farthest that a chair is from the centre, along each axis
const LEAST_APART = 16;

interface Chairs {
  taken: Point[];
  empty: Point | null; // where the next one sits down: between the last and the first, if there is room
}

/** Return the chairs. `turned` is the seat at the bottom edge. */
export function chairsInPlay(layoutOf: (seats: number) => Layout, players: number, turned = 0): Chairs {
  const count = Math.max(players, FEWEST);
  const { places, width, height } = layoutOf(count);
  const centres = places.map(({ tile }) => {
    const { x, y } = centreOf(tile);
    return { x: within(x / width), y: within(y / height) };
  });
  const chair = (seat: number): Point => centres[(seat - (turned % count) + count) % count]!;
  const taken = Array.from({ length: players }, (_, seat) => chair(seat));
  if (players < FEWEST) return { taken, empty: chair(players) };
  const next = between(chair(players - 1), chair(0));
  const isFree = players < MAX_CHAIRS && taken.every(({ x, y }) => Math.hypot(x - next.x, y - next.y) >= LEAST_APART);
  return { taken, empty: isFree ? next : null };
}

/** Return a share of a side in per cent, at a distance from its ends. */
function within(share: number): number {
  return clamp(share * 100, 50 - RING, 50 + RING);
}

/** Return the point of the ring halfway between two chairs, clockwise. */
function between(last: Point, first: Point): Point {
  const from = angleOf(last);
  const way = (angleOf(first) - from + 2 * Math.PI) % (2 * Math.PI);
  const middle = from + way / 2;
  const [across, down] = [Math.cos(middle), Math.sin(middle)];
  const far = RING / Math.max(Math.abs(across), Math.abs(down));
  return { x: 50 + across * far, y: 50 + down * far };
}

function angleOf({ x, y }: Point): number {
  return Math.atan2(y - 50, x - 50);
}
