// The links of this page to other devices of a table: called and answered at the rendezvous, or introduced by the holder.

import { jitter } from "../retry.ts";
import type { Description } from "./description.ts";
import { Link, type Greeting, type LinkMessage } from "./link.ts";
import { describe, newConnection, setRemote, type Offer } from "./peerConnection.ts";
import { deviceOf, meetsOnline, peerTable, randomText } from "./peerTables.ts";
import { RecentTexts } from "./recentTexts.ts";
import { TableBoxes } from "./rendezvous.ts";
import { connectionText, isProved, prove } from "./tableKey.ts";

/** What the device does with its links. */
export interface LinkOwner {
  greet(): Greeting;
  holder(): string;
  successor(): string | null;
  linked(link: Link, greeting: Greeting): Promise<void>;
  unlinked(link: Link): void;
  received(link: Link, message: LinkMessage & { to: "member" }): Promise<void>;
  table(link: Link, channel: RTCDataChannel): void;
}
/** A connection that waits for its answer. */
export interface OfferByHand {
  readonly offer: Description;
  accept(answer: Description): Promise<void>;
  cancel(): void;
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

export class DeviceLinks {
  answered = false; // the holder has answered, though no connection may follow
  readonly #code: string;
  readonly #owner: LinkOwner;
  readonly #open = new Set<Link>();
  readonly #pending = new Set<Link>(); // not greeted yet
  readonly #ownOffers = new Set<string>();
  readonly #unproved = new Map<Link, Description>(); // offers that were carried here by hand
  readonly #calls = new RecentTexts(MOST_CALLS); // that were answered; others may repeat them
  #boxes: Promise<TableBoxes> | undefined;
  #prepared: { to: string; at: number; peer: RTCPeerConnection } | undefined;

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

  #table(): Promise<TableBoxes> {
    return (this.#boxes ??= TableBoxes.open(peerTable(this.#code)!.invitation));
  }

  /** Call the holder at the rendezvous, again and again while it is wanted. */
  async call(wanted: () => boolean): Promise<void> {
    while (wanted() && meetsOnline()) await this.#callOnce(wanted).catch(() => pause(jitter(RETRY)));
  }

  async #callOnce(wanted: () => boolean): Promise<void> {
    const peer = newConnection();
    const link = this.#use(new Link(peer, "offer", "welcome", () => this.#sayHello(link)));
    const abort = new AbortController();
    const timer = setInterval(() => !wanted() && abort.abort(), 200);
    const timeout = setTimeout(() => abort.abort(), CALL_TIMEOUT);
    const linked = new Promise<void>((resolve) => {
      abort.signal.addEventListener("abort", () => resolve());
      link.ongreeted = resolve;
    });
    try {
      const offer: Offer = { description: await describe(peer), reply: randomText() };
      this.#ownOffers.add(offer.reply);
      const boxes = await this.#table();
      await boxes.send(boxes.address, offer);
      await this.#awaitAnswer(boxes, offer.reply, abort.signal, peer);
      await linked;
    } finally {
      clearInterval(timer);
      clearTimeout(timeout);
      abort.abort();
      if (!this.#open.has(link)) link.close();
    }
  }

