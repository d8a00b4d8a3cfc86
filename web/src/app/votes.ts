// What you would have believed: kept in this browser for one round, by turn and never by gift.

export type Thumbs = Record<number, boolean>;

interface Kept {
  code: string;
  round: number;
  turns: Thumbs;
}

const SHELF = "notahat-thumbs";

export function thumbs(code: string, round: number): Thumbs {
  try {
    const kept = JSON.parse(localStorage.getItem(SHELF) ?? "null") as Kept | null;
    return kept?.code === code && kept.round === round ? kept.turns : {};
  } catch {
    return {};
  }
}

export function keepThumb(code: string, round: number, turn: number, up: boolean): void {
  const kept: Kept = { code, round, turns: { ...thumbs(code, round), [turn]: up } };
  try {
    localStorage.setItem(SHELF, JSON.stringify(kept));
  } catch {
    // private windows may refuse; then there is nothing to count at the end
  }
}
