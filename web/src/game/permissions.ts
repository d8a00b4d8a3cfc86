// What the table lets somebody do. Every order is spelled as the wire has it: a misspelt one does not compile.

import type { GuestCommand, May, State } from "../wire.ts";

export type Order = GuestCommand["do"];
export type Allowed = Pick<State, "may">;

/** Whether something may be done, and how; where a seat is named, from there. */
export function may(table: Allowed, what: Order, seat?: number): May | undefined {
  return table.may.find((one) => one.do === what && (seat === undefined || one.seat === seat));
}

/** Whether something may be done about somebody else's seat, and how. */
export function mayAbout(table: Allowed, what: Order, seat: number): May | undefined {
  return table.may.find((one) => one.do === what && one.seats?.includes(seat));
}

const TURN = ["draw", "give", "accept"] as const;

/** Whether it is somebody's turn here. */
export const isDue = (table: Allowed): boolean => TURN.some((what) => may(table, what));
