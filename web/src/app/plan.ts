// What to do at a table as soon as it is reached: "play now" sits down, seats three computer players and starts.

import type { GuestCommand } from "../wire.ts";

let planned: GuestCommand[] = [];
let name = "";

export function plan(commands: GuestCommand[]): void {
  planned = commands;
  name = ""; // who opens a table joins no other
}

export function takePlan(): GuestCommand[] {
  const commands = planned;
  planned = [];
  return commands;
}

/** What somebody is called who joins a table from the door. */
export function comeAs(called: string): void {
  name = called;
}

export function takeName(): string {
  const called = name;
  name = "";
  return called;
}
