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

const DUE = ["draw", "give", "accept"] as const;
/** The commands of the action bar, of which one is sent at a time. */
export const MOVES = ["draw", "give", "accept", "refuse", "judge", "resume"] as const;

/** Return whether it is the turn of a player on this device. */
export const isDue = (table: Permissions): boolean => DUE.some((move) => may(table, move));
