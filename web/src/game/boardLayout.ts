// The table top of one screen: where each place of the game lies on it, and which way an arrow points there.

import type { FaceDown } from "../wire.ts";
import { angle, CARD, edge, penaltySpot, slots, type Layout, type Rect } from "./geometry.ts";
import type { Place } from "./boardModel.ts";

/** What cards need to know of the table top they lie on. */
export type Top = Pick<Ground, "rect" | "meant" | "angle"> & { lay: Pick<Layout, "width" | "height"> };

export class Ground {
  constructor(
    readonly lay: Layout,
    readonly bottom: number, // who sits at the bottom of this screen
    readonly count: number,
    readonly text: number,
  ) {}

  /** 0 is the bottom of the screen, then clockwise. */
  place(seat: number): number {
    return (seat - this.bottom + this.count) % this.count;
  }

  seat(seat: number): Rect {
    return this.lay.seats[this.place(seat)]!;
  }

  rect(place: Place): Rect {
    switch (place.at) {
      case "shop":
        return { ...this.lay.shop, h: this.lay.shop.w / CARD };
      case "middle":
        return edge(this.lay, this.place(place.toward));
      case "column":
        return slots(this.lay, this.place(place.seat), place.of)[place.slot]!;
      case "penalty":
        return penaltySpot(this.seat(place.seat), this.text, place.slot);
    }
  }

  /** Whom a back means in somebody's hand; nobody in particular where arrows point all round. */
  meant(holder: number, back: FaceDown["back"]): number | null {
    if (back === "any") return null;
    return (holder + (back === "left" ? 1 : this.count - 1)) % this.count;
  }

  /** An arrow is drawn toward the real receiver on this screen, whoever holds the card. */
  angle(from: Rect, to: number | null): number {
    return to === null ? 0 : angle(from, this.seat(to));
  }
}
