// Invitations that people carry by hand, as links, QR codes or texts: each has the offer of one connection, and its guest sends an answer back.

import type { Description } from "./description.ts";
import type { DeviceLinks, OfferByHand } from "./deviceLinks.ts";
import { invitationUrl, keepOffer, offerOf } from "./peerTables.ts";

/** What became of an answer: `used` if it belongs to no invitation that waits here, `moved` if another device holds the table now. */
export type Accepted = "accepted" | "used" | "unreadable" | "moved";

const ANSWER = /#ANSWER\.([\w-]{8})\.([\w-]{80,240})/;
const CHANNEL = "notahat answers";
const OFFERS = "notahat offers";
const MOST_WAITING = 8;
const PASS_TIMEOUT = 3000;

const idOf = (offer: Description): string => offer.slice(0, 8); // its user is random

/** Return the part of a URL that carries an answer back. */
export const answerHash = (offer: Description, answer: Description): string => `#ANSWER.${idOf(offer)}.${answer}`;

/** The invitations of the device that holds a table. */
export class HandInvitations {
  readonly #code: string;
  readonly #links: DeviceLinks;
  readonly #isHolder: () => boolean;
  readonly #waiting = new Map<string, OfferByHand>();
  readonly #accepted = new Set<string>();

  constructor(code: string, links: DeviceLinks, isHolder: () => boolean) {
    this.#code = code;
    this.#links = links;
    this.#isHolder = isHolder;
    const channel = new BroadcastChannel(CHANNEL);
    channel.onmessage = ({ data }: MessageEvent<unknown>) => {
      if (typeof data === "string") void this.accept(data).then((result) => result === "accepted" && channel.postMessage({ accepted: data }));
    };
  }

  /** Return the link of a new invitation for one guest, and call back when the guest has connected. The oldest of too many expires. */
  async create(greeted: () => void): Promise<string> {
    const waiting = await this.#links.offerByHand(greeted);
    this.#waiting.set(idOf(waiting.offer), waiting);
    for (const [id, old] of [...this.#waiting].slice(0, -MOST_WAITING)) {
      this.#waiting.delete(id);
      old.cancel();
    }
    return `${invitationUrl(this.#code)}.${waiting.offer}`;
  }

  /** Connect to the guest who has sent an answer. */
  async accept(text: string): Promise<Accepted> {
    const [, id = "", answer] = ANSWER.exec(text.trim()) ?? [];
    if (answer === undefined) return "unreadable";
    if (!this.#isHolder()) return "moved";
    if (this.#accepted.has(id)) return "accepted"; // it came twice
    const waiting = this.#waiting.get(id);
    if (!waiting) return "used";
    try {
      await waiting.accept(answer);
    } catch {
      return "unreadable"; // the invitation stays valid
    }
    this.#waiting.delete(id);
    this.#accepted.add(id);
    return "accepted";
  }

  /** The table has moved to another device: no invitation of this one leads there. */
  cancel(): void {
    this.#waiting.forEach((waiting) => waiting.cancel());
    this.#waiting.clear();
  }
}

/** Pass an answer to the tab of this browser that holds the table. Return whether there is one. */
export function passAnswer(text: string): Promise<boolean> {
  const channel = new BroadcastChannel(CHANNEL);
  return new Promise<boolean>((resolve) => {
    setTimeout(() => resolve(false), PASS_TIMEOUT);
    channel.onmessage = ({ data }: MessageEvent<{ accepted?: string }>) => data.accepted === text && resolve(true);
    channel.postMessage(text);
  }).finally(() => channel.close());
}

/** Pass an offer that this tab has opened to the tab of this browser that is at the table. Return whether there is an offer. */
export function passOffer(code: string): boolean {
  const offer = offerOf(code);
  if (offer === undefined) return false;
  const channel = new BroadcastChannel(OFFERS);
  channel.postMessage({ code, offer });
  setTimeout(() => channel.close(), PASS_TIMEOUT);
  return true;
}

/** Use offers that other tabs of this browser pass on. */
export function receiveOffers(code: string): void {
  new BroadcastChannel(OFFERS).onmessage = ({ data }: MessageEvent<{ code?: unknown; offer?: unknown }>) => {
    if (data.code === code && typeof data.offer === "string") keepOffer(code, data.offer);
  };
}
