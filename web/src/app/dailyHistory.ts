// The results of the daily games played in this browser, in localStorage.

import { readStored, writeStored } from "./storage.ts";

export interface Day {
  link: string; // of its table
  signs?: string; // once it is over
  penalties?: number;
  won?: boolean;
  lie?: { gift: string; claim: string }; // the one that travelled furthest
  endedEarly?: boolean; // by the player, so that it has no signs
}

const KEY = "notahat.days";
const DAY = 86_400_000;

/** Return the local date. */
export function today(now = new Date()): string {
  const pad = (number: number): string => String(number).padStart(2, "0");
  return `${now.getFullYear()}-${pad(now.getMonth() + 1)}-${pad(now.getDate())}`;
}

export function readDays(): Record<string, Day> {
  return readStored(KEY, {});
}

export function saveDay(date: string, day: Day): void {
  writeStored(KEY, { ...readDays(), [date]: day });
}

/** Return how many days in a row were finished, up to today or yesterday. */
export function streak(days: Record<string, Day>, date: string): number {
  const dayBefore = (day: string): string => new Date(Date.parse(`${day}T12:00:00Z`) - DAY).toISOString().slice(0, 10);
  const isFinished = (day: string): boolean => days[day]?.signs !== undefined;
  let n = 0;
  for (let day = isFinished(date) ? date : dayBefore(date); isFinished(day); day = dayBefore(day)) n += 1;
  return n;
}
