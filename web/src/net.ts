// The only door to the network: a few HTTP calls, and one socket that comes back by itself.

import type { FromServer, GuestCommand, Options, State, Story, Summary, TableLink, Ticket } from "./wire.ts";

export class Refused extends Error {
  constructor(readonly reason: string) {
    super(reason);
  }
}

async function asked<T>(method: string, path: string, body?: unknown): Promise<T> {
  const request: RequestInit = { method, headers: { "Content-Type": "application/json" } };
  if (body !== undefined) request.body = JSON.stringify(body);
  const answer = await fetch(path, request).catch(() => {
    throw new Refused("offline");
  });
  const said: unknown = await answer.json().catch(() => ({ reason: "offline" }));
  if (!answer.ok) throw new Refused((said as { reason?: string }).reason ?? "offline");
  return said as T;
}

/** As the guest of this browser; a guest is made when the server does not know one yet. */
async function askedAsGuest<T>(method: string, path: string, body?: unknown): Promise<T> {
  try {
    return await asked<T>(method, path, body);
  } catch (error) {
    if (!(error instanceof Refused) || error.reason !== "no_guest") throw error;
    await beGuest();
    return asked<T>(method, path, body);
  }
}

export const beGuest = (): Promise<unknown> => asked("POST", "/api/guests");
export const openTable = (options: Partial<Options>): Promise<TableLink> => askedAsGuest("POST", "/api/tables", { options });
export const summary = (code: string): Promise<Summary> => asked("GET", `/api/tables/${encodeURIComponent(code)}`);
export const story = (code: string, round: number): Promise<Story> => askedAsGuest("GET", `/api/tables/${code}/rounds/${round}`);
export const newTicket = (code: string): Promise<Ticket> => askedAsGuest("POST", `/api/tables/${code}/tickets`);
export const useTicket = (ticket: string): Promise<TableLink> => asked("POST", "/api/tickets", { ticket });

export type Line = "finding" | "open" | "away" | "gone";

export interface Listener {
  state(state: State): void;
  refused(reason: string): void;
  line(line: Line, reason?: string): void;
}

const BEAT = 10_000;
const SILENCE = 25_000;
const WAITS = [250, 500, 1000, 2000, 4000];

/** A table's socket. It reconnects until it is closed; commands that got no answer are sent again with the same id. */
export class Socket {
  #socket: WebSocket | undefined;
  #tries = 0;
  #closed = false;
  #heard = 0;
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
    document.addEventListener("visibilitychange", this.#now);
    void this.#connect();
  }

  send(command: GuestCommand): void {
    const id = [...crypto.getRandomValues(new Uint32Array(3))].map((part) => part.toString(36)).join("");
    const frame = JSON.stringify({ id, ...command });
    this.#unanswered.set(id, frame);
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(frame);
  }

  close(): void {
    this.#closed = true;
    clearInterval(this.#beat);
    clearTimeout(this.#timer);
    removeEventListener("online", this.#now);
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

  async #connect(): Promise<void> {
    this.#timer = undefined;
    try {
      await summary(this.#code);
      await this.#guest();
    } catch (error) {
      const reason = error instanceof Refused ? error.reason : "offline";
      if (reason === "no_such_table") this.#gone(reason);
      else this.#later();
      return;
    }
    if (this.#closed) return;
    const scheme = location.protocol === "https:" ? "wss" : "ws";
    const socket = new WebSocket(`${scheme}://${location.host}/api/tables/${this.#code}/socket`);
    this.#socket = socket;
    socket.onopen = () => {
      this.#heard = Date.now();
      for (const frame of this.#unanswered.values()) socket.send(frame);
    };
    socket.onmessage = ({ data }) => this.#read(JSON.parse(data as string) as FromServer);
    socket.onclose = ({ code }) => {
      if (this.#closed || this.#socket !== socket) return;
      this.#socket = undefined;
      if (code === 4403) this.#gone("removed");
      else this.#later();
    };
  }

  #guestKnown = false;
  async #guest(): Promise<void> {
    if (this.#guestKnown) return;
    await beGuest();
    this.#guestKnown = true;
  }

  #gone(reason: string): void {
    this.#listener.line("gone", reason);
    this.close();
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
      this.#listener.refused(message.reason);
      return;
    }
    this.#tries = 0;
    if (message.ack) this.#unanswered.delete(message.ack);
    this.#listener.line("open");
    this.#listener.state(message);
  }

  #heartbeat(): void {
    if (this.#socket?.readyState !== WebSocket.OPEN) return;
    if (Date.now() - this.#heard > SILENCE) this.#socket.close();
    else this.#socket.send('{"do":"beat"}');
  }
}
