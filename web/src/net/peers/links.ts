// The links of this page to other devices of a table: called at the rendezvous, introduced by the holder, or by hand.

import { pause } from "../retry.ts";
import type { Description } from "./description.ts";
import { Link, type Greeting, type LinkMessage, type LinkOwner } from "./link.ts";
import { meetsOnline, peerTable, randomText, type PeerTable } from "./peerTables.svelte.ts";
import { Rendezvous } from "./rendezvous.ts";
import type { Term } from "./succession.ts";
import { boxOf, connectionText, deviceOf, isProved, prove } from "./tableKey.ts";

/** What the device does with its links. */
export interface LinkUser extends Pick<LinkOwner, "entered" | "requested" | "hasSeat"> {
  term(): Term;
  greet(): Greeting;
  linked(link: Link, greeting: Greeting): Promise<void>;
  unlinked(link: Link): void;
  member(link: Link, message: LinkMessage & { to: "member" }): Promise<void>;
}
/** What a guest sends to the holder's box. */
interface Offer {
  description: Description;
  reply: string; // the box for the answer
}
interface Answered {
  description: Description;
  proof: string;
}

const CALL_TIMEOUT = 6000;
const FRESH_SECONDS = CALL_TIMEOUT / 1000; // older offers belong to guests who have tried again
const HELLO_TIMEOUT = 15_000;
const CARRY_TIMEOUT = 600_000; // for an answer that people carry
const MOST_LINKS = 40;
const MOST_CALLS = 256;

/** Remember a text among the newest, and return whether it is new. */
export function addNew(texts: Set<string>, text: string, most: number): boolean {
  if (texts.has(text)) return false;
  texts.add(text);
  if (texts.size > most) texts.delete(texts.values().next().value!);
  return true;
}

/** Run an action with a signal that aborts when it is not wanted any more. */
async function whileWanted(wanted: () => boolean, action: (signal: AbortSignal) => Promise<void>): Promise<void> {
  const abort = new AbortController();
  const timer = setInterval(() => !wanted() && abort.abort(), 200);
  try {
    await action(abort.signal);
  } finally {
    clearInterval(timer);
    abort.abort();
  }
}

export class Links {
  answered = false; // the holder has answered, though no connection may follow
  readonly #code: string;
  readonly #user: LinkUser;
  readonly #owner: LinkOwner;
  readonly #all = new Set<Link>();
  readonly #inboxes = new WeakMap<Link, Promise<void>>();
  readonly #calls = new Set<string>(); // that were made or answered here; others may repeat them
  #rendezvous: Promise<Rendezvous> | undefined;
  #introduced: { to: string; at: number; link: Link } | undefined;
  #calling = false;
  #listening = false;

