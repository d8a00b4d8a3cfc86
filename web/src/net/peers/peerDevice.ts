// This page's part in a table among devices: its links, whether it holds the table, and its copy of the log.

import { readStored, writeStored } from "../../app/storage.ts";
import { Declined } from "../api.ts";
import { confirm, ensureStarted, peerTables as worker, release } from "../local/localBackend.ts";
import { DeviceLinks } from "./deviceLinks.ts";
import { GuestChannel } from "./guestChannel.ts";
import { answerHash, HandInvitations, passOffer, receiveOffers } from "./handInvitations.ts";
import type { Greeting, Link, LinkMessage } from "./link.ts";
import { holdingRank, LogCopy } from "./logCopy.ts";
import { deviceOf, isHosted, meetsOnline, newPeerCode, offerOf, peerTable, randomText, rememberTable } from "./peerTables.ts";
import { handAnswers, peerStatus, type HandAnswer } from "./peerStatus.svelte.ts";
import { soleTerm, type Term, type Vote } from "./succession.ts";
import { isProved, newTableKey, prove, termText } from "./tableKey.ts";
import { TableMember, VANISHED, type Marks, type MemberMessage } from "./tableMember.ts";

/** Something that connects to the device that holds the table, for example a `PeerSocket`. */
export interface HolderClient {
  use(link: Link): void;
  lost(): void;
}
interface Saved {
  vote: Vote;
  marks: Marks;
}

const TICK = 500;
const CLIENT_GRACE = 5000; // between two connections of a client, which waits before it tries again
const NO_TERM: Term = { generation: 0, holder: "", successor: null, copy: "", voters: {} };
const MOVED = "notahat.moved"; // connections are possible again, to another device or this one
const stored = (code: string): string => "notahat.peers." + code;
const devices = new Map<string, Promise<PeerDevice>>();

/** Make the code and the invitation of a new table that this browser holds. */
export async function newHostedTable(): Promise<string> {
  const [code, token, { key, invitation }] = [newPeerCode(), randomText(), await newTableKey()];
  const device = await deviceOf(token);
  const term: Term = { generation: 1, ...soleTerm(device) };
  writeStored(stored(code), { vote: { term: { ...term, seal: await prove(key, termText(code, term)) }, promised: null, accepted: null }, marks: { resigned: null, claimed: null } } satisfies Saved);
  rememberTable(code, { invitation, token, device, key, hosted: true });
  return code;
}

/** Return this page's part in a table. A big screen beside it is a device of its own. Throw the reason if there is none. */
export function peerDevice(code: string, screen: boolean): Promise<PeerDevice> {
  const key = `${code} ${screen}`;
  const device = devices.get(key) ?? PeerDevice.open(code, screen);
  devices.set(key, device);
  device.catch(() => devices.delete(key));
  return device;
}

/** Return whether this is the only tab of this browser at a table. */
const lockTable = (code: string): Promise<boolean> =>
  new Promise((resolve) => {
    void navigator.locks.request(`notahat ${code}`, { ifAvailable: true }, (lock) => {
      resolve(lock !== null);
      return lock && new Promise(() => undefined);
    });
  });

export class PeerDevice {
  readonly code: string;
  readonly id: string;
  readonly invitations: HandInvitations;
  readonly #screen: boolean;
  readonly #votes: boolean;
  readonly #log: LogCopy | null;
  readonly #links: DeviceLinks;
  readonly #member: TableMember;
  readonly #clients = new Set<HolderClient>();
  readonly #guests = new Map<Link, GuestChannel>();
  #entering: [Link, RTCDataChannel][] = [];
  #settled: (() => void)[] = [];
  #holder: Link | undefined;
  #offer: string | undefined; // that was carried here by hand and is answered
  #detachedAt = -Infinity;
  #seats: Record<string, number[]> = {};
  #rank = 0;
  #outbox: Promise<void> = Promise.resolve();
  #calling = false;
  #listening = false;
  #confirmed = 0;
  #updating = false;
  #hiddenSince: number | null = null;

