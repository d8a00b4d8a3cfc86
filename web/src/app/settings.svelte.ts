// The settings of this browser's user, in localStorage. They never contain a gift.

import type { Wins } from "../game/levelProgress.ts";
import { FACES, type Face, type GuestCommand, type Options } from "../made/wire.ts";
import { readStored, writeStored } from "./storage.ts";

const KEY = "notahat";
const DEFAULTS = {
  name: "",
  face: null as string | null, // the face that the user has chosen
  lang: null as string | null,
  learning: null as string | null, // the language in which gifts are named
  theme: "auto" as "auto" | "light" | "dark",
  sound: false,
  voice: false,
  takeBack: true, // delay before a claim is sent
  thumbs: true, // ask for a vote while others play
  level: "casual", // of the computer players in a solo game
  pace: null as Options["pace"] | null, // of a solo game, once it was chosen
  games: 0, // solo games started: opponents rotate
  wins: {} as Wins,
  asked: false, // about sound
  notify: null as boolean | null, // what waits while the tab is hidden; null: not asked yet
  keepsMemory: false, // keep memory statistics over many games
  controller: null as { code: string; on: boolean } | null, // the choice made at one table
  table: null as string | null, // where the user has a seat
};
type Settings = typeof DEFAULTS;

const values = $state<Settings>({ ...DEFAULTS, ...readStored(KEY, {}) });
export const settings: Readonly<Settings> = values;

export function updateSettings(changes: Partial<Settings>): void {
  Object.assign(values, changes);
  writeStored(KEY, { ...readStored(KEY, {}), ...changes }); // another tab may have changed the rest
}

/** Return a command to sit down with the face that the user has chosen, if it names none. */
export function withFace(command: GuestCommand): GuestCommand {
  return command.do === "sit" && FACES.includes(settings.face as Face) ? { face: settings.face, ...command } : command;
}

/** Return the pace of solo games: newcomers have time to read. */
export function soloPace(): Options["pace"] {
  return settings.pace ?? "normal";
}

/** Return whether this browser can show notifications, and its user has not forbidden them. */
export function canNotify(): boolean {
  return "Notification" in globalThis && "serviceWorker" in navigator && Notification.permission !== "denied";
}

/** Return whether this phone is a controller at a table. By default it is one beside a big screen. */
export function isController(code: string, screen: boolean): boolean {
  return settings.controller?.code === code ? settings.controller.on : screen;
}
