// A table as other devices use it. Frames of docs/protocol.md pass unchanged between a guest and the worker of the
// device that holds the table; beside them the holder accepts the guest, and says why it closes.

import { confirm, release, sendRequest, watchTable, WorkerTransport } from "../local/localBackend.ts";
import type { Devices, LocalRequest } from "../local/messages.ts";
import { BaseTransport } from "../transport.ts";
import { Budget, type Link, type TextChannel } from "./link.ts";
import type { LogEntry } from "./tableMember.ts";

/** The holder closes the channel, with a code and a reason of docs/protocol.md. */
interface Close {
  close: [code: number, reason: string];
}

const ACCEPTED = '{"accepted":true}'; // frames may follow
const TOO_BIG = 1009;
const MOST_UNREAD = 256 * 1024; // as in server/limits/budget.py
const CLOSE_TIMEOUT = 1000;
const OPEN_TIMEOUT = 7500; // below the timeout of `ReconnectingConnection`
const MOST_REQUESTS = 60; // at once, then one per second
const COST: Partial<Record<string, number>> = { summary: 1, story: 1, deck: 1, put_deck: 10 }; // others are refused

/** The table in this browser's worker: channels and requests of other devices, and log entries until they are safe. */
export class HeldTable {
  devices: Devices = { seats: {}, lobby: true };
  readonly #code: string;
  readonly #guests = new Map<Link, () => void>(); // how to close their channels
  readonly #budgets = new Map<string, Budget>(); // of requests, by device
  #confirmed = 0;

  constructor(code: string) {
    this.#code = code;
  }

  /** Call back when the log grows, and when the devices at the table change. */
  watch({ appended, seated }: { appended(entry: LogEntry): void; seated(): void }): void {
    watchTable(this.#code, {
      entry: appended,
      devices: (devices) => {
        this.devices = devices;
        seated();
      },
    });
  }

  /** Let another device play. */
  enter(link: Link, channel: TextChannel): void {
    this.leave(link);
    if (link.isClosed) return;
    const worker = new WorkerTransport(this.#code, { guest: link.guest, screen: link.screen });
    let isOpen = true;
    const close = (code = 1000, reason = ""): void => {
      if (!isOpen) return;
      isOpen = false;
      worker.close();
      if (reason !== "") channel.send(JSON.stringify({ close: [code, reason] } satisfies Close));
      setTimeout(() => channel.close(), CLOSE_TIMEOUT); // the reason of the close reaches the guest before
    };
    const send = (frame: string): void => {
      if (channel.unread > MOST_UNREAD) close(); // the guest does not read
      else if (isOpen) channel.send(frame);
    };
    worker.onopen = () => send(ACCEPTED);
    worker.onmessage = ({ data }) => send(data);
    worker.onclose = ({ code, reason }) => close(code, reason || "busy");
    channel.ontext = (frame) => worker.send(frame);
    channel.onrefused = () => close(TOO_BIG, "too_big");
    channel.onclosed = close;
    this.#guests.set(link, close);
  }

  leave(link: Link): void {
    this.#guests.get(link)?.();
    this.#guests.delete(link);
  }

  /** Entries up to a version are safe: the worker acknowledges them. */
  confirm(version: number): void {
    if (version > this.#confirmed) confirm(this.#code, version);
    this.#confirmed = Math.max(version, this.#confirmed);
  }

  /** Another device holds the table now. */
  release(): void {
    this.#confirmed = 0;
    release(this.#code);
    [...this.#guests.keys()].forEach((link) => this.leave(link));
  }

  /** Answer what a server answers over HTTP. */
  async answer(device: string, text: string): Promise<string> {
    const request = JSON.parse(text) as LocalRequest;
    const cost = COST[request.what];
    const budget = this.#budgets.get(device) ?? new Budget(MOST_REQUESTS, 1);
    this.#budgets.set(device, budget);
    if (cost === undefined || !budget.take(cost)) return '{"reason":"too_fast"}';
    const asked = sendRequest({ ...request, code: this.#code } as LocalRequest, device);
    return JSON.stringify(await asked.catch(() => ({ reason: "busy" })));
  }
}

/** A guest's end: the transport over a link to the device that holds the table. */
export class PeerTransport extends BaseTransport {
  readonly #timer: ReturnType<typeof setTimeout>;
  readonly #detach: () => void;
  #link: Link | undefined;
  #channel: TextChannel | undefined;

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
    this.#channel.ontext = (text) => this.#receive(text);
    this.#channel.onclosed = () => this.close();
  }

  send(frame: string): void {
    this.#channel?.send(frame);
  }

  #receive(text: string): void {
    if (text === ACCEPTED) {
      clearTimeout(this.#timer);
      this.opened();
    } else if (text.startsWith('{"close":')) {
      const [code, reason] = (JSON.parse(text) as Close).close;
      this.closed(reason, code);
    } else this.onmessage?.({ data: text });
  }

  protected release(): void {
    clearTimeout(this.#timer);
    this.#detach();
    this.#channel?.close();
  }
}
