// The only door to tables, on a server or on this device: a few questions, and lines that come back by themselves.

import { answered } from "./fetchAsset.ts";
import type { Ask } from "./local/messages.ts";
import { added } from "./applyDelta.ts";
import type { FromServer, GuestCommand, Options, State, Story, Summary, TableLink, Ticket } from "../wire.ts";

const invitations = new Map<string, string>(); // by code, as the server told
let home = location.origin; // where others reach this server: not at 127.0.0.1, though this browser may

export class Declined extends Error {
  constructor(readonly reason: string, readonly detail = "") {
    super(reason);
  }
}

/** A site has the page and nothing behind it: tables stand on this device alone. */
export const SITE = import.meta.env.MODE === "site";
/** Whether a table stands on this device. No server has such codes. */
export const isHere = (code: string): boolean => code.startsWith("POCKET-");

const pocket = (): Promise<typeof import("./local/localBackend.ts")> => import("./local/localBackend.ts");

/** Asked of the tables of this device. */
export async function askedHere<T>(question: Ask): Promise<T> {
  const { ask } = await pocket();
  const said = await ask(question).catch(() => {
    throw new Declined("no_pocket");
  });
  const { reason, detail } = said as { reason?: string; detail?: string };
  if (reason !== undefined) throw new Declined(reason, detail);
  return said as T;
}

const GUESTS = "/api/guests";

async function asked<T>(method: string, path: string, body?: unknown): Promise<T> {
  if (SITE) throw new Declined("needs_server");
  const request: RequestInit = { method, headers: { "Content-Type": "application/json" } };
  if (body !== undefined) request.body = JSON.stringify(body);
  const harmless = method === "GET" || path === GUESTS; // what may be asked twice is not waited for without end
  const answer = await (harmless ? answered(path, request) : fetch(path, request)).catch(() => {
    throw new Declined("offline");
  });
  const said: unknown = await answer.json().catch(() => ({ reason: "offline" }));
  const { reason = "offline", detail } = said as { reason?: string; detail?: string };
  if (!answer.ok) throw new Declined(reason, detail);
  return said as T;
}

/** As the guest of this browser, who is made on the first visit. */
export async function askedAsGuest<T>(method: string, path: string, body?: unknown): Promise<T> {
  await beGuest();
  return asked<T>(method, path, body);
}

export const beGuest = (): Promise<unknown> => asked("POST", GUESTS);
export const openTable = (options: Partial<Options>, screen = false, day: string | null = null): Promise<TableLink> =>
  askedAsGuest("POST", "/api/tables", { options, screen, day });
/** Open a table on this device, which must have been taken along. */
export const openHere = (options: Partial<Options>, day = ""): Promise<TableLink> =>
  askedHere({ what: "open", options: JSON.stringify(options), day });
/** Open a table for those who hold this device, or for the gift of a day: on the server where there is one, else here.
    A site fetches the game first. */
export async function openForOne(options: Partial<Options>, day?: string): Promise<TableLink> {
  if (SITE) {
    if (!(await inPocket())) await (await import("./local/offlineInstall.svelte.ts")).along.take();
    return openHere(options, day);
  }
  try {
    return await openTable(options, false, day);
  } catch (error) {
    if (!(error instanceof Declined) || error.reason !== "offline" || !(await inPocket())) throw error;
    return openHere(options, day);
  }
}
/** Whether the game was taken along. */
export const inPocket = async (): Promise<boolean> => (await (await import("./local/manifest.ts")).taken()) !== null;
/** Everything that happened at a table of this device, to take away as a file. */
export const logOf = (code: string): Promise<unknown[]> => askedHere({ what: "log", code });
export const summary = async (code: string): Promise<Summary> => {
  if (isHere(code)) return askedHere({ what: "summary", code });
  const found = await asked<Summary>("GET", `/api/tables/${encodeURIComponent(code)}`);
  invitations.set(found.code, found.invitation);
  if (found.home) home = found.home;
  return found;
};
/** The way to a table for those who are asked to come: it stays open when its four letters do not any more. */
export const invitationTo = (code: string): string => invitations.get(code) || `/t/${code}`;
/** The whole of a link of ours, as it is passed on. */
export const linkTo = (path: string): string => home + path;
export const story = (code: string, round: number): Promise<Story> =>
  isHere(code) ? askedHere({ what: "story", code, round }) : askedAsGuest("GET", `/api/tables/${code}/rounds/${round}`);
