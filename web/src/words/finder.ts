// From the first letters somebody types to gifts: names first, then other words for them, then small slips.

/** Name, name with article, what a giver says, what a doubting receiver says, other words for it, and what it is not. */
export type GiftWords = [name: string, thing: string, offer: string, denial: string, synonyms: string[], others: string[]];

interface Spelling {
  text: string;
  gift: string;
  own: boolean; // the gift's own name, not another word for it
}

export class Finder {
  readonly #spellings: Spelling[];
  readonly #others: string[]; // what gifts could be taken for and are not: a wasp for a bee

  /** Who learns a language may also type the names of their own. */
  constructor(gifts: Record<string, GiftWords>, also: Record<string, GiftWords> | null = null) {
    this.#spellings = Object.entries(gifts).flatMap(([gift, [name, , , , synonyms]]) => [
      ...starts(name).map((text, i) => ({ text, gift, own: i === 0 })),
      ...[...synonyms, ...(also?.[gift]?.slice(0, 1) as string[] | undefined ?? [])].map((text) => ({ text: folded(text), gift, own: false })),
    ]);
    this.#others = Object.values(gifts).flatMap(([, , , , , others]) => others.map(folded));
  }

  /** Gifts that the text may be the start or a misspelling of, the likeliest first. */
  find(typed: string, limit = 9): string[] {
    const text = folded(typed);
    if (text === "") return [];
    const slips = !this.#names(text);
    const ranked = this.#spellings
      .map((spelling) => ({ spelling, rank: rank(text, spelling, slips) }))
      .filter(({ rank }) => rank < NEVER)
      .sort((a, b) => a.rank - b.rank || a.spelling.text.length - b.spelling.text.length || a.spelling.text.localeCompare(b.spelling.text));
    return [...new Set(ranked.map(({ spelling }) => spelling.gift))].slice(0, limit);
  }

  /** Whoever writes the name of another thing, or is about to, has not slipped: a Hummel is no Hammer. */
  #names(text: string): boolean {
    return this.#others.some((other) => other === text || (text.length >= SURE && other.startsWith(text)));
  }
}

const NEVER = 99;
const SURE = 4; // letters that tell one word from another

function rank(typed: string, { text, own }: Spelling, forgiving: boolean): number {
  if (text === typed) return own ? 0 : 1;
  if (text.startsWith(typed)) return own ? 2 : 3;
  // Hardly anyone slips on the first two letters at once; this keeps every keystroke quick.
  if (!forgiving || typed.length < 3 || (text[0] !== typed[0] && text[1] !== typed[1])) return NEVER;
  const slips = slipsIn(typed, text.slice(0, typed.length + 2));
  return slips <= (typed.length < 6 ? 1 : 2) ? 3 + slips + (own ? 0 : 0.5) : NEVER;
}

/** A name, and each of its later words: "hot air balloon" is also found by "balloon". */
function starts(name: string): string[] {
  const later = name.split(/[\s’-]+/).slice(1).filter((word) => word.length > 3);
  return [folded(name), ...later.map(folded)];
}

/** Without case, accents, spaces and punctuation. */
export function folded(text: string): string {
  return text
    .toLowerCase()
    .replace(/ß/g, "ss")
    .replace(/œ/g, "oe")
    .replace(/æ/g, "ae")
    .normalize("NFKD")
    .replace(/[^\p{L}\p{N}]/gu, "");
}

/** How many letters must be put in, left out, changed or swapped to make `typed` the start of `text`. */
function slipsIn(typed: string, text: string): number {
  let before: number[] = [];
  let above = Array.from({ length: text.length + 1 }, (_, i) => i);
  for (let row = 1; row <= typed.length; row++) {
    const line = [row];
    for (let column = 1; column <= text.length; column++) {
      const same = typed[row - 1] === text[column - 1] ? 0 : 1;
      let cost = Math.min(above[column]! + 1, line[column - 1]! + 1, above[column - 1]! + same);
      if (row > 1 && column > 1 && typed[row - 1] === text[column - 2] && typed[row - 2] === text[column - 1])
        cost = Math.min(cost, before[column - 2]! + 1);
      line.push(cost);
    }
    before = above;
    above = line;
  }
  return Math.min(...above.slice(Math.max(0, typed.length - 1)));
}
