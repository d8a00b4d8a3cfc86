// Both ends of a channel with a table's frames: at the device that holds the table, and at a guest's.
// Frames of docs/protocol.md pass unchanged; beside them the holder accepts the guest, and says why it closes.

import { WorkerTransport } from "../local/localBackend.ts";
import { BaseTransport } from "../transport.ts";
import type { Link } from "./link.ts";

/** The holder closes the channel, with a code and a reason of docs/protocol.md. */
interface Close {
  close: [code: number, reason: string];
}

const ACCEPTED = '{"accepted":true}'; // frames may follow
const TOO_BIG = 1009;
const MAX_FRAME = 8 * 1024; // as in src/notahat/live/frame_gate.py,
const MAX_UNSENT = 256 * 1024; // and server/limits/budget.py
const CLOSE_TIMEOUT = 1000;
const OPEN_TIMEOUT = 7500; // below the timeout of `ReconnectingConnection`

/** The holder's end: passes frames between a guest and the worker, and applies the limits. */
export class GuestChannel {
  #worker: WorkerTransport | undefined;
  #closed = false;
  readonly #code: string;
  readonly #channel: RTCDataChannel;

  /** Connect a guest, or a screen, whose device is known, as soon as the channel is open: what is sent before is lost. */
  constructor(code: string, channel: RTCDataChannel, { guest, screen }: { guest: string; screen: boolean }) {
    this.#code = code;
    this.#channel = channel;
    channel.onmessage = ({ data }: MessageEvent<unknown>) => this.#receive(data);
    channel.onclose = () => this.close();
    if (channel.readyState === "open") this.#connect(guest, screen);
    else channel.onopen = () => this.#connect(guest, screen);
  }

  #connect(guest: string, screen: boolean): void {
    if (this.#closed) return;
    this.#worker = new WorkerTransport(this.#code, { guest, screen });
    this.#worker.onopen = () => this.#send(ACCEPTED);
    this.#worker.onmessage = ({ data }) => this.#send(data);
    this.#worker.onclose = ({ code, reason }) => this.close(code, reason || "busy");
  }

  /** Close the channel, and tell the guest why. */
  close(code = 1000, reason = ""): void {
    if (this.#closed) return;
    this.#closed = true;
    if (reason !== "") this.#send(JSON.stringify({ close: [code, reason] } satisfies Close));
    this.#worker?.close();
    setTimeout(() => this.#channel.close(), CLOSE_TIMEOUT); // the reason of the close reaches the guest before
  }

  #receive(data: unknown): void {
    if (this.#closed) return;
    if (typeof data !== "string" || data.length > MAX_FRAME) this.close(TOO_BIG, "too_big");
    else this.#worker?.send(data);
  }

  /** Send a message, unless the guest does not read: then close. */
  #send(message: string): void {
    if (this.#channel.readyState !== "open") return;
    if (this.#channel.bufferedAmount > MAX_UNSENT) this.close();
    else this.#channel.send(message);
  }
}

/** A guest's end: the transport over a link to the device that holds the table. */
export class PeerTransport extends BaseTransport {
  readonly #timer: ReturnType<typeof setTimeout>;
  readonly #detach: () => void;
  readonly #unsent: string[] = [];
  #link: Link | undefined;
  #channel: RTCDataChannel | undefined;

  /** Wait for a link to the holder; close for `whyNot` if none comes. `detach` is called at the end. */
  constructor(whyNot: () => string, detach: (transport: PeerTransport) => void) {
    super();
    this.#detach = () => detach(this);
    this.#timer = setTimeout(() => this.closed(whyNot()), OPEN_TIMEOUT);
  }

  /** Enter the table over a link to its holder. */
  use(link: Link): void {
    if (link === this.#link) return;
    if (this.#link) return this.close();
    this.#link = link;
    this.#channel = link.openTable();
    this.#channel.onmessage = ({ data }: MessageEvent<string>) => this.#receive(data);
    this.#channel.onclose = () => this.close();
    this.#channel.onopen = () => this.#unsent.splice(0).forEach((frame) => this.send(frame));
  }

  send(frame: string): void {
    if (this.#channel?.readyState === "open") this.#channel.send(frame);
    else if (this.#channel?.readyState === "connecting") this.#unsent.push(frame); // the holder's first messages may come before the channel is open
  }

  #receive(data: string): void {
    if (data === ACCEPTED) {
      clearTimeout(this.#timer);
      this.opened();
    } else if (data.startsWith('{"close":')) {
      const [code, reason] = (JSON.parse(data) as Close).close;
      this.closed(reason, code);
    } else this.onmessage?.({ data });
  }

  protected release(): void {
    clearTimeout(this.#timer);
    this.#detach();
    this.#channel?.close();
  }
}
