// Invitations that people carry by hand, as links, QR codes or texts: each has the offer of one connection, and its guest sends an answer back.

import type { Description } from "./description.ts";
import type { DeviceLinks, OfferByHand } from "./deviceLinks.ts";
import { handAnswers, invitationUrl, keepOffer, offerOf, type HandAnswer } from "./peerTables.ts";

/** What became of an answer: `used` if another guest was faster, `unknown` if no invitation of this page waits for it, `moved` if another
 *  device holds the table now. */
export type Accepted = "accepted" | "used" | "unknown" | "unreadable" | "moved";

const ANSWER = /#ANSWER\.([\w-]{8})\.([\w-]{80,240})/;
const CHANNEL = "notahat answers";
const OFFERS = "notahat offers";
const MOST_WAITING = 8;
const PASS_TIMEOUT = 3000;

const idOf = (offer: Description): string => offer.slice(0, 8); // its user is random

/** The invitations of the device that holds a table. */
export class HandInvitations {
  readonly #code: string;
  readonly #links: DeviceLinks;
  readonly #isHolder: () => boolean;
  readonly #waiting = new Map<string, OfferByHand>();
  readonly #accepted = new Map<string, Description>(); // the answer to each invitation

  constructor(code: string, links: DeviceLinks, isHolder: () => boolean) {
    this.#code = code;
    this.#links = links;
    this.#isHolder = isHolder;
    const channel = new BroadcastChannel(CHANNEL);
    channel.onmessage = ({ data }: MessageEvent<unknown>) => {
      if (typeof data === "string")
        void this.accept(data).then(
          (result) => result !== "unknown" && channel.postMessage({ answer: data, result } satisfies Passed),
        );
    };
  }

  /** Whether a guest may still answer. */
  get isOpen(): boolean {
    return this.#waiting.size > 0;
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
    if (this.#accepted.has(id)) return this.#accepted.get(id) === answer ? "accepted" : "used"; // the same answer came twice, or another guest's
    if (!this.#isHolder()) return "moved";
    const waiting = this.#waiting.get(id);
    if (!waiting) return "unknown";
    this.#waiting.delete(id);
    this.#accepted.set(id, answer);
    try {
      await waiting.accept(answer);
    } catch {
      this.#accepted.delete(id);
      this.#waiting.set(id, waiting);
      return "unreadable"; // the invitation stays valid
    }
    return "accepted";
  }

  /** The table has moved to another device: no invitation of this one leads there. */
  cancel(): void {
    this.#waiting.forEach((waiting) => waiting.cancel());
    this.#waiting.clear();
  }
}

interface Passed {
  answer: string;
  result: Accepted;
}

/** Pass an answer to the tab of this browser that holds the table. Return what became of it, `unknown` if there is none. */
export function passAnswer(text: string): Promise<Accepted> {
  const channel = new BroadcastChannel(CHANNEL);
  return new Promise<Accepted>((resolve) => {
    setTimeout(() => resolve("unknown"), PASS_TIMEOUT);
    channel.onmessage = ({ data }: MessageEvent<Passed>) => data.answer === text && resolve(data.result);
    channel.postMessage(text);
  }).finally(() => channel.close());
}

/** Answers the offers that people bring to this device, one after the other. */
export class HandAnswers {
  readonly #code: string;
  readonly #links: DeviceLinks;
  #offer: Description | undefined; // the newest

  constructor(code: string, links: DeviceLinks) {
    this.#code = code;
    this.#links = links;
  }

  /** Answer the newest offer, once. */
  answer(): void {
    const offer = offerOf(this.#code);
    if (offer === undefined || offer === this.#offer) return;
    this.#offer = offer;
    this.#answer(offer);
  }

  #answer(offer: Description): void {
    const show = (answer: HandAnswer): void => void (offer === this.#offer && handAnswers.set(this.#code, answer)); // a newer one has its own answer
    const again = (): void => void (offer === this.#offer && this.#answer(offer));
    const answered = this.#links.answerByHand(offer, { failed: () => show({ failed: "unreachable" }), again });
    answered.then((answer) => show({ hash: `#ANSWER.${idOf(offer)}.${answer}` }), () => show({ failed: "damaged" }));
  }
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
