// Rank the gifts that a typed text may mean, as docs/words.md specifies. Like `suggest` in notahat/gifts/find.py.

/** `offer` and `denial` are spoken lines; `others` are similar things that are no gifts. */
export type GiftWords = [
  name: string,
  thing: string,
  offer: string,
  denial: string,
  synonyms: string[],
  others: string[],
];

/** A folded name or synonym without a remark in brackets. `bounds`: where its words start, and where the last ends. */
interface Term {
  text: string;
  single: string; // with double letters made single
  bounds: number[];
  gift: string;
  isName: boolean; // not a synonym
}

const DISTINCT = 4; // letters that tell words apart
const INSIDE = 3; // letters from which later words and ends of compounds match
const LONGEST_QUERY = 60; // letters that are searched
const REPLACEABLE = 6; // letters from which a letter may be replaced by another one
const LONG_START = 7; // letters from which the start of a name may have a typo, too
const NO_MATCH = 99;

/** How a language names things. */
export interface FindingFacts {
  articles: string; // that players may type
  head: string | null; // whether the first or the last word says what a thing is
  compounds: boolean;
  silent_h: boolean;
}

export class Finder {
  readonly #terms: Term[];
  readonly #texts: Set<string>;
  readonly #names: Set<string>;
  readonly #others: Record<string, string[]>; // similar things that are no gifts: a wasp is no bee

  /** `also` has names in a second language: the user's own while learning another. */
  constructor(
    gifts: Record<string, GiftWords>,
    private readonly lang: string,
    private readonly facts: FindingFacts,
    also: Record<string, GiftWords> | null = null,
  ) {
    this.#terms = Object.entries(gifts).flatMap(([gift, [name, , , , synonyms]]) =>
      [name, ...synonyms, ...((also?.[gift]?.slice(0, 1) as string[] | undefined) ?? [])].map((spelling, i) =>
        term(spelling, gift, i === 0),
      ),
    );
    this.#texts = new Set(this.#terms.map(({ text }) => text));
    this.#names = new Set(this.#terms.filter(({ isName }) => isName).map(({ text }) => text));
    this.#others = Object.fromEntries(Object.entries(gifts).map(([gift, words]) => [gift, words[5].map(foldText)]));
  }

  /** Return the gifts that a text may mean, best first. */
  find(typed: string, limit = 9): string[] {
    const queries = this.#queries(withoutRemark(typed.trim().slice(0, LONGEST_QUERY)));
    const exact = (query: string, term: Term): number => this.#rank(query, term);
    let ranked = this.#ranked(queries, exact);
    if (ranked.length === 0 && !queries.some((query) => this.#isOtherThing(query))) {
      const alike = this.facts.silent_h ? queries.filter(({ length }) => length >= DISTINCT).map(withOtherH) : [];
      ranked = this.#ranked(alike, exact);
      if (ranked.length === 0) ranked = this.#ranked([...queries, ...alike], typoRank);
    }
    ranked.sort(
      ([a, one], [b, other]) => a - b || one.text.length - other.text.length || (one.text < other.text ? -1 : 1),
    );
    return [...new Set(ranked.map(([, { gift }]) => gift))].slice(0, limit);
  }

  #ranked(queries: string[], rank: (query: string, term: Term) => number): [number, Term][] {
    return queries
      .flatMap((query) => this.#terms.map((term): [number, Term] => [rank(query, term), term]))
      .filter(([rank]) => rank < NO_MATCH);
  }

  /** Return the folded text without its article, in German also with ae, oe, ue as umlauts. */
  #queries(typed: string): string[] {
    const [, article, rest] = /^([^\s'’]+)[\s'’]+(.*)$/s.exec(typed.replace(/^['’]+/, "")) ?? [];
    const articles = this.facts.articles.split(" ");
    const text = (article && articles.includes(article.toLowerCase()) && foldText(rest!)) || foldText(typed);
    const umlauts = this.lang === "de" ? text.replace(/([aou])e/g, "$1") : text;
    return [...new Set([text, umlauts])].filter((query) => query !== "");
  }

  /** Return how well a term matches without a typo; lower is better. */
  #rank(query: string, term: Term): number {
    if (term.text === query) return term.isName ? 0 : 1;
    if (!term.isName && query.length < INSIDE) return NO_MATCH;
    return this.#rankInside(query, term) + (term.isName ? 0 : 3);
  }

  /** Return 2 for whole words and ends of compounds, 3 for the start of the term, 4 for that of a later word. */
  #rankInside(query: string, term: Term): number {
    const { text, bounds } = term;
    if (this.facts.compounds && this.#endsCompound(query, term)) return 2;
    const matches = (from: number, i: number): boolean =>
      i === 0 ? !this.#isOnlyOf(query, term) : query.length >= INSIDE && bounds[i + 1]! - from >= INSIDE;
    const start = bounds.find((from, i) => text.startsWith(query, from) && matches(from, i));
    if (start === undefined) return NO_MATCH;
    const rank = bounds.includes(start + query.length) ? 2 : start === 0 ? 3 : 4;
    return rank === 4 && this.#isOnlyAbout(query, term) ? NO_MATCH : rank;
  }

  /** Tell whether a text is only the first word of a synonym, and that word names another gift: piano accordion. */
  #isOnlyOf(query: string, { text, bounds, isName }: Term): boolean {
    const first = bounds[1]!;
    return (
      this.facts.head === "last" &&
      !isName &&
      query.length <= first &&
      first < text.length &&
      this.#names.has(text.slice(0, first))
    );
  }

  /** Tell whether a later word of a synonym begins with a text that begins another gift's name: torta a due piani. */
  #isOnlyAbout(query: string, { isName }: Term): boolean {
    return this.facts.head === "first" && !isName && [...this.#names].some((name) => name.startsWith(query));
  }

  /** Tell whether a word ends a longer one, and is not known as the name of another thing: Insel in Pinsel. */
  #endsCompound(query: string, { text, gift }: Term): boolean {
    const longEnough = query.length > INSIDE || (query.length === INSIDE && this.#texts.has(query));
    return (
      longEnough && text.endsWith(query) && text.length - query.length >= INSIDE && !this.#others[gift]!.includes(query)
    );
  }

  /** The name of another thing is no misspelling of a gift: a Hummel is no Hammer. */
  #isOtherThing(query: string): boolean {
    return Object.values(this.#others).some((others) =>
      others.some((other) => other === query || (query.length >= DISTINCT && other.startsWith(query))),
    );
  }
}

