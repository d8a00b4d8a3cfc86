// Invitations that people carry by hand, as links, QR codes or texts: each has the offer of one connection, and its guest sends an answer back.

import type { Description } from "./description.ts";
import type { DeviceLinks, OfferByHand } from "./deviceLinks.ts";
import { invitationUrl } from "./peerTables.ts";

/** What became of an answer: `used` if it belongs to no invitation that waits here. */
export type Accepted = "accepted" | "used" | "unreadable";

const ANSWER = /#ANSWER\.([\w-]{8})\.([\w-]{80,240})/;
const CHANNEL = "notahat answers";
const MOST_WAITING = 8;
const PASS_TIMEOUT = 3000;

const idOf = (offer: Description): string => offer.slice(0, 8); // its user is random

/** Return the part of a URL that carries an answer back. */
export const answerHash = (offer: Description, answer: Description): string => `#ANSWER.${idOf(offer)}.${answer}`;

/** The invitations of the device that holds a table. */
export class HandInvitations {
  readonly #code: string;
  readonly #links: DeviceLinks;
  readonly #waiting = new Map<string, OfferByHand>();

  constructor(code: string, links: DeviceLinks) {
    this.#code = code;
    this.#links = links;
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
    const waiting = this.#waiting.get(id);
    if (!waiting) return "used";
    try {
      await waiting.accept(answer);
    } catch {
      return "unreadable"; // the invitation stays valid
    }
    this.#waiting.delete(id);
    return "accepted";
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