  static async open(code: string, screen: boolean): Promise<PeerDevice> {
    const table = peerTable(code);
    if (!table) throw new Declined("no_such_table");
    const id = table.device ?? (await deviceOf(table.token));
    const votes = !screen && (await lockTable(code));
    if (!votes && !screen && passOffer(code)) throw new Declined("other_tab");
    if (!votes && !screen && table.hosted) throw new Declined("other_tab");
    rememberTable(code, { ...table, device: id });
    const rank = votes ? await holdingRank() : 0;
    return new PeerDevice(code, id, { screen, votes, rank, log: votes ? await LogCopy.open(code) : null });
  }

  private constructor(code: string, id: string, options: { screen: boolean; votes: boolean; rank: number; log: LogCopy | null }) {
    this.code = code;
    this.id = id;
    this.#screen = options.screen;
    this.#votes = options.votes;
    this.#log = options.log;
    this.#rank = document.hidden ? 0 : options.rank;
    const none: Saved = { vote: { term: NO_TERM, promised: null, accepted: null }, marks: { resigned: null, claimed: null } };
    const { vote, marks } = this.#votes ? readStored(stored(code), none) : none;
    this.#member = new TableMember(this.#votes ? id : randomText(), vote, { version: options.log?.last ?? 0, marks, now: performance.now() }, {
      send: (to, message) => this.#send(() => this.#sendTo(to, message)),
      save: (newVote, newMarks) => this.#votes && writeStored(stored(code), { vote: newVote, marks: newMarks } satisfies Saved),
      announce: (term) => this.#send(() => this.#announce(term)),
      readLog: (to, copy, after) => void this.#log?.read(after).then((entries) => this.#sendTo(to, { is: "entries", copy, entries })),
      beginCopy: (copy) => void this.#log?.begin(() => !this.#member.isHolder).then(() => this.#member.stored(copy, 0), () => this.#setRank(0)),
      store: (copy, entries) => void this.#log?.append(entries, () => !this.#member.isHolder).then(() => this.#member.stored(copy, this.#log!.last), console.warn),
      confirm: (version) => this.#confirm(version),
      changed: () => this.#updateSoon(),
    });
    this.#links = new DeviceLinks(code, {
      greet: () => this.#greeting(),
      holder: () => this.#member.term.holder,
      successor: () => this.#member.term.successor,
      linked: (link, greeting) => this.#linked(link, greeting),
      unlinked: (link) => this.#unlinked(link),
      received: (link, message) => this.#received(link, message),
      table: (link, channel) => this.#enter(link, channel),
    });
    this.invitations = new HandInvitations(code, this.#links, () => this.isHolder);
    if (this.#votes) receiveOffers(code);
    if (this.#votes) this.#watchWorker();
    if (this.#votes) document.addEventListener("visibilitychange", () => this.#onVisibility(options.rank));
    addEventListener("pagehide", () => this.#setRank(0));
    setInterval(() => this.#tick(), TICK);
    this.#tick();
  }

  get isHolder(): boolean {
    return this.#member.isHolder;
  }
  /** Why there is no connection to the holder; "" while there may still be one. */
  get whyUnreachable(): string {
    if (handAnswers.has(this.code)) return "";
    if (!meetsOnline() && this.#links.all().length === 0) return "peer_by_hand";
    if (this.#member.term.successor !== null) return "";
    if (this.#links.answered) return "peer_unreachable";
    return "peer_silent";
  }

  /** Wait until guests may play here, or another device holds the table. */
  async settled(): Promise<void> {
    while (this.isHolder && !this.#member.isActive) await new Promise<void>((resolve) => this.#settled.push(resolve));
    if (this.isHolder) await this.#log?.written; // a guest need not wait for the download of the game
  }

  attach(client: HolderClient): void {
    this.#clients.add(client);
    this.#updateSoon();
  }
  detach(client: HolderClient): void {
    this.#clients.delete(client);
    this.#detachedAt = performance.now();
  }

  #greeting(): Greeting {
    const { term, kept } = this.#member;
    return { device: this.id, screen: this.#screen, votes: this.#votes, rank: this.#rank, ...kept, term: term.generation > 0 ? term : null };
  }

  async #linked(link: Link, greeting: Greeting): Promise<void> {
    if (greeting.term) await this.#learn(greeting.term);
    if (this.#votes && link.votes) this.#member.linked(link.guest, greeting);
    this.#updateSoon();
  }

  #unlinked(link: Link): void {
    this.#guests.get(link)?.close();
    this.#guests.delete(link);
    if (link.votes && !this.#links.all().some(({ guest, votes }) => votes && guest === link.guest)) this.#member.unlinked(link.guest);
    this.#updateSoon();
  }

  async #received(link: Link, { message, key }: LinkMessage & { to: "member" }): Promise<void> {
    const { term } = this.#member;
    if (message.is === "established") return this.#learn(message.term);
    if ((message.is === "prepare" || message.is === "accept") && message.base.generation > term.generation && !(await this.#isSealed(message.base))) return;
    if (message.is === "copy" && key && link.guest === term.holder) rememberTable(this.code, { ...peerTable(this.code)!, key });
    if (this.#votes ? link.votes : message.is === "alive") this.#member.receive(link.guest, message);
  }

  async #learn(term: Term): Promise<void> {
    if (term.generation > this.#member.term.generation && (await this.#isSealed(term))) this.#member.learn(term);
  }

  #isSealed(term: Term): Promise<boolean> {
    return isProved(peerTable(this.code)!.invitation, termText(this.code, term), term.seal ?? "");
  }

  /** Messages leave in the order in which they were made, though some wait for a signature. */
  #send(action: () => void | Promise<void>): void {
    this.#outbox = this.#outbox.then(action).catch(console.warn);
  }

  #sendTo(to: string, message: MemberMessage): void {
    const { term } = this.#member;
    const current = "base" in message && message.base.generation === term.generation ? { ...message, base: term } : message; // which has its seal now
    const key = message.is === "copy" ? peerTable(this.code)!.key : undefined;
    for (const link of this.#links.all()) if (link.guest === to && link.votes) link.send({ to: "member", message: current, ...(key ? { key } : {}) });
  }

  async #announce(term: Term): Promise<void> {
    const key = peerTable(this.code)?.key;
    const seal = term.seal ?? (key && (await prove(key, termText(this.code, term))));
    if (!seal) return;
    this.#member.seal(term.generation, seal);
    for (const link of this.#links.all()) link.send({ to: "member", message: { is: "established", term: { ...term, seal } } });
  }

  #watchWorker(): void {
    const { entry, seats } = { ...worker };
    worker.entry = (added) => {
      if (added.code !== this.code) return entry(added);
      this.#log?.remember(added);
      this.#member.appended(added.version);
    };
    worker.seats = (code, text) => {
      if (code !== this.code) return seats(code, text);
      this.#seats = JSON.parse(text) as Record<string, number[]>;
      if (this.isHolder) this.#member.seated(Object.fromEntries(Object.entries(this.#seats).map(([device, all]) => [device, all.length])));
    };
  }

  #confirm(version: number): void {
    if (version > this.#confirmed) confirm(this.code, version);
    this.#confirmed = Math.max(version, this.#confirmed);
  }

  /** A hidden page may be frozen at any time: a successor resigns at once, and a holder hands the table over. */
  #onVisibility(rank: number): void {
    this.#hiddenSince = document.hidden ? performance.now() : null;
    this.#setRank(document.hidden ? 0 : rank);
  }

  #setRank(rank: number): void {
    if (rank === this.#rank) return;
    this.#rank = rank;
    this.#member.setRank(rank);
  }

  #tick(): void {
    const now = performance.now();
    if (this.#hiddenSince !== null && now - this.#hiddenSince > VANISHED) this.#member.handOver();
    this.#member.tick(now);
  }

  /** Let another device play as soon as guests may: at once, or when the others have confirmed that this device holds the table. */
  #enter(link: Link, channel: RTCDataChannel): void {
    if (!this.isHolder) return channel.close();
    this.#entering.push([link, channel]);
    this.#updateSoon();
  }

  #updateSoon(): void {
    if (this.#updating) return;
    this.#updating = true;
    queueMicrotask(() => {
      this.#updating = false;
      this.#update();
    });
  }

  #update(): void {
    if (this.#votes && this.isHolder !== isHosted(this.code)) this.#changeRole();
    if (this.isHolder ? this.#member.isActive : true) this.#settled.splice(0).forEach((resolve) => resolve());
    if (this.isHolder) this.#hold();
    else this.#follow();
    if (this.#seeksOthers()) this.#seek();
    if (this.isHolder ? this.#member.isActive : this.#links.to(this.#member.term.holder)) handAnswers.delete(this.code); // it has arrived
    this.#showStatus();
  }

  /** A guest without a link to the holder calls it. So does a holder whose successor is out of reach: it may have continued. */
  #seeksOthers(): boolean {
    const { term, isActive } = this.#member;
    if (this.isHolder) return !isActive || (term.successor !== null && !this.#links.to(term.successor));
    const isUsed = this.#clients.size > 0 || performance.now() - this.#detachedAt < CLIENT_GRACE;
    return isUsed && (!this.#links.to(term.holder) || (this.#votes && this.#member.missesHolder));
  }

  /** Call the holder at the rendezvous, and answer the offer that a person has brought. */
  #seek(): void {
    if (!this.#calling) {
      this.#calling = true;
      void this.#links.call(() => this.#seeksOthers()).finally(() => (this.#calling = false));
    }
    const offer = offerOf(this.code);
    if (offer === undefined || offer === this.#offer) return;
    this.#offer = offer;
    this.#answerByHand(offer);
  }

  #answerByHand(offer: string): void {
    const show = (answer: HandAnswer): void => void (offer === this.#offer && handAnswers.set(this.code, answer)); // a newer one has its own answer
    const again = (): void => void (offer === this.#offer && this.#answerByHand(offer));
    const answered = this.#links.answerByHand(offer, { failed: () => show({ failed: "unreachable" }), again });
    answered.then((answer) => show({ hash: answerHash(offer, answer) }), () => show({ failed: "damaged" }));
  }

  #changeRole(): void {
    rememberTable(this.code, { ...peerTable(this.code)!, hosted: this.isHolder });
    this.#confirmed = 0;
    release(this.code);
    this.#guests.forEach((guest) => guest.close());
    this.#guests.clear();
    this.invitations.cancel();
    this.#clients.forEach((client) => client.lost());
    dispatchEvent(new Event(MOVED));
  }

  #hold(): void {
    if (!this.#listening) {
      this.#listening = true;
      void this.#links.listen(() => this.isHolder).finally(() => (this.#listening = false));
    }
    if (!this.#member.isActive) return void ensureStarted().catch(console.warn); // while the others answer
    for (const [link, channel] of this.#entering.splice(0)) {
      this.#guests.get(link)?.close();
      if (!link.isClosed) this.#guests.set(link, new GuestChannel(this.code, channel, link));
    }
  }

  #follow(): void {
    this.#entering.splice(0).forEach(([, channel]) => channel.close());
    const holder = this.#links.to(this.#member.term.holder);
    for (const client of this.#clients) if (holder) client.use(holder);
    if (holder && holder !== this.#holder) dispatchEvent(new Event(MOVED)); // for connections that wait before they try again
    this.#holder = holder;
    if (this.#member.isSuccessor && this.#member.missesHolder) void ensureStarted().catch(console.warn); // it may have to continue soon
    if (this.#member.term.successor !== this.id) void this.#links.prepare().catch(console.warn);
  }

  #showStatus(): void {
    if (!this.#votes) return;
    const { waits, term } = this.#member;
    const able = this.isHolder ? this.#member.able : [];
    const shown = able.filter((device) => this.#seats[device]).map((device) => ({ device, seats: this.#seats[device]!, successor: device === term.successor }));
    const before = peerStatus.get(this.code);
    if (before && before.waits === waits && JSON.stringify(before.devices) === JSON.stringify(shown)) return;
    peerStatus.set(this.code, { waits, devices: shown, handOver: (device) => this.#member.handOver(device) });
  }
}
