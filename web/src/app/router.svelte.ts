// Which page is open. The server gives the same shell for all of them.

import { isHere } from "../net/connection.ts";

export type Route =
  | { page: "door" }
  | { page: "table" | "around" | "screen"; code: string } // the same table, on a device that lies on it, or on a wall
  | { page: "round"; code: string; number: number }
  | { page: "ticket"; ticket: string; code: string }
  | { page: (typeof PLAIN)[number] };

const PLAIN = ["rules", "learn", "privacy", "credits", "print", "decks"] as const;

const BASE = import.meta.env.BASE_URL; // where the app lives on its host: / on a server of its own

/** The address of one of our own pages. */
export const to = (path: string): string => BASE + path.slice(1);
const inside = (address: string): string => (address.startsWith(BASE) ? `/${address.slice(BASE.length)}` : address);

export function routeOf(path: string): Route {
  const [first = "", second = "", third = "", fourth = ""] = path.split("/").filter(Boolean);
  if (first === "t" && second && third === "rounds") return { page: "round", code: second.toUpperCase(), number: Number(fourth) };
  if (first === "t" && second) return { page: placeOf(second, third), code: second.toUpperCase() };
  if (first === "c" && second) return { page: "ticket", ticket: second, code: third };
  return { page: PLAIN.find((page) => page === first) ?? "door" };
}

/** A screen for all shows a table to other devices; what stands on this one has none. */
function placeOf(code: string, place: string): "table" | "around" | "screen" {
  return place === "around" || (place === "screen" && !isHere(code.toUpperCase())) ? place : "table";
}

class Router {
  route = $state.raw<Route>(routeOf(inside(location.pathname)));

  constructor() {
    addEventListener("popstate", () => (this.route = routeOf(inside(location.pathname))));
  }

  go(path: string, replace = false): void {
    if (replace) history.replaceState(null, "", to(path));
    else history.pushState(null, "", to(path));
    this.route = routeOf(path);
    scrollTo(0, 0);
  }

  /** The same page by a better address, which can be passed on. */
  better(path: string): void {
    if (inside(location.pathname).toUpperCase() !== path.toUpperCase()) history.replaceState(null, "", to(path));
  }

  /** For links of our own: no reload, but a new tab still opens where somebody asks for one. */
  follow = (event: MouseEvent): void => {
    const link = (event.target as Element).closest("a");
    if (!link || link.origin !== location.origin || link.target || event.metaKey || event.ctrlKey || event.shiftKey || event.button) return;
    if (link.pathname.startsWith("/api/")) return;
    event.preventDefault();
    this.go(inside(link.pathname));
  };
}

export const router = new Router();
