// The table in this browser's worker, as other devices use it: their channels and requests, and the log entries that wait until they are safe.

import { confirm, release, sendRequest, watchTable } from "../local/localBackend.ts";
import type { Devices, LocalRequest } from "../local/messages.ts";
import type { Link } from "./link.ts";
import { GuestChannel } from "./tableChannel.ts";
import type { LogEntry } from "./tableMember.ts";
import { Budget } from "./textChannel.ts";

const MOST_REQUESTS = 60; // at once, then one per second
const COST: Partial<Record<LocalRequest["what"], number>> = { summary: 1, story: 1, deck: 1, put_deck: 10 }; // others are not allowed

export class HeldTable {
  devices: Devices = { seats: {}, lobby: true };
  readonly #code: string;
  readonly #guests = new Map<Link, GuestChannel>();
  readonly #budgets = new Map<string, Budget>(); // of requests, by device
  #entering: [Link, RTCDataChannel][] = [];
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

  /** Let another device play as soon as guests may (`admit`). */
  enter(link: Link, channel: RTCDataChannel): void {
    this.#entering.push([link, channel]);
  }

  /** Connect the devices that have come to the worker. */
  admit(): void {
    for (const [link, channel] of this.#entering.splice(0)) {
      this.#guests.get(link)?.close();
      if (!link.isClosed) this.#guests.set(link, new GuestChannel(this.#code, channel, link));
    }
  }

  leave(link: Link): void {
    this.#guests.get(link)?.close();
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
    this.#guests.forEach((guest) => guest.close());
    this.#guests.clear();
    this.turnAway();
  }
  turnAway(): void {
    this.#entering.splice(0).forEach(([, channel]) => channel.close());
  }

  /** Answer what a server answers over HTTP. */
  async answer(device: string, text: string): Promise<string> {
    const request = JSON.parse(text) as LocalRequest;
    const cost = COST[request.what];
    const budget = this.#budgets.get(device) ?? new Budget(MOST_REQUESTS, 1);
    this.#budgets.set(device, budget);
    if (cost === undefined || !budget.take(cost)) return '{"reason":"too_fast"}';
    const answer = await sendRequest({ ...request, code: this.#code } as LocalRequest, device).catch(() => ({
      reason: "busy",
    }));
    return JSON.stringify(answer);
  }
}
