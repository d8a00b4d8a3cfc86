// The table top that people sit around: where each place of the game lies on it, how it is turned, and where arrows point.

import { angle, CARD, slots, type Rect } from "./geometry.ts";
import type { Top } from "./boardLayout.ts";
import type { Place } from "./boardModel.ts";
import type { FaceDown } from "../wire.ts";
import { onScreen, type Around, type Place as Tile } from "./tabletLayout.ts";

export class AroundGround implements Top {
  constructor(
    readonly lay: Around,
    readonly turned: number, // who sits first, from the bottom edge on
    readonly acting: number | null = null, // the shop turns to whoever acts
  ) {}

  place(seat: number): number {
    const count = this.lay.places.length;
    return (seat - this.turned + count) % count;
  }

  tile(seat: number): Tile {
    return this.lay.places[this.place(seat)]!;
  }

  /** How somebody's things are turned. */
  turn(seat: number): number {
    return this.tile(seat).box.turn ?? 0;
  }

  rect(place: Place): Rect {
    switch (place.at) {
      case "shop":
        return this.shop();
      case "middle":
        return this.lay.gifts[this.place(place.toward)]!;
      case "column":
        return this.column(place.seat, place.of)[place.slot]!;
      case "penalty":
        return this.penalty(place.seat, place.slot);
    }
  }

  column(seat: number, count: number): Rect[] {
    const tile = this.tile(seat);
    return slots({ columns: [tile.column], crowded: [tile.column], gift: this.lay.gift }, 0, count).map((card) => onScreen(tile, card));
  }

  shop(): Rect {
    const { x, y, w, h } = this.lay.shop;
    const tall = w / CARD;
    return { x, y: y + (h - tall) / 2, w, h: tall, turn: this.acting === null ? 0 : this.turn(this.acting) };
  }

  /** After the pips and the penalties that lie there, in the lower line of the label. */
  penalty(seat: number, slot: number): Rect {
    const tile = this.tile(seat);
    const { name } = this.lay;
    const w = name * 1.5;
    const all = name * 2.2 + (slot + 1) * (w + 3);
    const x = tile.label.x + tile.label.w / 2 - all / 2 + name * 2.2 + slot * (w + 3);
    const y = tile.label.y + tile.label.h / 2 + name * 0.2;
    return onScreen(tile, { x, y, w, h: w / CARD });
  }

  meant(holder: number, back: FaceDown["back"]): number | null {
    const count = this.lay.places.length;
    if (back === "any") return null;
    return (holder + (back === "left" ? 1 : count - 1)) % count;
  }

  /** On the screen an arrow points at the real receiver; on a card that is turned, by that much less. */
  angle(from: Rect, to: number | null): number {
    return to === null ? 0 : angle(from, this.tile(to).rect) - (from.turn ?? 0);
  }
}
