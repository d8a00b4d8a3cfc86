// Where each spot of the board is on a tablet or big screen, how it is turned, and where arrows point.

import { angle, CARD, slots, type Rect } from "./geometry.ts";
import { receiverOf, type CardLayout } from "./boardLayout.ts";
import type { Spot } from "./boardModel.ts";
import type { FaceDown } from "../wire.ts";
import { onScreen, type TabletLayout, type TabletPlace } from "./tabletLayout.ts";

export class TabletBoard implements CardLayout {
  constructor(
    readonly layout: TabletLayout,
    readonly turned: number, // the seat at the first place of the bottom edge
    readonly acting: number | null = null, // the shop turns to this seat
  ) {}

  place(seat: number): number {
    const count = this.layout.places.length;
    return (seat - this.turned + count) % count;
  }

  tile(seat: number): TabletPlace {
    return this.layout.places[this.place(seat)]!;
  }

  turn(seat: number): number {
    return this.tile(seat).box.turn ?? 0;
  }

  rect(spot: Spot): Rect {
    switch (spot.at) {
      case "shop":
        return this.shop();
      case "middle":
        return this.layout.gifts[this.place(spot.toward)]!;
      case "column":
        return this.column(spot.seat, spot.of)[spot.slot]!;
      case "penalty":
        return this.penalty(spot.seat, spot.slot);
    }
  }

  column(seat: number, count: number): Rect[] {
    const tile = this.tile(seat);
    return slots(tile, this.layout.gift, count).map((card) => onScreen(tile, card));
  }

  shop(): Rect {
    const { x, y, w, h } = this.layout.shop;
    const tall = w / CARD;
    return { x, y: y + (h - tall) / 2, w, h: tall, turn: this.acting === null ? 0 : this.turn(this.acting) };
  }

  /** Penalties are in the lower line of the label, after the pips. */
  penalty(seat: number, slot: number): Rect {
    const tile = this.tile(seat);
    const { name } = this.layout;
    const w = name * 1.5;
    const all = name * 2.2 + (slot + 1) * (w + 3);
    const x = tile.label.x + tile.label.w / 2 - all / 2 + name * 2.2 + slot * (w + 3);
    const y = tile.label.y + tile.label.h / 2 + name * 0.2;
    return onScreen(tile, { x, y, w, h: w / CARD });
  }

  receiverOf(holder: number, back: FaceDown["back"]): number | null {
    return receiverOf(holder, back, this.layout.places.length);
  }

  /** Return the angle of an arrow on its card, which may be turned itself. */
  angle(from: Rect, to: number | null): number {
    return to === null ? 0 : angle(from, this.tile(to).rect) - (from.turn ?? 0);
  }
}
