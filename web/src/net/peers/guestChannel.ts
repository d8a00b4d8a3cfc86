// One guest of a table in this browser: passes frames between a data channel and the worker, and applies the limits.

import { LocalSocket, sendRequest } from "../local/localBackend.ts";
import type { LocalRequest, RemoteGuest } from "../local/messages.ts";
import { ACCEPTED, isAsk, MAX_FRAME, MAX_UNSENT, type Answer, type Ask, type Close } from "./channelMessages.ts";

const TOO_BIG = 1009;
const PART = 16 * 1024;
const LOW = 64 * 1024;
const CLOSE_TIMEOUT = 1000;
const MOST_ASKED = 4; // at the same time
const MOST_ASKS = 60; // at once, then one per second
const ALLOWED = new Set<LocalRequest["what"]>(["summary", "story", "deck"]);

export class GuestChannel {
  #socket: LocalSocket | undefined;
  #closed = false;
  #asked = 0;
  #asks = MOST_ASKS;
  #askedAt = Date.now();
  readonly #code: string;
  readonly #channel: RTCDataChannel;
  readonly #guest: RemoteGuest;

  /** Connect a guest, or a screen, whose device is known, as soon as the channel is open: what is sent before is lost. */
  constructor(code: string, channel: RTCDataChannel, { guest, screen }: RemoteGuest) {
    this.#code = code;
    this.#guest = { guest, screen };
    this.#channel = channel;
    channel.bufferedAmountLowThreshold = LOW;
    channel.onmessage = ({ data }: MessageEvent<unknown>) => this.#receive(data);
    channel.onclose = () => this.close();
    if (channel.readyState === "open") this.#connect();
    else channel.onopen = () => this.#connect();
  }

  #connect(): void {
    if (this.#closed) return;
    this.#socket = new LocalSocket(this.#code, this.#guest);
    this.#socket.onopen = () => this.#send(ACCEPTED);
    this.#socket.onmessage = ({ data: frame }) => this.#send(frame);
    this.#socket.onclose = ({ code: closeCode, reason }) => this.close(closeCode, reason || "busy");
  }

  /** Close the channel, and tell the guest why. */
  close(code = 1000, reason = ""): void {
    if (this.#closed) return;
    this.#closed = true;
    if (reason !== "") this.#send(JSON.stringify({ close: [code, reason] } satisfies Close));
    this.#socket?.close();
    setTimeout(() => this.#channel.close(), CLOSE_TIMEOUT); // the reason of the close reaches the guest before
  }

  #receive(data: unknown): void {
    if (this.#closed) return;
    if (typeof data !== "string" || data.length > MAX_FRAME) this.close(TOO_BIG, "too_big");
    else if (isAsk(data)) void this.#answer(data);
    else this.#socket?.send(data);
  }

  /** Send a message, unless the guest does not read: then close. */
  #send(message: string): void {
    if (this.#channel.readyState !== "open") return;
    if (this.#channel.bufferedAmount > MAX_UNSENT) this.close();
    else this.#channel.send(message);
  }

  async #answer(data: string): Promise<void> {
    const { ask, request } = parse<Ask>(data);
    if (typeof ask !== "number" || !request) return;
    const allowed = ALLOWED.has(request.what) && this.#asked < MOST_ASKED && this.#takesAsk();
    this.#asked++;
    const body = allowed ? await sendRequest({ ...request, code: this.#code } as LocalRequest, this.#guest.guest).catch(() => ({ reason: "busy" })) : { reason: "too_fast" };
    await this.#sendParts(ask, JSON.stringify(body));
    this.#asked--;
  }

  #takesAsk(): boolean {
    const now = Date.now();
    this.#asks = Math.min(MOST_ASKS, this.#asks + (now - this.#askedAt) / 1000);
    this.#askedAt = now;
    return this.#asks >= 1 && this.#asks-- >= 1;
  }

  /** Send a long text in parts, not faster than the guest reads them. */
  async #sendParts(answer: number, text: string): Promise<void> {
    for (let at = 0; at === 0 || at < text.length; at += PART) {
      while (this.#channel.bufferedAmount > LOW && !this.#closed) await this.#drained();
      if (this.#closed) return;
      this.#send(JSON.stringify({ answer, part: text.slice(at, at + PART), more: at + PART < text.length } satisfies Answer));
    }
  }

  #drained(): Promise<void> {
    return new Promise((resolve) => {
      this.#channel.addEventListener("bufferedamountlow", () => resolve(), { once: true });
      this.#channel.addEventListener("close", () => resolve(), { once: true });
    });
  }
}

/** Parse a message of a guest; an empty object if it is none. */
function parse<T extends object>(data: string): Partial<T> {
  try {
    return ((JSON.parse(data) as T | null) ?? {}) as Partial<T>;
  } catch {
    return {};
  }
}
