// The connection of this page to a table: heartbeat, reconnect with backoff, and commands that are sent until answered.

import { Declined, ensureGuest, fetchSummary, isLocal, isRemote } from "./api.ts";
import { isHeldHere } from "./peers/peerTables.svelte.ts";
import { href } from "./base.ts";
import { socketProtocols } from "./guestToken.ts";
import { loadChunk } from "./fetchAsset.ts";
import { jitter, retryTransient } from "./retry.ts";
import { isPeer, type Transport } from "./transport.ts";
import type { Changes, FromServer, GuestCommand, State, TableView } from "../made/wire.ts";

export type ConnectionStatus = "connecting" | "open" | "reconnecting" | "refused";

export interface ConnectionListener {
  state(state: State): void;
  refused(reason: string, id?: string | null): void;
  status(status: ConnectionStatus, reason?: string): void;
}

/** Open a transport. It is closed with a reason if this guest is refused, or `Declined` is thrown. `version` is the
 * newest state seen before. */
async function openTransport(code: string, screen: boolean, version: number): Promise<Transport> {
  if (isLocal(code)) return new (await loadChunk(import("./local/localBackend.ts"))).WorkerTransport(code);
  if (isPeer(code)) return (await loadChunk(import("./peers/peerDevice.ts"))).openPeerTransport(code, screen);
  const server = `${location.protocol.replace("http", "ws")}//${location.host}`;
  const options = `changes=1${screen ? "&screen=1" : ""}&v=${version}`;
  return new WebSocket(server + href(`/api/tables/${code}/socket?${options}`), socketProtocols()) as Transport;
}

/** The server sends a full state once, then only what changed. */
export function applyDelta(before: State, delta: Changes): State {
  const view = { ...before.view, ...delta.changed } as TableView;
  if (view.round) view.round = { ...view.round, ...delta.round };
  const state: State = {
    v: delta.v,
    view,
    happened: delta.happened,
    you: delta.you ?? before.you,
    may: delta.may ?? before.may,
  };
  if (delta.ack) state.ack = delta.ack;
  return state;
}

const HEARTBEAT = 15_000;
const SILENCE_TIMEOUT = 40_000;
const ANSWER_TIMEOUT = 8000; // after a connect or a heartbeat on return to the page
const FATAL = new Set([
  "no_such_table",
  "no_guest",
  "no_pocket",
  "needs_server",
  "other_tab",
  "peer_unsupported",
  "not_loaded",
]);
const DENIED = new Set([
  ...FATAL,
  "removed",
  "no_spectators",
  "too_many_guests",
  "peer_silent",
  "peer_unreachable",
  "peer_by_hand",
]);
const INTERNAL_ERROR = 1011; // a command made the server fail
const DENIED_RETRY = 4000;
const BACKOFF = [250, 500, 1000, 2000, 4000];
const STABLE_AFTER = 10_000; // a first state proves little: with a full disk every state is followed by a failure

/** Connects to a table by its code until it is closed. Unanswered commands are sent again with the same id. */
export class ReconnectingConnection {
  #socket: Transport | undefined;
  #attempts = 0;
  #stableAt = Infinity; // from then on the connection counts as working, and the next backoff starts from the beginning
  #closed = false;
  #receivedAt = 0;
  #state: State | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  readonly #heartbeatTimer: ReturnType<typeof setInterval>;
  #guestCreated = false; // since the last message
  readonly #unanswered = new Map<string, { frame: string; failed: boolean }>();
  readonly #code: string;
  readonly #listener: ConnectionListener;
  readonly #screen: boolean;

