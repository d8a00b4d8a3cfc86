// Which commands the table permits now.

import type { GuestCommand, May, State } from "../made/wire.ts";

export type CommandName = GuestCommand["do"];
export type Permissions = Pick<State, "may">;

/** Return the permission for a command, from a seat if one is given. */
export function may(table: Permissions, command: CommandName, seat?: number): May | undefined {
  return table.may.find((one) => one.do === command && (seat === undefined || one.seat === seat));
}

/** Return the permission for a command about another player's seat. */
export function mayAbout(table: Permissions, command: CommandName, seat: number): May | undefined {
  return table.may.find((one) => one.do === command && one.seats?.includes(seat));
}

const MOVES = ["draw", "give", "accept"] as const;

/** Return whether it is the turn of a player on this device. */
export const isDue = (table: Permissions): boolean => MOVES.some((move) => may(table, move));
