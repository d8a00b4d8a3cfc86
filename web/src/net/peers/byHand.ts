// Invitations that people carry by hand, as links, QR codes or texts: each offers one connection, and is answered.

import type { Description } from "./description.ts";
import type { Link } from "./link.ts";
import type { Links } from "./links.ts";
import { invitationUrl, keepOffer, offerOf, showAnswer, type HandAnswer } from "./peerTables.svelte.ts";

/** What became of an answer: `used` if another guest was faster, `unknown` if no invitation of this page waits for it,
 * `moved` if another device holds the table now. */
export type Accepted = "accepted" | "used" | "unknown" | "unreadable" | "moved";
/** What the tabs of this browser pass on: an answer, what became of it, or an offer for the tab at the table. */
type Passed = { answer: string; result?: Accepted } | { code: string; offer: Description };

const ANSWER = /#ANSWER\.([\w-]{8})\.([\w-]{80,240})/;
const MOST_WAITING = 8;
const PASS_TIMEOUT = 3000;

const idOf = (offer: Description): string => offer.slice(0, 8); // its user is random
const tabs = (): BroadcastChannel => new BroadcastChannel("notahat by hand");

/** What a device of a table does by hand: the holder invites, a guest answers. */
export class ByHand {
  readonly #code: string;
  readonly #links: Links;
  readonly #isHolder: () => boolean;
  readonly #waiting = new Map<string, Link>(); // invitations
  readonly #accepted = new Map<string, Description>(); // the answer to each invitation
  #offer: Description | undefined; // the newest that was answered here

  /** `isMain` is the tab of this browser that is at the table: it uses the offers that others open. */
  constructor(code: string, links: Links, { isHolder, isMain }: { isHolder: () => boolean; isMain: boolean }) {
    this.#code = code;
    this.#links = links;
    this.#isHolder = isHolder;
    const channel = tabs();
    channel.onmessage = ({ data }: MessageEvent<Passed>) => {
      if ("offer" in data) return void (isMain && data.code === code && keepOffer(code, data.offer));
      const { answer } = data;
      if (data.result === undefined)
        void this.accept(answer).then((result) => result !== "unknown" && channel.postMessage({ answer, result }));
    };
  }

  /** Whether a guest may still answer an invitation. */
  get isInviting(): boolean {
    return this.#waiting.size > 0;
  }

  /** Return the link of a new invitation for one guest, and call back when the guest has connected. The oldest of too
   * many expires. */
  async invite(greeted: () => void): Promise<string> {
    const { link, offer } = await this.#links.offerByHand(greeted);
    this.#waiting.set(idOf(offer), link);
    for (const [id, old] of [...this.#waiting].slice(0, -MOST_WAITING)) {
      this.#waiting.delete(id);
      old.close();
    }
    return `${invitationUrl(this.#code)}.${offer}`;
  }

  /** Connect to the guest who has sent an answer. */
  async accept(text: string): Promise<Accepted> {
    const [, id = "", answer] = ANSWER.exec(text.trim()) ?? [];
    if (answer === undefined) return "unreadable";
    const accepted = this.#accepted.get(id);
    if (accepted !== undefined) return accepted === answer ? "accepted" : "used"; // it came twice, or another guest's
    if (!this.#isHolder()) return "moved";
    const link = this.#waiting.get(id);
    if (!link) return "unknown";
    this.#waiting.delete(id);
    this.#accepted.set(id, answer);
    try {
      await this.#links.acceptByHand(link, answer);
    } catch {
      this.#accepted.delete(id);
      this.#waiting.set(id, link);
      return "unreadable"; // the invitation stays valid
    }
    return "accepted";
  }

  /** The table has moved to another device: no invitation of this one leads there. */
  cancel(): void {
    this.#waiting.forEach((link) => link.close());
    this.#waiting.clear();
  }

  /** Answer the newest offer that a person has brought to this device, once. */
  answer(): void {
    const offer = offerOf(this.#code);
    if (offer === undefined || offer === this.#offer) return;
    this.#offer = offer;
    this.#answer(offer);
  }

  #answer(offer: Description): void {
    const isNewest = (): boolean => offer === this.#offer; // a newer one has its own answer
    const show = (answer: HandAnswer): void => void (isNewest() && showAnswer(this.#code, answer));
    const again = (): void => void (isNewest() && this.#answer(offer));
    const answered = this.#links.answerByHand(offer, { failed: () => show({ failed: "unreachable" }), again });
    answered.then((answer) => show({ hash: `#ANSWER.${idOf(offer)}.${answer}` }), () => show({ failed: "damaged" }));
  }
}

/** Pass an answer to the tab of this browser that holds the table. Return what became of it, `unknown` without one. */
export function passAnswer(answer: string): Promise<Accepted> {
  const channel = tabs();
  return new Promise<Accepted>((resolve) => {
    setTimeout(() => resolve("unknown"), PASS_TIMEOUT);
    channel.onmessage = ({ data }: MessageEvent<Passed>) =>
      "answer" in data && data.answer === answer && data.result && resolve(data.result);
    channel.postMessage({ answer } satisfies Passed);
  }).finally(() => channel.close());
}

/** Pass an offer that this tab has opened to the tab of this browser at the table. Return whether there is an offer. */
export function passOffer(code: string): boolean {
  const offer = offerOf(code);
  if (offer === undefined) return false;
  const channel = tabs();
  channel.postMessage({ code, offer } satisfies Passed);
  setTimeout(() => channel.close(), PASS_TIMEOUT);
  return true;
}
