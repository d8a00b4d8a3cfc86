// Search for gifts by the first letters of a name or synonym, with tolerance for typing errors.

/** `offer` and `denial` are spoken lines; `others` are similar things that are no gifts. */
export type GiftWords = [name: string, thing: string, offer: string, denial: string, synonyms: string[], others: string[]];

interface Spelling {
  text: string;
  gift: string;
  isName: boolean; // not a synonym
}

export class Finder {
  readonly #spellings: Spelling[];
  readonly #others: string[]; // similar things that are no gifts: a wasp is no bee

  /** `also` has names in a second language: the user's own while learning another. */
  constructor(gifts: Record<string, GiftWords>, also: Record<string, GiftWords> | null = null) {
    this.#spellings = Object.entries(gifts).flatMap(([gift, [name, , , , synonyms]]) => [
      ...searchTerms(name).map((text, i) => ({ text, gift, isName: i === 0 })),
      ...[...synonyms, ...(also?.[gift]?.slice(0, 1) as string[] | undefined ?? [])].map((text) => ({ text: foldText(text), gift, isName: false })),
    ]);
    this.#others = Object.values(gifts).flatMap(([, , , , , others]) => others.map(foldText));
  }

  /** Return the gifts whose name starts with the text or with a misspelling of it, best match first. */
  find(typed: string, limit = 9): string[] {
    const text = foldText(typed);
    if (text === "") return [];
    const forgiving = !this.#isOtherThing(text);
    const ranked = this.#spellings
      .map((spelling) => ({ spelling, rank: rank(text, spelling, forgiving) }))
      .filter(({ rank }) => rank < NO_MATCH)
      .sort((a, b) => a.rank - b.rank || a.spelling.text.length - b.spelling.text.length || a.spelling.text.localeCompare(b.spelling.text));
    return [...new Set(ranked.map(({ spelling }) => spelling.gift))].slice(0, limit);
  }

  /** The name of another thing is no misspelling of a gift: a Hummel is no Hammer. */
  #isOtherThing(text: string): boolean {
    return this.#others.some((other) => other === text || (text.length >= DISTINCT && other.startsWith(text)));
  }
}

const NO_MATCH = 99;
const DISTINCT = 4; // letters that distinguish words

function rank(typed: string, { text, isName }: Spelling, forgiving: boolean): number {
  if (text === typed) return isName ? 0 : 1;
  if (text.startsWith(typed)) return isName ? 2 : 3;
  // Errors in both of the first two letters are rare; this check keeps every keystroke fast.
  if (!forgiving || typed.length < 3 || (text[0] !== typed[0] && text[1] !== typed[1])) return NO_MATCH;
  const errors = countErrors(typed, text.slice(0, typed.length + 2));
  return errors <= (typed.length < 6 ? 1 : 2) ? 3 + errors + (isName ? 0 : 0.5) : NO_MATCH;
}

/** Return a name and each of its later words: "hot air balloon" is also found by "balloon". */
function searchTerms(name: string): string[] {
  const later = name.split(/[\s’-]+/).slice(1).filter((word) => word.length > 3);
  return [foldText(name), ...later.map(foldText)];
}

/** Remove case, accents, spaces and punctuation. */
export function foldText(text: string): string {
  return text
    .toLowerCase()
    .replace(/ß/g, "ss")
    .replace(/œ/g, "oe")
    .replace(/æ/g, "ae")
    .normalize("NFKD")
    .replace(/[^\p{L}\p{N}]/gu, "");
}

/** Return the edit distance (insert, delete, replace, swap) from `typed` to a prefix of `text`. */
function countErrors(typed: string, text: string): number {
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
