// Where each spot of the board is on this screen, and in which direction an arrow points there.

import type { FaceDown } from "../made/wire.ts";
import { aim, CARD, edge, onScreen, penaltySpot, slots, type Layout, type Place, type Rect } from "./geometry.ts";
import type { CardSide, Scene, Spot } from "./boardModel.ts";

export class BoardLayout {
  constructor(
    readonly layout: Layout,
    readonly bottom: number, // the seat at the bottom of this screen
    readonly count: number,
  ) {}

  /** Return the number of a seat's place: 0 is the bottom of the screen, then clockwise. */
  place(seat: number): number {
    return (seat - this.bottom + this.count) % this.count;
  }

  seat(seat: number): Place {
    return this.layout.places[this.place(seat)]!;
  }

  rect(spot: Spot): Rect {
    switch (spot.at) {
      case "shop":
        return { ...this.layout.counter, h: this.layout.counter.w / CARD };
      case "middle":
        return edge(this.layout, this.place(spot.toward));
      case "column":
        return onScreen(this.seat(spot.seat), slots(this.seat(spot.seat), this.layout.gift, spot.of)[spot.slot]!);
      case "penalty":
        return onScreen(this.seat(spot.seat), penaltySpot(this.layout, this.place(spot.seat), spot.slot));
    }
  }

  face(seat: number): Rect {
    return onScreen(this.seat(seat), this.seat(seat).face);
  }

  /** Return the angle of an arrow toward the receiver on this screen, wherever the card is and however it is turned. */
  angle(from: Rect, to: number | null): number {
    return to === null ? 0 : aim(this.layout, from, this.place(to)) - (from.turn ?? 0);
  }
}

type Pointing = Pick<Scene, "beat" | "giver" | "receiver">;

/** Return the seat that the arrow of a card points to in a scene, or null if it has no arrow to one seat. */
export function pointsTo(scene: Pointing, card: CardSide, at: Spot, count: number): number | null {
  const { beat, giver, receiver } = scene;
  if (card.face !== "down") return null;
  if (at.at === "column") return receiverOf(at.seat, card.back, count);
  const accepted = beat === "thanks" || beat === "lands"; // it points to who accepted it until it lies in a column
  if (accepted && at.at === "middle") return at.toward;
  return receiver ?? (giver === null ? null : receiverOf(giver, card.back, count));
}

/** Return the seat that a back points to, or null for arrows in all directions. */
export function receiverOf(holder: number, back: FaceDown["back"], count: number): number | null {
  if (back === "any") return null;
  return (holder + (back === "left" ? 1 : count - 1)) % count;
}
