// Where this app is on its host: found at run time, so that one build works below any path, also behind a proxy.

const BUILT = import.meta.env.BASE_URL; // "/" in development
/** The folder of the app on its host, such as / or /games/hat/. Built scripts are in its folder assets/. */
export const BASE = BUILT === "./" ? new URL("..", import.meta.url).pathname : BUILT;

/** True on a static site (tools/site.py): there is no server, and all tables are on this device. */
export const SITE = Boolean(globalThis.document?.querySelector("meta[name=site]"));

/** Return the URL of the first page, to share. A site has one per language (tools/site.py), for link previews. */
export function homeUrl(): string {
  const { lang } = document.documentElement;
  return location.origin + BASE + (SITE && lang !== "en" ? `${lang}/` : "");
}
/** Return the URL of one of our own paths, such as /rules or /api/guests. */
export const href = (path: string): string => BASE + path.slice(1);
/** Return our own path of a URL's path. */
export const pathOf = (url: string): string => (url.startsWith(BASE) ? `/${url.slice(BASE.length)}` : url);
