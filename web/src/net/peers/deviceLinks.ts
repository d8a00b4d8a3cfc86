// The links of this page to other devices of a table: called and answered at the rendezvous, or introduced by the holder.

import { jitter } from "../retry.ts";
import type { Description } from "./description.ts";
import { Link, type Greeting, type LinkMessage } from "./link.ts";
import { meetsOnline, peerTable, randomText } from "./peerTables.ts";
import { Rendezvous } from "./rendezvous.ts";
import { connectionText, deviceOf, isProved, prove } from "./tableKey.ts";

/** What the device does with its links. */
export interface LinkOwner {
  greet(): Greeting;
  holder(): string;
  successor(): string | null;
  linked(link: Link, greeting: Greeting): Promise<void>;
  unlinked(link: Link): void;
  received(link: Link, message: LinkMessage & { to: "member" }): Promise<void>;
  table(link: Link, channel: RTCDataChannel): void;
  request(link: Link, text: string): Promise<string>;
  hasSeat(device: string): boolean;
}
/** A connection that waits for its answer. */
export interface OfferByHand {
  readonly offer: Description;
  accept(answer: Description): Promise<void>;
  cancel(): void;
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
const RETRY = 700;
const MOST_LINKS = 40;
const MOST_CALLS = 256;
const CARRY_TIMEOUT = 600_000; // for an answer that people carry

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Remember a text among the newest, and return whether it is new. */
export function addNew(texts: Set<string>, text: string, most: number): boolean {
  if (texts.has(text)) return false;
  texts.add(text);
  if (texts.size > most) texts.delete(texts.values().next().value!);
  return true;
}

export class DeviceLinks {
  answered = false; // the holder has answered, though no connection may follow
  readonly #code: string;
  readonly #owner: LinkOwner;
  readonly #open = new Set<Link>();
  readonly #pending = new Set<Link>(); // not greeted yet
  readonly #ownOffers = new Set<string>();
  readonly #unproved = new Map<Link, Description>(); // offers that were carried here by hand
  readonly #calls = new Set<string>(); // that were answered; others may repeat them
  #rendezvous: Promise<Rendezvous> | undefined;
  #prepared: { to: string; at: number; link: Link } | undefined;
  #calling = false;
  #listening = false;

