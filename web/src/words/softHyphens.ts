// Where very long names of gifts may be broken. Browsers hyphenate by `lang`, but not all have all dictionaries.

const PARTS = [
  "Tischtennis|schläger", "Schrauben|schlüssel", "Schrauben|zieher", "Verkehrs|hütchen", "Vorhänge|schloss",
  "Heißluft|ballon", "Quietsche|ente", "Taschen|rechner", "Tennis|schläger", "Weihnachts|baum", "ingrandi|mento",
  "boks|handschoen", "cassette|bandje", "kronkel|potlood",
  "lieveheers|beestje", "schroeven|draaier", "tafeltennis|batje",
];
const HYPHENATED = new Map(PARTS.map((parts) => [parts.replace("|", ""), parts.replace("|", "\u00ad")]));

export const WIDEST_PART = 7.2; // in em; longer words need a soft hyphen
const WIDEST_IN_NAME = 7.8; // in em; longer words of people's names get soft hyphens
const SHORTEST_PART = 3; // letters before a hyphen where a line may end
const VOWEL = /[aeiouyà-æè-ïò-öø-ÿ]/iu;
const JOINER = "\u2060"; // keeps what is beside it in one line

const NARROW = /[iljtfrI’]/gu;
const WIDE = /[mwMWÄÖÜßG-HK-OQ-RU-Z]/gu;

/** Return a name with soft hyphens in its very long words, and without a break after a short part as in "t-shirt". */
export function softHyphens(name: string): string {
  return name.replace(/(\p{L}+)(-(?=\p{L}))?/gu, (_, word: string, hyphen = "") => {
    return (HYPHENATED.get(word) ?? word) + hyphen + (hyphen && word.length < SHORTEST_PART ? JOINER : "");
  });
}

/** Return the width of the widest part of a name that stays in one line, in em and rather too large. */
export function widestPart(name: string): number {
  return Math.max(...name.split(/[\s\u00ad]|-(?!\u2060)/u).map(widthOf));
}

/** Return the width of a text in one line, in em and rather too large. */
export function widthOf(part: string): number {
  const count = (letters: RegExp): number => part.match(letters)?.length ?? 0;
  return part.length * 0.585 - count(NARROW) * 0.2 + count(WIDE) * 0.24;
}

/** Return a person's name with soft hyphens in its words that are wider than so many em, before syllables if near. */
export function breakName(name: string, widest = WIDEST_IN_NAME): string {
  return name.replace(/\p{Script=Latin}+/gu, (word) => {
    const letters = [...word];
    const each = Math.ceil(letters.length / Math.ceil(widthOf(word) / widest));
    const begins = (n: number): boolean => !VOWEL.test(letters[n]!) && VOWEL.test(letters[n + 1] ?? "");
    const breaks: number[] = [];
    for (let n = each; n < letters.length - 1; n = breaks.at(-1)! + each)
      breaks.push([n, n - 1, n + 1, n - 2].find(begins) ?? n);
    return letters.map((letter, n) => (breaks.includes(n) ? `\u00ad${letter}` : letter)).join("");
  });
}
