// The route of this page. The server returns the same HTML for all of them.

import { isLocal } from "../net/api.ts";
import { href, pathOf } from "../net/base.ts";
import { acceptInvitation } from "../net/peers/peerTables.svelte.ts";
import type { GuestCommand } from "../made/wire.ts";
import { LANGUAGES } from "../words/words.svelte.ts";

/** What a page does as soon as it reaches its table: send commands, or take a seat if the lobby has one. */
export interface Intent {
  commands?: GuestCommand[];
  joinAs?: string;
}

type Route =
  | { page: "home" }
  | { page: "table" | "around" | "screen"; code: string; intent: Intent } // three layouts of the same table
  | { page: "round"; code: string; number: number }
  | { page: "ticket"; ticket: string; code: string }
  | { page: "answer"; answer: string } // of a guest who was invited by hand
  | { page: (typeof PLAIN)[number] };

const PLAIN = ["rules", "learn", "privacy", "credits", "print", "decks"] as const;

export { href };

function parseRoute(path: string, intent: Intent = {}): Route {
  const folders = path.split("/").filter(Boolean);
  const [first = "", second = "", third = "", fourth = ""] = folders[0]! in LANGUAGES ? folders.slice(1) : folders;
  const peer = first.startsWith("#") ? acceptInvitation(first) : null; // any web host serves this path to guests
  if (first.startsWith("#ANSWER.")) return { page: "answer", answer: first };
  if (peer !== null) return { page: layoutOf(peer, second), code: peer, intent };
  if (first === "t" && second && third === "rounds")
    return { page: "round", code: second.toUpperCase(), number: Number(fourth) };
  if (first === "t" && second) return { page: layoutOf(second, third), code: second.toUpperCase(), intent };
  if (first === "c" && second) return { page: "ticket", ticket: second, code: third };
  return { page: PLAIN.find((page) => page === first) ?? "home" };
}

/** Local tables have no screen: it shows a table to other devices. */
function layoutOf(code: string, layout: string): "table" | "around" | "screen" {
  return layout === "around" || (layout === "screen" && !isLocal(code.toUpperCase())) ? layout : "table";
}

/** Return the path of a URL. The only fragments that matter to the route are invitations and their answers. */
const pathWithInvitation = ({ pathname, hash }: { pathname: string; hash: string }): string =>
  pathOf(pathname) + (/^#(PEER-|ANSWER\.)/.test(hash) ? hash : "");

class Router {
  route = $state.raw<Route>(parseRoute(pathWithInvitation(location)));
  playing = $state(false); // a round, which a reload would disturb

  constructor() {
    addEventListener("popstate", () => (this.route = parseRoute(pathWithInvitation(location))));
  }

  go(path: string, intent?: Intent): void {
    history.pushState(null, "", href(path));
    this.#show(path, intent);
  }

  /** Go to another page without a history entry for this one. */
  replace(path: string): void {
    history.replaceState(null, "", href(path));
    this.#show(path);
  }

  #show(path: string, intent?: Intent): void {
    this.route = parseRoute(path, intent);
    scrollTo(0, 0);
  }

  /** Change the URL of this page, for example to one that can be shared. */
  replaceUrl(path: string): void {
    if (pathWithInvitation(location).toUpperCase() !== path.toUpperCase()) history.replaceState(null, "", href(path));
  }

  /** Follow our own links without a reload. Clicks that open a new tab are left to the browser. */
  followLink = (event: MouseEvent): void => {
    const link = (event.target as Element).closest("a");
    const opensTab = event.metaKey || event.ctrlKey || event.shiftKey || event.button || link?.target;
    if (!link || opensTab || link.origin !== location.origin) return;
    if (pathOf(link.pathname).startsWith("/api/")) return;
    event.preventDefault();
    this.go(pathWithInvitation(link));
  };
}

export const router = new Router();