  constructor(code: string, user: LinkUser) {
    this.#code = code;
    this.#user = user;
    this.#owner = {
      ...user,
      received: (link, message) => this.#queue(link, message),
      closed: (link) => this.#closed(link),
    };
    addEventListener("pagehide", () => this.greeted.forEach((link) => link.close()));
  }

  /** The links to devices that have introduced themselves. */
  get greeted(): Link[] {
    return [...this.#all].filter(({ isGreeted }) => isGreeted);
  }
  to(device: string): Link | undefined {
    return this.greeted.findLast(({ guest }) => guest === device);
  }

  get #table(): PeerTable {
    return peerTable(this.#code)!;
  }

  #new(expects: "hello" | "welcome", onopen?: (link: Link) => void): Link {
    const link = new Link(this.#owner, expects, onopen);
    this.#all.add(link);
    return link;
  }

  #meet(): Promise<Rendezvous> {
    return (this.#rendezvous ??= boxOf(this.#table.invitation).then((box) => new Rendezvous(box)));
  }

  /** Call the holder at the rendezvous, again and again while it is wanted. */
  async call(wanted: () => boolean): Promise<void> {
    if (this.#calling) return;
    this.#calling = true;
    while (wanted() && meetsOnline()) await this.#callOnce(wanted).catch(() => pause());
    this.#calling = false;
  }

  async #callOnce(wanted: () => boolean): Promise<void> {
    const link = this.#new("welcome", (opened) => this.#sayHello(opened));
    const until = performance.now() + CALL_TIMEOUT;
    const call = async (signal: AbortSignal): Promise<void> => {
      const linked = new Promise<void>((resolve) => {
        signal.addEventListener("abort", () => resolve());
        link.ongreeted = resolve;
      });
      const offer: Offer = { description: await link.describe(), reply: randomText() };
      addNew(this.#calls, offer.reply, MOST_CALLS);
      const rendezvous = await this.#meet();
      await rendezvous.send(rendezvous.address, offer);
      await this.#awaitAnswer(rendezvous, offer.reply, signal, link);
      await linked;
    };
    await whileWanted(() => wanted() && performance.now() < until, call).finally(() => !link.isGreeted && link.close());
  }

  async #awaitAnswer(rendezvous: Rendezvous, reply: string, signal: AbortSignal, link: Link): Promise<void> {
    for await (const { message } of rendezvous.receive(reply, signal)) {
      const { description, proof } = message as Answered;
      if (!(await this.#isProved(description, proof))) continue; // another guest knows the secret, too
      this.answered = true;
      return link.setRemote("answer", description);
    }
  }

  /** Answer calls at the rendezvous while this device holds the table. */
  async listen(wanted: () => boolean): Promise<void> {
    if (this.#listening) return;
    this.#listening = true;
    const rendezvous = await this.#meet();
    await whileWanted(wanted, async (signal) => {
      while (!signal.aborted && meetsOnline())
        await this.#answerCalls(rendezvous, signal).catch(() => pause()); // the rendezvous is out of reach
    });
    this.#listening = false;
  }

  async #answerCalls(rendezvous: Rendezvous, signal: AbortSignal): Promise<void> {
    for await (const { age, message } of rendezvous.receive(rendezvous.address, signal)) {
      const { description, reply } = message as Offer;
      if (age < FRESH_SECONDS && addNew(this.#calls, reply, MOST_CALLS))
        void this.#answerCall(rendezvous, description, reply).catch(console.warn);
    }
  }

  async #answerCall(rendezvous: Rendezvous, offer: Description, reply: string): Promise<void> {
    const description = await this.#answer(offer);
    const proof = await prove(this.#table.key!, connectionText(description));
    await rendezvous.send(reply, { description, proof } satisfies Answered);
  }

  /** Accept a connection that another device offers. The holder says which `guest` it introduces. */
  async #answer(offer: Description, guest = ""): Promise<Description> {
    if (this.#all.size >= MOST_LINKS) throw new Error("too many devices");
    const link = this.#new("hello");
    link.guest = guest;
    link.closeUnlessGreeted(HELLO_TIMEOUT);
    await link.setRemote("offer", offer);
    return link.describe();
  }

  /** Connect to the successor, introduced by the holder, so that both can be reached without it. */
  async meetSuccessor(): Promise<void> {
    const { holder, successor } = this.#user.term();
    const to = this.to(holder);
    const { to: last, at } = this.#introduced ?? {};
    const isRecent = last === successor && performance.now() - at! < CALL_TIMEOUT;
    if (successor === null || !to || this.to(successor) || isRecent) return;
    const link = this.#new("welcome", (opened) => opened.send({ to: "hello", greeting: this.#user.greet() }));
    this.#introduced = { to: successor, at: performance.now(), link };
    link.closeUnlessGreeted(CALL_TIMEOUT);
    to.send({ to: "offer", description: await link.describe() });
  }

  /** Offer a connection to a guest who has no other way to call: people carry the offer there and the answer back. */
  async offerByHand(greeted: () => void): Promise<{ link: Link; offer: Description }> {
    const link = this.#new("hello", async (opened) =>
      opened.send({ to: "proof", proof: await prove(this.#table.key!, connectionText(offer)) }),
    );
    link.ongreeted = greeted;
    const offer = await link.describe();
    return { link, offer };
  }

  /** Use the answer that a person has brought. */
  async acceptByHand(link: Link, answer: Description): Promise<void> {
    await link.setRemote("answer", answer);
    link.closeUnlessGreeted(HELLO_TIMEOUT);
  }

  /** Answer an offer that a person has brought. This device introduces itself when the other side has proved that it
   * holds the table. Call back if no connection follows, or if another answer is needed: Firefox does not try again. */
  async answerByHand(offer: Description, callBack: Record<"failed" | "again", () => void>): Promise<Description> {
    const link = this.#new("welcome");
    link.offer = offer;
    link.onfailed = callBack.failed;
    link.onlost = () => {
      if (!navigator.userAgent.includes("Firefox")) return; // others fail at first, and try again when they are called
      link.onfailed = callBack.again;
      link.close();
    };
    link.closeUnlessGreeted(CARRY_TIMEOUT);
    await link.setRemote("offer", offer);
    return link.describe();
  }

  #sayHello(link: Link): void {
    link.send({ to: "hello", greeting: { ...this.#user.greet(), token: this.#table.token } });
  }

  /** Messages of a link are handled one after the other. */
  #queue(link: Link, message: LinkMessage): void {
    const before = this.#inboxes.get(link) ?? Promise.resolve();
    const handled = before.then(() => this.#receive(link, message)).catch((error: unknown) => {
      console.warn(error);
      link.close();
    });
    this.#inboxes.set(link, handled);
  }

  #closed(link: Link): void {
    this.#all.delete(link);
    if (link.isGreeted) this.#user.unlinked(link);
    else link.onfailed();
  }

  async #receive(link: Link, message: LinkMessage): Promise<void> {
    if (link.isClosed) return;
    if (message.to === "proof") return this.#checkProof(link, message.proof);
    if (message.to === "hello" || message.to === "welcome") return this.#greet(link, message.to, message.greeting);
    if (!link.isGreeted) return;
    const { holder, successor } = this.#user.term();
    const { guest, address } = link;
    switch (message.to) {
      case "member":
        return this.#user.member(link, message);
      case "offer": {
        const { description, via } = message;
        if (via === undefined) this.to(successor ?? "")?.send({ to: "offer", description, via: address, guest });
        else if (guest === holder)
          link.send({ to: "answer", via, description: await this.#answer(description, message.guest) });
        return;
      }
      case "answer": {
        const { description, via } = message;
        if (via === undefined && guest === holder) await this.#introduced?.link.setRemote("answer", description);
        else if (guest === successor)
          this.greeted.find((one) => one.address === via)?.send({ to: "answer", description });
      }
    }
  }

  async #checkProof(link: Link, proof: string): Promise<void> {
    if (link.offer === undefined || !(await this.#isProved(link.offer, proof))) return link.close();
    link.offer = undefined;
    this.#sayHello(link);
  }

  #isProved(description: Description, proof: string): Promise<boolean> {
    return isProved(this.#table.invitation, connectionText(description), proof);
  }

  /** The other side introduces itself. A caller without a token is the device that the holder has introduced. */
  async #greet(link: Link, to: "hello" | "welcome", greeting: Greeting): Promise<void> {
    if (link.isGreeted) return;
    if (to !== link.expects || link.offer !== undefined) return link.close(); // only the holder is trusted
    if (to === "hello" && typeof greeting.token === "string" && greeting.token.length >= 16)
      link.guest = await deviceOf(greeting.token);
    else if (to === "welcome") [link.guest, link.isTrusted] = [greeting.device ?? "", true];
    if (link.guest === "" || link.isClosed) return link.close();
    [link.screen, link.votes, link.isGreeted] = [greeting.screen === true, greeting.votes === true, true];
    link.onlost = () => link.close();
    this.#all.delete(link);
    this.#all.add(link); // the newest is the last
    if (to === "hello") link.send({ to: "welcome", greeting: this.#user.greet() });
    else this.#closeOlder(link);
    await this.#user.linked(link, greeting);
    link.ongreeted();
  }

  /** A device that was called again may have been loaded again: the link before leads nowhere then. */
  #closeOlder(link: Link): void {
    for (const older of this.greeted)
      if (older !== link && older.isTrusted && older.guest === link.guest) older.close();
  }
}