function term(spelling: string, gift: string, isName: boolean): Term {
  const parts = withoutRemark(spelling).split(/[\s'’-]+/).map(foldText);
  const text = parts.join("");
  const bounds = [0, ...parts.map((_, i) => parts.slice(0, i + 1).join("").length)];
  return { text, single: collapseDoubles(text), bounds, gift, isName };
}

/** Return a rank by the number of typos, swapped letters before others, names before synonyms. */
function typoRank(typed: string, { text, single, isName }: Term): number {
  const typos = Math.min(fewestTypos(typed, text), fewestTypos(collapseDoubles(typed), single));
  return typos < NO_MATCH ? 4 * typos + (sorted(typed) === sorted(text) ? 0 : 2) + (isName ? 0 : 1) : NO_MATCH;
}

/** Return the number of typos in a text or the start of it. */
function fewestTypos(typed: string, text: string): number {
  if (typed[0] !== text[0]) return NO_MATCH;
  const targets = [[text, allowedTypos(typed, text)] as const];
  if (typed.length >= LONG_START)
    targets.push(...[-1, 0, 1].map((more) => [text.slice(0, typed.length + more), 1] as const));
  const typos = targets
    .filter(([target, most]) => Math.abs(target.length - typed.length) <= most && !isReplaced(typed, target))
    .map(([target, most]) => [countTypos(typed, target), most] as const)
    .filter(([count, most]) => count <= most)
    .map(([count]) => count);
  return Math.min(NO_MATCH, ...typos);
}

function allowedTypos(typed: string, text: string): number {
  const [shorter, longer] = [Math.min(typed.length, text.length), Math.max(typed.length, text.length)];
  return shorter >= 7 && longer >= 8 ? 2 : shorter >= 4 && longer >= 5 ? 1 : 0;
}

/** Tell whether a short word differs by a replaced letter, which mostly makes another word: Kabel, Kübel. */
function isReplaced(typed: string, text: string): boolean {
  return typed.length === text.length && text.length < REPLACEABLE && sorted(typed) !== sorted(text);
}

function sorted(text: string): string {
  return [...text].sort().join("");
}

/** Return the text without its first letter if that is an h, else with an h before it. */
function withOtherH(text: string): string {
  return text.startsWith("h") ? text.slice(1) : `h${text}`;
}

/** Return the word before a remark in brackets: Schloss of "Schloss (Burg)". */
function withoutRemark(text: string): string {
  return text.split("(")[0]!.trim() || text.trim();
}

/** Make double letters single, because most typos happen there. */
function collapseDoubles(text: string): string {
  return text.replace(/(.)\1/g, "$1");
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

/** Return the edit distance of two words: letters inserted, deleted, replaced, or swapped with the next. */
function countTypos(typed: string, text: string): number {
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
  return above[text.length]!;
}
