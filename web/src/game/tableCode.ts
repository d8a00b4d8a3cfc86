// A friend's table, however somebody writes it: a link, four letters in any spelling, or read badly from paper.

const MEANT: Record<string, string> = { O: "Q", "0": "Q", Z: "2", S: "5", B: "8", U: "V" }; // codes have one of each kind

const INVITATION = /^[A-Z0-9]{4,6}-[A-Z0-9]{12}$/; // what stands at the end of a link

/** The page that is meant; null where there is nothing to go by. */
export function pathOf(text: string): string | null {
  const [, page, rest] = /\/([tc])\/([\w/-]+)/.exec(text) ?? [];
  if (page === "c" || rest?.includes("/rounds/")) return `/${page}/${rest}`;
  const written = (page === "t" ? rest! : text).trim().toUpperCase();
  if (INVITATION.test(written)) return `/t/${written}`;
  const letters = written.replace(/[^A-Z0-9]/g, "");
  const code = [...letters].map((letter) => MEANT[letter] ?? letter).join("");
  return code ? `/t/${code}` : null;
}
