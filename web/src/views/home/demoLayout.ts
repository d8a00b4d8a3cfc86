// Where the cards of the demonstration lie: two seats of its table face each other, and the shop is between them.

import type { CardLayout } from "../../game/boardLayout.ts";
import { receiverOf } from "../../game/boardLayout.ts";
import type { Spot } from "../../game/boardModel.ts";
import { angle, CARD, type Rect } from "../../game/geometry.ts";
import type { FaceDown } from "../../wire.ts";

const SEATS = 3; // of the table; the third is out of the picture
const RIGHT = 0;
const WIDTH = 360; // of the picture that the numbers below belong to
const HEIGHT = 172;
const LABEL = { w: 104, h: 40 };

export class DemoLayout implements CardLayout {
  readonly layout: { width: number; height: number };
  readonly #scale: number;

  constructor(width: number) {
    this.#scale = width / WIDTH;
    this.layout = { width, height: HEIGHT * this.#scale };
  }

  /** The name and face of a seat. */
  seat(seat: number): Rect {
    return this.#at(seat === RIGHT ? WIDTH - 8 - LABEL.w : 8, 6, LABEL.w, LABEL.h);
  }

  rect(spot: Spot): Rect {
    switch (spot.at) {
      case "shop":
        return this.#card((WIDTH - 62) / 2, 6, 62);
      case "middle":
        return this.#card(spot.toward === RIGHT ? 138 : 104, 66, 118);
      case "column":
        return this.#card(
          spot.seat === RIGHT ? WIDTH - 10 - 84 : 10,
          spot.of === 1 ? 84 : spot.slot === 0 ? 112 : 54,
          84,
        );
      case "penalty":
        return this.#card((spot.seat === RIGHT ? WIDTH - 8 - LABEL.w / 2 : 8 + LABEL.w / 2) - 17, 54, 34); // below the name
    }
  }

  receiverOf(holder: number, back: FaceDown["back"]): number | null {
    return receiverOf(holder, back, SEATS);
  }

  angle(from: Rect, to: number | null): number {
    return to === null ? 0 : angle(from, this.seat(to));
  }

  #card(x: number, y: number, w: number): Rect {
    return this.#at(x, y, w, w / CARD);
  }

  #at(x: number, y: number, w: number, h: number): Rect {
    return { x: x * this.#scale, y: y * this.#scale, w: w * this.#scale, h: h * this.#scale };
  }
}
