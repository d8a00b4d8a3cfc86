// One guest of a table in this browser: passes frames between a data channel and the worker, and applies the limits.

import { LocalSocket, sendRequest } from "../local/localBackend.ts";
import type { LocalRequest } from "../local/messages.ts";
import { ACCEPTED, isAsk, MAX_FRAME, MAX_UNSENT, type Answer, type Ask, type Close, type Hello } from "./channelMessages.ts";

const POLICY_VIOLATION = 1008;
const TOO_BIG = 1009;
const PART = 16 * 1024;
const LOW = 64 * 1024;
const HELLO_TIMEOUT = 10_000;
const MOST_ASKED = 4; // at the same time
const MOST_ASKS = 60; // at once, then one per second
const ALLOWED = new Set<LocalRequest["what"]>(["summary", "story", "deck"]);

/** Return who sends a token. Nobody can make the token from it. */
async function guestOf(token: string): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(`notahat guest ${token}`)));
  return [...digest.subarray(0, 16)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

export class GuestChannel {
  #socket: LocalSocket | undefined;
  #guest = "";
  #entering = false;
  #closed = false;
  #asked = 0;
  #asks = MOST_ASKS;
  #askedAt = Date.now();
  readonly #code: string;
  readonly #channel: RTCDataChannel;
  readonly #onClosed: () => void;

  constructor(code: string, channel: RTCDataChannel, onClosed: () => void) {
    this.#code = code;
    this.#channel = channel;
    this.#onClosed = onClosed;
    channel.bufferedAmountLowThreshold = LOW;
    channel.onmessage = ({ data }: MessageEvent<unknown>) => this.#receive(data);
    channel.onclose = () => this.close();
    setTimeout(() => this.#guest === "" && this.close(POLICY_VIOLATION, "no_guest"), HELLO_TIMEOUT);
  }

  /** Close the channel, and tell the guest why. */
  close(code = 1000, reason = ""): void {
    if (this.#closed) return;
    this.#closed = true;
    if (reason !== "") this.#send(JSON.stringify({ close: [code, reason] } satisfies Close));
    this.#socket?.close();
    this.#channel.close();
    this.#onClosed();
  }

  #receive(data: unknown): void {
    if (this.#closed) return;
    if (typeof data !== "string" || data.length > MAX_FRAME) this.close(TOO_BIG, "too_big");
    else if (!this.#entering) this.#enter(data);
    else if (isAsk(data)) void this.#answer(data);
    else this.#socket?.send(data);
  }

  /** The first message says who the guest is. */
  #enter(data: string): void {
    this.#entering = true;
    const { token, screen } = parse<Hello>(data);
    if (typeof token !== "string" || token.length < 16) return this.close(POLICY_VIOLATION, "no_guest");
    void guestOf(token).then((guest) => {
      if (this.#closed) return;
      this.#guest = guest;
      const socket = (this.#socket = new LocalSocket(this.#code, { guest, screen: screen === true }));
      socket.onopen = () => this.#send(ACCEPTED);
      socket.onmessage = ({ data: frame }) => this.#send(frame);
      socket.onclose = ({ code, reason }) => this.close(code, reason || "busy");
    });
  }

  /** Send a message, unless the guest does not read: then close. */
  #send(message: string): void {
    if (this.#channel.readyState !== "open") return;
    if (this.#channel.bufferedAmount > MAX_UNSENT) this.close();
    else this.#channel.send(message);
  }

  async #answer(data: string): Promise<void> {
    const { ask, request } = parse<Ask>(data);
    if (typeof ask !== "number" || !request || this.#guest === "") return;
    const allowed = ALLOWED.has(request.what) && this.#asked < MOST_ASKED && this.#takesAsk();
    this.#asked++;
    const body = allowed ? await sendRequest({ ...request, code: this.#code } as LocalRequest, this.#guest).catch(() => ({ reason: "busy" })) : { reason: "too_fast" };
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
