// Messages between a page and its worker. Frames are those of docs/protocol.md.

import type { Entry } from "./indexedDbLog.ts";

export type ToWorker =
  | { to: "start"; python: string; game: string; pace: number }
  | { to: "connect"; connection: string; code: string; guest?: RemoteGuest }
  | { to: "frame"; connection: string; frame: string }
  | { to: "disconnect"; connection: string }
  | { to: "confirm"; code: string; version: number } // entries up to this version are safe
  | { to: "release"; code: string } // another device holds the table now
  | { to: "request"; id: number; request: LocalRequest; guest?: string };

/** A guest on another device, by an id of 32 hexadecimal digits. */
export interface RemoteGuest {
  guest: string;
  screen: boolean;
}

/** The devices at a table: their seats, and whether the game has not begun. */
export interface Devices {
  seats: Record<string, number[]>;
  lobby: boolean;
}

export type LocalRequest =
  | { what: "open"; options: string; day: string; code?: string } // without a code: for this device alone
  | { what: "summary"; code: string }
  | { what: "story"; code: string; round: number }
  | { what: "log"; code: string }
  | { what: "put_deck"; code: string; hat: string }
  | { what: "deck"; code: string; version: number }
  | { what: "lines"; query: string };

/** A frame for one connection. */
export interface Frame {
  connection: string;
  frame: string;
}

export type FromWorker =
  | { from: "ready" }
  | { from: "failed"; error: string }
  | { from: "outdated" } // a newer release wrote the log of a table
  | { from: "open"; connection: string }
  | { from: "frames"; frames: Frame[] } // of all connections, in their order
  | { from: "closed"; connection: string; code: number; reason: string }
  | ({ from: "entry" } & Entry) // of a table for other devices: acknowledged after `confirm`
  | { from: "devices"; code: string; devices: Devices } // of a table for other devices
  | { from: "response"; id: number; body: string };