export const newTicket = (): Promise<Ticket> => askedAsGuest("POST", "/api/tickets");
export const useTicket = (ticket: string, instead: boolean): Promise<unknown> => asked("POST", "/api/tickets/use", { ticket, instead });
export const qrOf = (path: string): string => `/api/qr.svg?path=${path}`;

export type Reach = "finding" | "open" | "away" | "gone";

/** Who holds the near end of a line. */
export interface Listener {
  state(state: State): void;
  refused(reason: string, id?: string | null): void;
  line(reach: Reach, reason?: string): void;
}

/** A line to a table: orders go out, and its listener hears of all that happens. What is at the far end does not matter. */
export interface Line {
  /** Says by which id its answer will be known, where there will be one: `ack` of a state, or what was refused. */
  send(command: GuestCommand): string | undefined;
  close(): void;
}

/** The line to a table by its code. A `screen` for a whole room is nobody who watches. */
export function lineTo(code: string, listener: Listener, screen = false): Line {
  return new Lasting(code, listener, isHere(code) ? here : screen ? onTheWall : server);
}

/** What goes through a line, as a browser's WebSocket has it. */
interface Wire {
  readonly readyState: number;
  send(frame: string): void;
  close(): void;
  onopen: (() => void) | null;
  onmessage: ((message: { data: string }) => void) | null;
  onclose: ((closed: { reason: string }) => void) | null;
}
/** Where tables stand: look whether one may come in, then open a wire. */
interface Place {
  look(code: string): Promise<Summary>;
  wire(code: string): Wire | Promise<Wire>;
}