  async #awaitAnswer(boxes: TableBoxes, reply: string, signal: AbortSignal, peer: RTCPeerConnection): Promise<void> {
    for await (const { message } of boxes.receive(reply, signal)) {
      const { description, proof } = message as Answered;
      if (!(await isProved(peerTable(this.#code)!.invitation, connectionText(description), proof))) continue; // another guest knows the secret, too
      this.answered = true;
      return setRemote(peer, "answer", description);
    }
  }

  /** Answer calls at the rendezvous while this device holds the table. */
  async listen(wanted: () => boolean): Promise<void> {
    const boxes = await this.#table();
    const abort = new AbortController();
    const timer = setInterval(() => !wanted() && abort.abort(), 500);
    while (!abort.signal.aborted && meetsOnline()) {
      try {
        for await (const { age, message } of boxes.receive(boxes.address, abort.signal)) {
          const { description, reply } = message as Offer;
          if (age < FRESH_SECONDS && !this.#ownOffers.has(reply) && this.#calls.add(reply)) void this.#answerAt(boxes, description, reply).catch(console.warn);
        }
      } catch {
        await pause(jitter(RETRY)); // the rendezvous is out of reach
      }
    }
    clearInterval(timer);
  }

  async #answerAt(boxes: TableBoxes, offer: Description, reply: string): Promise<void> {
    const description = await this.answer(offer);
    const proof = await prove(peerTable(this.#code)!.key!, connectionText(description));
    await boxes.send(reply, { description, proof } satisfies Answered);
  }

  /** Accept a connection that another device offers. `known` says which device it is, if the holder says so. */
  async answer(offer: Description, known?: { guest: string }): Promise<Description> {
    if (this.#open.size + this.#pending.size >= MOST_LINKS) throw new Error("too many devices");
    const peer = newConnection();
    const link = this.#use(new Link(peer, "answer", "hello"));
    link.guest = known?.guest ?? "";
    setTimeout(() => this.#pending.has(link) && link.close(), HELLO_TIMEOUT);
    await setRemote(peer, "offer", offer);
    return describe(peer);
  }

  /** Connect to the successor, introduced by the holder, so that both can be reached without it. */
  async prepare(): Promise<void> {
    const [to, holder] = [this.#owner.successor(), this.to(this.#owner.holder())];
    const recent = this.#prepared && this.#prepared.to === to && Date.now() - this.#prepared.at < CALL_TIMEOUT;
    if (to === null || !holder || this.to(to) || recent) return;
    const peer = newConnection();
    this.#prepared = { to, at: Date.now(), peer };
    const link = this.#use(new Link(peer, "offer", "welcome", () => link.send({ to: "hello", greeting: this.#owner.greet() })));
    setTimeout(() => this.#pending.has(link) && link.close(), CALL_TIMEOUT);
    holder.send({ to: "offer", description: await describe(peer) });
  }

  /** Offer a connection to a guest who has no other way to call: people carry the offer there and the answer back. */
  async offerByHand(greeted: () => void): Promise<OfferByHand> {
    const peer = newConnection();
    const link = this.#use(new Link(peer, "offer", "hello", () => void this.#proveOffer(link, offer)));
    link.ongreeted = greeted;
    const offer = await describe(peer);
    const cancel = (): void => void (this.#pending.has(link) && link.close());
    const accept = async (answer: Description): Promise<void> => {
      await setRemote(peer, "answer", answer);
      setTimeout(cancel, HELLO_TIMEOUT);
    };
    return { offer, accept, cancel };
  }

  async #proveOffer(link: Link, offer: Description): Promise<void> {
    link.send({ to: "proof", proof: await prove(peerTable(this.#code)!.key!, connectionText(offer)) });
  }

  /** Answer an offer that a person has brought. This device introduces itself when the other side has proved that it holds the table.
   *  Call back if no connection follows, or if another answer is needed: Firefox does not try again. */
  async answerByHand(offer: Description, { failed, again }: { failed: () => void; again: () => void }): Promise<Description> {
    const peer = newConnection();
    let outdated = false;
    const link = this.#use(new Link(peer, "answer", "welcome"), () => !outdated && failed());
    if (navigator.userAgent.includes("Firefox"))
      link.onfailed = () => {
        outdated = true;
        link.close();
        again();
      };
    link.waitsByHand = true;
    this.#unproved.set(link, offer);
    setTimeout(() => this.#pending.has(link) && link.close(), CARRY_TIMEOUT);
    await setRemote(peer, "offer", offer);
    return describe(peer);
  }

  async #checkProof(link: Link, proof: string): Promise<void> {
    const offer = this.#unproved.get(link);
    if (offer === undefined || !(await isProved(peerTable(this.#code)!.invitation, connectionText(offer), proof))) return link.close();
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
        return this.to(this.#owner.successor() ?? "")?.send({ to: "offered", via: link.address, guest: link.guest, description: message.description });
      case "offered":
        if (link.guest === this.#owner.holder()) link.send({ to: "answer", via: message.via, description: await this.answer(message.description, message) });
        return;
      case "answer":
        if (link.guest === this.#owner.successor()) this.all().find(({ address }) => address === message.via)?.send({ to: "answered", description: message.description });
        return;
      case "answered":
        if (link.guest === this.#owner.holder() && this.#prepared) await setRemote(this.#prepared.peer, "answer", message.description);
    }
  }

  /** The other side introduces itself. A caller without a token is the device that the holder has introduced. */
  async #greeted(link: Link, to: "hello" | "welcome", greeting: Greeting): Promise<void> {
    if (!this.#pending.has(link)) return;
    if (to !== link.expects || this.#unproved.has(link)) return link.close(); // only the holder is trusted
    link.waitsByHand = false;
    if (to === "hello" && typeof greeting.token === "string" && greeting.token.length >= 16) link.guest = await deviceOf(greeting.token);
    else if (to === "welcome") [link.guest, link.trusted] = [greeting.device ?? "", true];
    if (link.guest === "" || link.isClosed) return link.close();
    [link.screen, link.votes] = [greeting.screen === true, greeting.votes === true];
    this.#pending.delete(link);
    this.#open.add(link);
    link.ontable = (channel) => this.#owner.table(link, channel);
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