  /** The server counts no spectator for a `screen`. */
  constructor(code: string, listener: ConnectionListener, screen = false) {
    this.#code = code;
    this.#listener = listener;
    this.#screen = screen;
    this.#heartbeatTimer = setInterval(() => this.#heartbeat(), HEARTBEAT);
    addEventListener("online", this.#retryNow);
    if (!this.#isHere) addEventListener("offline", this.#drop);
    addEventListener("notahat.moved", this.#retryNow); // to another device (peers/peerDevice.ts)
    document.addEventListener("visibilitychange", this.#retryNow);
    void this.#connect();
  }

  /** Whether the table is in the worker of this page. A table among devices may move. */
  get #isHere(): boolean {
    return isLocal(this.#code) || (isHeldHere(this.#code) && !this.#screen);
  }

  /** Send a command. Return the id of its answer: `ack` of a state, or the id of a refusal. */
  send(command: GuestCommand): string {
    const random = [...crypto.getRandomValues(new Uint32Array(3))].map((part) => part.toString(36)).join("");
    const id = `v${this.#state?.v ?? 0}.${random}`; // the server refuses one that is too old to be known
    const frame = JSON.stringify({ id, ...command });
    this.#unanswered.set(id, { frame, failed: false });
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(frame);
    return id;
  }

  close(): void {
    this.#closed = true;
    clearInterval(this.#heartbeatTimer);
    clearTimeout(this.#timer);
    removeEventListener("online", this.#retryNow);
    removeEventListener("offline", this.#drop);
    removeEventListener("notahat.moved", this.#retryNow);
    document.removeEventListener("visibilitychange", this.#retryNow);
    this.#socket?.close();
  }

  /** The page is visible or online again: check the socket, or reconnect without waiting for the backoff. */
  readonly #retryNow = (): void => {
    if (document.hidden || this.#closed) return;
    if (this.#socket?.readyState === WebSocket.OPEN) {
      this.#heartbeat();
      this.#expectAnswer();
    } else if (!this.#socket && this.#timer !== undefined) this.#schedule(0);
  };

  /** Give up on the socket and reconnect. Its close event may take a minute on a dead network: do not wait for it. */
  readonly #drop = (): void => {
    const dead = this.#socket;
    if (!dead) return;
    this.#socket = undefined;
    dead.onopen = dead.onmessage = dead.onclose = null;
    dead.close();
    this.#retryLater();
  };

  #schedule(wait: number, action = (): void => void this.#connect()): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(action, wait);
  }

  /** Drop the socket if nothing arrives soon. Local tables have no timeout. */
  #expectAnswer(): void {
    if (this.#socket && !this.#isHere) this.#schedule(ANSWER_TIMEOUT, this.#drop);
  }

  async #connect(): Promise<void> {
    clearTimeout(this.#timer); // of the socket before
    this.#timer = undefined;
    let socket: Transport;
    try {
      socket = await openTransport(this.#code, this.#screen, this.#state?.v ?? 0);
    } catch (error) {
      if (this.#closed) return;
      return this.#lost(error instanceof Declined ? error.reason : "not_loaded"); // its code did not arrive
    }
    if (this.#closed) return socket.close();
    this.#socket = socket;
    this.#expectAnswer();
    socket.onopen = () => {
      this.#receivedAt = Date.now();
      for (const { frame } of this.#unanswered.values()) socket.send(frame);
    };
    socket.onmessage = ({ data }) => this.#receive(JSON.parse(data) as FromServer);
    socket.onclose = ({ code, reason }) => {
      if (this.#closed) return;
      this.#socket = undefined;
      if (code === INTERNAL_ERROR) this.#giveUpFailed();
      this.#lost(reason);
    };
  }

  /** Send each unanswered command once more after the server has failed, but not for ever. */
  #giveUpFailed(): void {
    for (const [id, command] of this.#unanswered) {
      if (command.failed) {
        this.#unanswered.delete(id);
        this.#listener.refused("other", id);
      }
      command.failed = true;
    }
  }

  #lost(reason: string): void {
    if (reason === "no_guest" && !this.#guestCreated) void this.#createGuest();
    else if (DENIED.has(reason)) this.#deny(reason);
    else this.#retryLater();
  }

  /** Become a guest and connect again. A browser that is refused once more does not keep the cookie. */
  async #createGuest(): Promise<void> {
    try {
      await ensureGuest();
    } catch (error) {
      return this.#lost(error instanceof Declined ? error.reason : "offline");
    }
    this.#guestCreated = true;
    if (!this.#closed) await this.#connect();
  }

  /** The table refuses this guest. Poll it, unless the reason is fatal: the host may let the guest in again. */
  #deny(reason: string): void {
    this.#listener.status("refused", reason);
    if (FATAL.has(reason)) this.close();
    else this.#schedule(jitter(DENIED_RETRY));
  }

  #retryLater(): void {
    if (this.#closed) return;
    this.#listener.status("reconnecting");
    if (Date.now() >= this.#stableAt) this.#attempts = 0;
    this.#stableAt = Infinity;
    this.#schedule(jitter(BACKOFF[Math.min(this.#attempts++, BACKOFF.length - 1)]!));
  }

  #receive(message: FromServer): void {
    this.#receivedAt = Date.now();
    clearTimeout(this.#timer);
    this.#guestCreated = false;
    if ("beat" in message) return;
    if ("no" in message) {
      if (message.no !== null) this.#unanswered.delete(message.no);
      this.#listener.refused(message.reason, message.no);
      return;
    }
    this.#stableAt = message.ack ? 0 : Math.min(this.#stableAt, Date.now() + STABLE_AFTER);
    if (message.ack) this.#unanswered.delete(message.ack);
    this.#listener.status("open");
    if (!this.#state && isRemote(this.#code)) this.#fetchLinks();
    this.#state = "view" in message ? message : this.#state && applyDelta(this.#state, message);
    if (this.#state) this.#listener.state(this.#state);
  }

  /** Learn the invitation and the server's address for other devices. */
  #fetchLinks(): void {
    retryTransient(() => fetchSummary(this.#code), () => !this.#closed).catch(() => undefined);
  }

  #heartbeat(): void {
    if (this.#socket?.readyState !== WebSocket.OPEN) return;
    if (Date.now() - this.#receivedAt > SILENCE_TIMEOUT) this.#drop();
    else this.#socket.send('{"do":"beat"}');
  }
}
