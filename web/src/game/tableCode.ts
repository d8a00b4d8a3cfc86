// Parses what a user enters to join a table: a link, or a code with possible misreadings.

const MISREAD: Record<string, string> = { O: "Q", "0": "Q", Z: "2", S: "5", B: "8", U: "V" }; // codes have no pairs

const INVITATION = /^[A-Z0-9]{4,6}-[A-Z0-9]{12}$/; // the end of a link

/** Return the path of the page, or null for text without a code. */
export function parseTablePath(text: string): string | null {
  const [, page, rest] = /\/([tc])\/([\w/-]+)/.exec(text) ?? [];
  if (page === "c" || rest?.includes("/rounds/")) return `/${page}/${rest}`;
  const written = (page === "t" ? rest! : text).trim().toUpperCase();
  if (INVITATION.test(written)) return `/t/${written}`;
  const letters = written.replace(/[^A-Z0-9]/g, "");
  const code = [...letters].map((letter) => MISREAD[letter] ?? letter).join("");
  return code ? `/t/${code}` : null;
}

/** Return whether a path has a code and no key: it opens only a table before its start. */
export const isPlainCode = (path: string): boolean => /^\/t\/[A-Z0-9]{4,6}$/.test(path);