function socketTo(code: string, asks: string): Wire {
  return new WebSocket(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/api/tables/${code}/socket?${asks}`) as Wire;
}
let guestKnown = false;
const server: Place = {
  async look(code) {
    if (!guestKnown) await beGuest();
    guestKnown = true;
    return summary(code);
  },
  wire: (code) => socketTo(code, "changes=1"),
};
const onTheWall: Place = { ...server, wire: (code) => socketTo(code, "changes=1&screen=1") };
const here: Place = {
  look: summary,
  wire: async (code) => new (await pocket()).Wire(code),
};

const BEAT = 15_000;
const SILENCE = 40_000;
const PATIENCE = 8000; // with somebody who was asked and should say something now
const FINAL = new Set(["no_such_table", "removed", "no_spectators", "no_pocket", "needs_server"]);
const FOR_GOOD = new Set(["no_such_table", "no_pocket", "needs_server"]);
const ASKS_AGAIN = 4000; // whoever was sent away, whether they may come back
const WAITS = [250, 500, 1000, 2000, 4000];

/** A line that lasts. It reconnects until it is closed; commands that got no answer are sent again with the same id. */
class Lasting implements Line {
  #socket: Wire | undefined;
  #tries = 0;
  #closed = false;
  #heard = 0;
  #told: State | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  readonly #beat: ReturnType<typeof setInterval>;
  readonly #unanswered = new Map<string, string>();
  readonly #code: string;
  readonly #listener: Listener;
  readonly #place: Place;

  constructor(code: string, listener: Listener, place: Place) {
    this.#code = code;
    this.#listener = listener;
    this.#place = place;
    this.#beat = setInterval(() => this.#heartbeat(), BEAT);
    addEventListener("online", this.#now);
    if (place !== here) addEventListener("offline", this.#lost);
    document.addEventListener("visibilitychange", this.#now);
    void this.#connect();
  }

  send(command: GuestCommand): string {
    const id = [...crypto.getRandomValues(new Uint32Array(3))].map((part) => part.toString(36)).join("");
    const frame = JSON.stringify({ id, ...command });
    this.#unanswered.set(id, frame);
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(frame);
    return id;
  }

  close(): void {
    this.#closed = true;
    clearInterval(this.#beat);
    clearTimeout(this.#timer);
    removeEventListener("online", this.#now);
    removeEventListener("offline", this.#lost);
    document.removeEventListener("visibilitychange", this.#now);
    this.#socket?.close();
  }

  /** A phone was unlocked or has a network again: do not wait for the next try. */
  readonly #now = (): void => {
    if (document.hidden || this.#closed) return;
    if (this.#socket?.readyState === WebSocket.OPEN) {
      this.#heartbeat();
      this.#expect();
    } else if (!this.#socket && this.#timer !== undefined) this.#soon(0);
  };

  /** Nobody is there any more, so it seems: let go of it and look again. A goodbye to the dead is answered after a minute. */
  readonly #lost = (): void => {
    const dead = this.#socket;
    if (!dead) return;
    this.#socket = undefined;
    dead.onopen = dead.onmessage = dead.onclose = null;
    dead.close();
    this.#later();
  };

  #soon(wait: number, what = (): void => void this.#connect()): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(what, wait);
  }

  /** Whoever is silent now is not there; the tables of this device may think as long as it takes. */
  #expect(): void {
    if (this.#socket && this.#place !== here) this.#soon(PATIENCE, this.#lost);
  }

  async #connect(): Promise<void> {
    this.#timer = undefined;
    try {
      const { you } = await this.#place.look(this.#code); // a browser does not tell why a handshake was refused
      if (you !== null && FINAL.has(you)) throw new Declined(you);
    } catch (error) {
      const reason = error instanceof Declined ? error.reason : "offline";
      if (FINAL.has(reason)) this.#gone(reason);
      else this.#later();
      return;
    }
    if (this.#closed) return;
    const socket = await this.#place.wire(this.#code);
    if (this.#closed) return socket.close();
    this.#socket = socket;
    this.#expect();
    socket.onopen = () => {
      this.#heard = Date.now();
      for (const frame of this.#unanswered.values()) socket.send(frame);
    };
    socket.onmessage = ({ data }) => this.#read(JSON.parse(data) as FromServer);
    socket.onclose = ({ reason }) => {
      if (this.#closed) return;
      this.#socket = undefined;
      if (FINAL.has(reason)) this.#gone(reason);
      else this.#later();
    };
  }

  /** There is no way in. Somebody may be let in again, though, and then comes in by themselves. */
  #gone(reason: string): void {
    this.#listener.line("gone", reason);
    if (FOR_GOOD.has(reason)) this.close();
    else this.#soon(ASKS_AGAIN);
  }

  #later(): void {
    if (this.#closed) return;
    this.#listener.line("away");
    const wait = WAITS[Math.min(this.#tries++, WAITS.length - 1)]!;
    this.#soon(wait * (0.75 + Math.random() / 2));
  }

  #read(message: FromServer): void {
    this.#heard = Date.now();
    clearTimeout(this.#timer);
    if ("beat" in message) return;
    if ("no" in message) {
      if (message.no !== null) this.#unanswered.delete(message.no);
      this.#listener.refused(message.reason, message.no);
      return;
    }
    this.#tries = 0;
    if (message.ack) this.#unanswered.delete(message.ack);
    this.#listener.line("open");
    this.#told = "view" in message ? message : this.#told && added(this.#told, message);
    if (this.#told) this.#listener.state(this.#told);
  }

  #heartbeat(): void {
    if (this.#socket?.readyState !== WebSocket.OPEN) return;
    if (Date.now() - this.#heard > SILENCE) this.#lost();
    else this.#socket.send('{"do":"beat"}');
  }
}
