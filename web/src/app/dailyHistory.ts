// The gifts of the days that were played in this browser, and nowhere else: one game a day, and what came of it.

export interface Day {
  link: string; // where it was played
  signs?: string; // once it is over
  penalties?: number;
  won?: boolean;
}

const SHELF = "notahat.days";
const A_DAY = 86_400_000;

/** Today where this person is. */
export function today(now = new Date()): string {
  const two = (number: number): string => String(number).padStart(2, "0");
  return `${now.getFullYear()}-${two(now.getMonth() + 1)}-${two(now.getDate())}`;
}

export function days(): Record<string, Day> {
  try {
    return JSON.parse(localStorage.getItem(SHELF) ?? "{}") as Record<string, Day>;
  } catch {
    return {};
  }
}

export function keepDay(date: string, day: Day): void {
  try {
    localStorage.setItem(SHELF, JSON.stringify({ ...days(), [date]: day }));
  } catch {
    // private windows may refuse; then it is not kept
  }
}

/** How many days in a row were played to the end, up to today or yesterday. */
export function streak(kept: Record<string, Day>, date: string): number {
  const before = (from: string): string => new Date(Date.parse(`${from}T12:00:00Z`) - A_DAY).toISOString().slice(0, 10);
  const over = (of: string): boolean => kept[of]?.signs !== undefined;
  let n = 0;
  for (let day = over(date) ? date : before(date); over(day); day = before(day)) n += 1;
  return n;
}

/** A short line to share: signs, and nothing of what the gifts were. */
export function lineOf(date: string, { signs = "", penalties = 0, won = false }: Day): string {
  return `Not a Hat ${date} ${won ? "🏆" : "🎁"} −${penalties}\n${signs}`;
}
