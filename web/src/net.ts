// The only door to the network: a few HTTP calls, and one socket that comes back by itself.

import { added } from "./told.ts";
import type { FromServer, GuestCommand, Options, State, Story, Summary, TableLink, Ticket } from "./wire.ts";

const invitations = new Map<string, string>(); // by code, as the server told

export class Declined extends Error {
  constructor(readonly reason: string) {
    super(reason);
  }
}

async function asked<T>(method: string, path: string, body?: unknown): Promise<T> {
  const request: RequestInit = { method, headers: { "Content-Type": "application/json" } };
  if (body !== undefined) request.body = JSON.stringify(body);
  const answer = await fetch(path, request).catch(() => {
    throw new Declined("offline");
  });
  const said: unknown = await answer.json().catch(() => ({ reason: "offline" }));
  if (!answer.ok) throw new Declined((said as { reason?: string }).reason ?? "offline");
  return said as T;
}

/** As the guest of this browser, who is made on the first visit. */
async function askedAsGuest<T>(method: string, path: string, body?: unknown): Promise<T> {
  await beGuest();
  return asked<T>(method, path, body);
}

export const beGuest = (): Promise<unknown> => asked("POST", "/api/guests");
export const openTable = (options: Partial<Options>): Promise<TableLink> => askedAsGuest("POST", "/api/tables", { options });
export const summary = async (code: string): Promise<Summary> => {
  const found = await asked<Summary>("GET", `/api/tables/${encodeURIComponent(code)}`);
  invitations.set(found.code, found.invitation);
  return found;
};
/** The way to a table for those who are asked to come: it stays open when its four letters do not any more. */
export const invitationTo = (code: string): string => invitations.get(code) || `/t/${code}`;
export const story = (code: string, round: number): Promise<Story> => askedAsGuest("GET", `/api/tables/${code}/rounds/${round}`);
export const newTicket = (): Promise<Ticket> => askedAsGuest("POST", "/api/tickets");
export const useTicket = (ticket: string): Promise<unknown> => asked("POST", "/api/tickets/use", { ticket });
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

/** The line to a table by its code. */
export function lineTo(code: string, listener: Listener): Line {
  return new Socket(code, listener);
}

const BEAT = 15_000;
const SILENCE = 40_000;
const FINAL = new Set(["no_such_table", "removed", "no_spectators"]);
const ASKS_AGAIN = 4000; // whoever was sent away, whether they may come back
const WAITS = [250, 500, 1000, 2000, 4000];

/** A line to a server. It reconnects until it is closed; commands that got no answer are sent again with the same id. */
class Socket implements Line {
  #socket: WebSocket | undefined;
  #tries = 0;
  #closed = false;
  #heard = 0;
  #told: State | undefined;
  #guestKnown = false;
  #timer: ReturnType<typeof setTimeout> | undefined;
  readonly #beat: ReturnType<typeof setInterval>;
  readonly #unanswered = new Map<string, string>();
  readonly #code: string;
  readonly #listener: Listener;

  constructor(code: string, listener: Listener) {
    this.#code = code;
    this.#listener = listener;
    this.#beat = setInterval(() => this.#heartbeat(), BEAT);
    addEventListener("online", this.#now);
    addEventListener("offline", this.#lost);
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
    if (this.#socket?.readyState === WebSocket.OPEN) this.#heartbeat();
    else if (this.#timer !== undefined) {
      clearTimeout(this.#timer);
      void this.#connect();
    }
  };

  /** The network is gone, so it seems: ask again now instead of waiting for silence. */
  readonly #lost = (): void => this.#socket?.close();

  async #connect(): Promise<void> {
    this.#timer = undefined;
    try {
      await this.#guest();
      const { you } = await summary(this.#code); // a browser does not tell why a handshake was refused
      if (you !== null && FINAL.has(you)) throw new Declined(you);
    } catch (error) {
      const reason = error instanceof Declined ? error.reason : "offline";
      if (FINAL.has(reason)) this.#gone(reason);
      else this.#later();
      return;
    }
    if (this.#closed) return;
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const socket = new WebSocket(`${scheme}://${location.host}/api/tables/${this.#code}/socket?changes=1`);
    this.#socket = socket;
    socket.onopen = () => {
      this.#heard = Date.now();
      for (const frame of this.#unanswered.values()) socket.send(frame);
    };
    socket.onmessage = ({ data }) => this.#read(JSON.parse(data as string) as FromServer);
    socket.onclose = ({ reason }) => {
      if (this.#closed || this.#socket !== socket) return;
      this.#socket = undefined;
      if (FINAL.has(reason)) this.#gone(reason);
      else this.#later();
    };
  }

  async #guest(): Promise<void> {
    if (this.#guestKnown) return;
    await beGuest();
    this.#guestKnown = true;
  }

  /** There is no way in. Somebody may be let in again, though, and then comes in by themselves. */
  #gone(reason: string): void {
    this.#listener.line("gone", reason);
    if (reason === "no_such_table") this.close();
    else this.#timer = setTimeout(() => void this.#connect(), ASKS_AGAIN);
  }

  #later(): void {
    if (this.#closed) return;
    this.#listener.line("away");
    const wait = WAITS[Math.min(this.#tries++, WAITS.length - 1)]!;
    this.#timer = setTimeout(() => void this.#connect(), wait * (0.75 + Math.random() / 2));
  }

  #read(message: FromServer): void {
    this.#heard = Date.now();
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
    if (Date.now() - this.#heard > SILENCE) this.#socket.close();
    else this.#socket.send('{"do":"beat"}');
  }
}