  constructor(code: string, owner: LinkOwner) {
    this.#code = code;
    this.#owner = owner;
    addEventListener("pagehide", () => [...this.#open].forEach((link) => link.close()));
  }

  all(): Link[] {
    return [...this.#open];
  }
  to(device: string): Link | undefined {
    return this.all().findLast(({ guest }) => guest === device);
  }

  #meet(): Promise<Rendezvous> {
    return (this.#rendezvous ??= Rendezvous.open(peerTable(this.#code)!.invitation));
  }

  /** Call the holder at the rendezvous, again and again while it is wanted. */
  async call(wanted: () => boolean): Promise<void> {
    if (this.#calling) return;
    this.#calling = true;
    while (wanted() && meetsOnline()) await this.#callOnce(wanted).catch(() => pause(jitter(RETRY)));
    this.#calling = false;
  }

  async #callOnce(wanted: () => boolean): Promise<void> {
    const link = this.#use(new Link("offer", "welcome", () => this.#sayHello(link)));
    const abort = new AbortController();
    const timer = setInterval(() => !wanted() && abort.abort(), 200);
    const timeout = setTimeout(() => abort.abort(), CALL_TIMEOUT);
    const linked = new Promise<void>((resolve) => {
      abort.signal.addEventListener("abort", () => resolve());
      link.ongreeted = resolve;
    });
    try {
      const offer: Offer = { description: await link.describe(), reply: randomText() };
      this.#ownOffers.add(offer.reply);
      const rendezvous = await this.#meet();
      await rendezvous.send(rendezvous.address, offer);
      await this.#awaitAnswer(rendezvous, offer.reply, abort.signal, link);
      await linked;
    } finally {
      clearInterval(timer);
      clearTimeout(timeout);
      abort.abort();
      if (!this.#open.has(link)) link.close();
    }
  }

  async #awaitAnswer(rendezvous: Rendezvous, reply: string, signal: AbortSignal, link: Link): Promise<void> {
    for await (const { message } of rendezvous.receive(reply, signal)) {
      const { description, proof } = message as Answered;
      if (!(await isProved(peerTable(this.#code)!.invitation, connectionText(description), proof))) continue; // another guest knows the secret, too
      this.answered = true;
      return link.setRemote("answer", description);
    }
  }

  /** Answer calls at the rendezvous while this device holds the table. */
  async listen(wanted: () => boolean): Promise<void> {
    if (this.#listening) return;
    this.#listening = true;
    const rendezvous = await this.#meet();
    const abort = new AbortController();
    const timer = setInterval(() => !wanted() && abort.abort(), 500);
    while (!abort.signal.aborted && meetsOnline()) {
      try {
        for await (const { age, message } of rendezvous.receive(rendezvous.address, abort.signal)) {
          const { description, reply } = message as Offer;
          const isNew = age < FRESH_SECONDS && !this.#ownOffers.has(reply) && addNew(this.#calls, reply, MOST_CALLS);
          if (isNew) void this.#answerAt(rendezvous, description, reply).catch(console.warn);
        }
      } catch {
        await pause(jitter(RETRY)); // the rendezvous is out of reach
      }
    }
    clearInterval(timer);
    this.#listening = false;
  }

  async #answerAt(rendezvous: Rendezvous, offer: Description, reply: string): Promise<void> {
    const description = await this.answer(offer);
    const proof = await prove(peerTable(this.#code)!.key!, connectionText(description));
    await rendezvous.send(reply, { description, proof } satisfies Answered);
  }

  /** Accept a connection that another device offers. `known` says which device it is, if the holder says so. */
  async answer(offer: Description, known?: { guest: string }): Promise<Description> {
    if (this.#open.size + this.#pending.size >= MOST_LINKS) throw new Error("too many devices");
    const link = this.#use(new Link("answer", "hello"));
    link.guest = known?.guest ?? "";
    setTimeout(() => this.#pending.has(link) && link.close(), HELLO_TIMEOUT);
    await link.setRemote("offer", offer);
    return link.describe();
  }

  /** Connect to the successor, introduced by the holder, so that both can be reached without it. */
  async prepare(): Promise<void> {
    const [to, holder] = [this.#owner.successor(), this.to(this.#owner.holder())];
    const recent = this.#prepared && this.#prepared.to === to && Date.now() - this.#prepared.at < CALL_TIMEOUT;
    if (to === null || !holder || this.to(to) || recent) return;
    const link = this.#use(
      new Link("offer", "welcome", () => link.send({ to: "hello", greeting: this.#owner.greet() })),
    );
    this.#prepared = { to, at: Date.now(), link };
    setTimeout(() => this.#pending.has(link) && link.close(), CALL_TIMEOUT);
    holder.send({ to: "offer", description: await link.describe() });
  }

  /** Offer a connection to a guest who has no other way to call: people carry the offer there and the answer back. */
  async offerByHand(greeted: () => void): Promise<OfferByHand> {
    const link = this.#use(new Link("offer", "hello", () => void this.#proveOffer(link, offer)));
    link.ongreeted = greeted;
    const offer = await link.describe();
    const cancel = (): void => void (this.#pending.has(link) && link.close());
    const accept = async (answer: Description): Promise<void> => {
      await link.setRemote("answer", answer);
      setTimeout(cancel, HELLO_TIMEOUT);
    };
    return { offer, accept, cancel };
  }

  async #proveOffer(link: Link, offer: Description): Promise<void> {
    link.send({ to: "proof", proof: await prove(peerTable(this.#code)!.key!, connectionText(offer)) });
  }

  /** Answer an offer that a person has brought. This device introduces itself when the other side has proved that it holds the table.
   *  Call back if no connection follows, or if another answer is needed: Firefox does not try again. */
  async answerByHand(
    offer: Description,
    { failed, again }: { failed: () => void; again: () => void },
  ): Promise<Description> {
    let outdated = false;
    const link = this.#use(new Link("answer", "welcome"), () => !outdated && failed());
    if (navigator.userAgent.includes("Firefox"))
      link.onfailed = () => {
        outdated = true;
        link.close();
        again();
      };
    link.waitsByHand = true;
    this.#unproved.set(link, offer);
    setTimeout(() => this.#pending.has(link) && link.close(), CARRY_TIMEOUT);
    await link.setRemote("offer", offer);
    return link.describe();
  }

  async #checkProof(link: Link, proof: string): Promise<void> {
    const offer = this.#unproved.get(link);
    if (offer === undefined || !(await isProved(peerTable(this.#code)!.invitation, connectionText(offer), proof)))
      return link.close();
    this.#unproved.delete(link);
    this.#sayHello(link);
  }

  #sayHello(link: Link): void {
    link.send({ to: "hello", greeting: { ...this.#owner.greet(), token: peerTable(this.#code)!.token } });
  }

  #use(link: Link, failed: () => void = () => undefined): Link {
    this.#pending.add(link);
    let inbox = Promise.resolve();
    link.onmessage = (message) => void (inbox = inbox.then(() => this.#receive(link, message)).catch((error) => {
      console.warn(error);
      link.close();
    }));
    link.onclosed = () => {
      this.#unproved.delete(link);
      if (this.#pending.delete(link)) failed();
      if (this.#open.delete(link)) this.#owner.unlinked(link);
    };
    return link;
  }

  async #receive(link: Link, message: LinkMessage): Promise<void> {
    if (link.isClosed) return;
    if (message.to === "proof") return this.#checkProof(link, message.proof);
    if (message.to === "hello" || message.to === "welcome") return this.#greeted(link, message.to, message.greeting);
    if (!this.#open.has(link)) return;
    switch (message.to) {
      case "member":
        return this.#owner.received(link, message);
      case "offer":
        return this.to(this.#owner.successor() ?? "")?.send({
          to: "offered",
          via: link.address,
          guest: link.guest,
          description: message.description,
        });
      case "offered":
        if (link.guest === this.#owner.holder())
          link.send({ to: "answer", via: message.via, description: await this.answer(message.description, message) });
        return;
      case "answer":
        if (link.guest === this.#owner.successor())
          this.all()
            .find(({ address }) => address === message.via)
            ?.send({ to: "answered", description: message.description });
        return;
      case "answered":
        if (link.guest === this.#owner.holder() && this.#prepared)
          await this.#prepared.link.setRemote("answer", message.description);
    }
  }

  /** The other side introduces itself. A caller without a token is the device that the holder has introduced. */
  async #greeted(link: Link, to: "hello" | "welcome", greeting: Greeting): Promise<void> {
    if (!this.#pending.has(link)) return;
    if (to !== link.expects || this.#unproved.has(link)) return link.close(); // only the holder is trusted
    link.waitsByHand = false;
    if (to === "hello" && typeof greeting.token === "string" && greeting.token.length >= 16)
      link.guest = await deviceOf(greeting.token);
    else if (to === "welcome") [link.guest, link.trusted] = [greeting.device ?? "", true];
    if (link.guest === "" || link.isClosed) return link.close();
    [link.screen, link.votes] = [greeting.screen === true, greeting.votes === true];
    this.#pending.delete(link);
    this.#open.add(link);
    link.ontable = (channel) => this.#owner.table(link, channel);
    link.onrequest = (text) => this.#owner.request(link, text);
    link.hasSeat = () => this.#owner.hasSeat(link.guest);
    if (to === "hello") link.send({ to: "welcome", greeting: this.#owner.greet() });
    else this.#closeOlder(link);
    await this.#owner.linked(link, greeting);
    link.ongreeted();
  }

  /** A device that was called again may have been loaded again: the link before leads nowhere then. */
  #closeOlder(link: Link): void {
    for (const older of this.all()) if (older !== link && older.trusted && older.guest === link.guest) older.close();
  }
}
