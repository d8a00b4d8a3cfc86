// This page's part in a table among devices: its links, whether it holds the table, and its copy of the log.

import { readStored, writeStored } from "../../app/storage.ts";
import { Declined } from "../api.ts";
import { ensureStarted, WorkerTransport } from "../local/localBackend.ts";
import type { LocalRequest } from "../local/messages.ts";
import type { Transport } from "../transport.ts";
import { ByHand, passOffer } from "./byHand.ts";
import type { Greeting, Link, LinkMessage, TextChannel } from "./link.ts";
import { Links } from "./links.ts";
import { holdingRank, LogCopy } from "./logCopy.ts";
import {
  canConnectDevices,
  handAnswer,
  isHeldHere,
  meetsOnline,
  newPeerCode,
  peerTable,
  randomText,
  rememberTable,
  showAnswer,
  showStatus,
  type PeerTable,
} from "./peerTables.svelte.ts";
import { soleTerm, type Term, type Vote } from "./succession.ts";
import { HeldTable, PeerTransport } from "./tableChannel.ts";
import { deviceOf, isProved, newTableKey, prove, termText } from "./tableKey.ts";
import { TableMember, VANISHED, type Marks, type MemberMessage } from "./tableMember.ts";

interface Saved {
  vote: Vote;
  marks: Marks;
}

const TICK = 500;
const LOCK_TIMEOUT = 5000;
const TRANSPORT_GRACE = 5000; // between two transports of a connection, which waits before it tries again
const NO_TERM: Term = { generation: 0, holder: "", successor: null, copy: "", voters: {} };
const NO_MARKS: Marks = { resigned: null, claimed: null };
const OFFLINE = '{"reason":"offline"}';
const MOVED = "notahat.moved"; // connections are possible again, to another device or this one
const stored = (code: string): string => "notahat.peers." + code;
const devices = new Map<string, Promise<PeerDevice>>();

/** Make the code and the invitation of a new table that this browser holds. */
export async function newHostedTable(): Promise<string> {
  const [code, token, { key, invitation }] = [newPeerCode(), randomText(), await newTableKey()];
  const device = await deviceOf(token);
  const term: Term = { generation: 1, ...soleTerm(device) };
  const seal = await prove(key, termText(code, term));
  const vote: Vote = { term: { ...term, seal }, promised: null, accepted: null };
  writeStored(stored(code), { vote, marks: NO_MARKS } satisfies Saved);
  rememberTable(code, { invitation, token, device, key, hosted: true });
  return code;
}

/** Return this page's part in a table. A big screen is a device of its own. Throw the reason if it has none. */
export function peerDevice(code: string, screen: boolean): Promise<PeerDevice> {
  const key = `${code} ${screen}`;
  const device = devices.get(key) ?? PeerDevice.open(code, screen);
  devices.set(key, device);
  device.catch(() => devices.delete(key));
  return device;
}

/** Open a connection to a table in the browser of a player, this one or another. Throw the reason if it is refused. */
export async function openPeerTransport(code: string, screen: boolean): Promise<Transport> {
  if (!canConnectDevices()) throw new Declined("peer_unsupported");
  return (await peerDevice(code, screen)).open();
}

/** Ask the holder of a table for what a server answers over HTTP. The response is JSON, or a refusal with a reason. */
export async function requestPeer(code: string, request: LocalRequest): Promise<unknown> {
  const opened = devices.get(`${code} false`) ?? devices.get(`${code} true`);
  const device = await opened?.catch(() => undefined);
  return JSON.parse((await device?.request(JSON.stringify(request))) ?? OFFLINE);
}

/** Return whether this is the only tab of this browser at a table. A closed page may need a moment to let go. */
const lockTable = (code: string): Promise<boolean> =>
  new Promise((resolve) => {
    const waiting = new AbortController();
    const timer = setTimeout(() => waiting.abort(), LOCK_TIMEOUT);
    const hold = (): Promise<never> => {
      clearTimeout(timer);
      resolve(true);
      return new Promise(() => undefined);
    };
    navigator.locks.request(`notahat ${code}`, { signal: waiting.signal }, hold).catch(() => resolve(false));
  });

export class PeerDevice {
  readonly byHand: ByHand;
  readonly #code: string;
  readonly #id: string;
  readonly #screen: boolean;
  readonly #log: LogCopy | null; // of a device that votes: a second tab of a browser and a big screen do not
  readonly #links: Links;
  readonly #member: TableMember;
  readonly #held: HeldTable;
  readonly #transports = new Set<PeerTransport>();
  #outbox: Promise<void> = Promise.resolve();
  #usedAt = -Infinity;
  #holder: Link | undefined;
  #holderSeats: number[] = [];
  #settled: (() => void)[] = [];
  #rank: number; // how well this page can hold the table now
  #hiddenSince: number | null = null;
  #updating = false;
  #shown = ""; // of the status

  static async open(code: string, screen: boolean): Promise<PeerDevice> {
    const table = peerTable(code);
    if (!table) throw new Declined("no_such_table");
    const id = table.device ?? (await deviceOf(table.token));
    const votes = !screen && (await lockTable(code));
    if (!votes && !screen && (passOffer(code) || table.hosted)) throw new Declined("other_tab");
    rememberTable(code, { ...table, device: id });
    return new PeerDevice(code, id, {
      screen,
      rank: votes ? await holdingRank() : 0,
      log: votes ? await LogCopy.open(code) : null,
    });
  }

  private constructor(
    code: string,
    id: string,
    { screen, rank, log }: { screen: boolean; rank: number; log: LogCopy | null },
  ) {
    this.#code = code;
    this.#id = id;
    this.#screen = screen;
    this.#log = log;
    this.#rank = document.hidden ? 0 : rank;
    this.#held = new HeldTable(code);
    this.#links = new Links(code, {
      term: () => this.#member.term,
      greet: () => this.#greeting(),
      linked: (link, greeting) => this.#linked(link, greeting),
      unlinked: (link) => this.#unlinked(link),
      member: (link, message) => this.#receive(link, message),
      entered: (link, channel) => void this.#enter(link, channel),
      requested: async (link, text) => (this.isHolder ? this.#held.answer(link.guest, text) : OFFLINE),
      hasSeat: (device) => device in this.#held.devices.seats,
    });
    this.#member = this.#newMember();
    this.byHand = new ByHand(code, this.#links, { isHolder: () => this.isHolder, isMain: this.#votes });
    if (log) {
      document.addEventListener("visibilitychange", () => this.#onVisibility(rank));
      this.#held.watch({
        appended: ({ version }) => this.#member.appended(version),
        seated: () => this.#seated(),
      });
    }
    addEventListener("pagehide", () => this.#setRank(0));
    setInterval(() => this.#tick(), TICK);
    this.#tick();
  }

  #newMember(): TableMember {
    const none: Saved = { vote: { term: NO_TERM, promised: null, accepted: null }, marks: NO_MARKS };
    const { vote, marks } = this.#votes ? readStored(stored(this.#code), none) : none;
    const isWanted = (): boolean => !this.isHolder;
    return new TableMember(
      this.#votes ? this.#id : randomText(),
      vote,
      { version: this.#log?.last ?? 0, marks, now: performance.now() },
      {
        send: (to, message) => this.#queue(() => this.#send(to, message)),
        save: (newVote, newMarks) =>
          this.#votes && writeStored(stored(this.#code), { vote: newVote, marks: newMarks } satisfies Saved),
        announce: (term) => this.#queue(() => this.#announce(term)),
        readLog: (to, copy, after) =>
          void this.#log
            ?.read(after)
            .then((entries) => this.#queue(() => this.#send(to, { is: "entries", copy, entries }))),
        beginCopy: (copy) =>
          void this.#log?.begin(isWanted).then(
            () => this.#member.stored(copy, 0),
            () => this.#setRank(0),
          ),
        store: (copy, entries) =>
          void this.#log
            ?.append(entries, isWanted)
            .then(() => this.#member.stored(copy, this.#log!.last), console.warn),
        confirm: (version) => this.#held.confirm(version),
        changed: () => this.#updateSoon(),
      },
    );
  }

  get isHolder(): boolean {
    return this.#member.isHolder;
  }
  get #votes(): boolean {
    return this.#log !== null;
  }
  get #table(): PeerTable {
    return peerTable(this.#code)!;
  }
  /** The seats of this device at a table that it holds. */
  get #seats(): number[] {
    return this.#held.devices.seats[this.#id] ?? [];
  }

  /** Open a connection: to the own worker, as soon as guests may play here, or to another device. */
  async open(): Promise<Transport> {
    if (await this.#isActive()) await this.#log?.written; // a guest need not wait for the download of the game
    if (this.isHolder) return new WorkerTransport(this.#code, { guest: this.#id, screen: false });
    const transport = new PeerTransport(() => this.#whyUnreachable(), (closed) => {
      this.#transports.delete(closed);
      this.#usedAt = performance.now();
    });
    this.#transports.add(transport);
    this.#updateSoon();
    return transport;
  }

  /** Ask the holder for what a server answers over HTTP. */
  async request(text: string): Promise<string> {
    return this.#holder?.request(text).catch(() => OFFLINE) ?? OFFLINE;
  }

  /** Wait until guests may play here. Return false if another device holds the table. */
  async #isActive(): Promise<boolean> {
    while (this.isHolder && !this.#member.isActive) await new Promise<void>((resolve) => this.#settled.push(resolve));
    return this.isHolder;
  }

  /** Why there is no connection to the holder; "" while there may still be one. */
  #whyUnreachable(): string {
    if (handAnswer(this.#code)) return "";
    if (!meetsOnline() && this.#links.greeted.length === 0) return "peer_by_hand";
    if (this.#member.term.successor !== null) return "";
    return this.#links.answered ? "peer_unreachable" : "peer_silent";
  }

  #greeting(): Greeting {
    const { term, kept } = this.#member;
    return {
      device: this.#id,
      screen: this.#screen,
      votes: this.#votes,
      rank: this.#rank,
      ...kept,
      term: term.generation > 0 ? term : null,
    };
  }

  async #linked(link: Link, greeting: Greeting): Promise<void> {
    if (greeting.term) await this.#learn(greeting.term);
    if (this.#votes && link.votes) this.#member.linked(link.guest, greeting);
    this.#updateSoon();
  }

  #unlinked(link: Link): void {
    this.#held.leave(link);
    if (link.votes && !this.#links.greeted.some(({ guest, votes }) => votes && guest === link.guest))
      this.#member.unlinked(link.guest);
    this.#updateSoon();
  }

  /** Messages leave in the order in which they were made, though some wait for a signature. */
  #queue(action: () => void | Promise<void>): void {
    this.#outbox = this.#outbox.then(action).catch(console.warn);
  }

  #send(to: string, made: MemberMessage): void {
    const { term } = this.#member;
    const { key } = this.#table;
    let message = made.is === "alive" ? { ...made, seats: this.#seats } : made;
    if ("base" in message && message.base.generation === term.generation)
      message = { ...message, base: term }; // which has its seal now
    for (const link of this.#links.greeted)
      if (link.guest === to && link.votes)
        link.send({ to: "member", message, ...(message.is === "copy" && key ? { key } : {}) });
  }

  /** Tell all devices who holds the table now, if this one has the key or knows the signature. */
  async #announce(term: Term): Promise<void> {
    const { key } = this.#table;
    const seal = term.seal ?? (key && (await prove(key, termText(this.#code, term))));
    if (!seal) return;
    this.#member.seal(term.generation, seal);
    for (const link of this.#links.greeted)
      link.send({ to: "member", message: { is: "established", term: { ...term, seal } } });
  }

  /** Pass on what another device says. A device that does not vote only learns who holds the table. */
  async #receive(link: Link, { message, key }: LinkMessage & { to: "member" }): Promise<void> {
    const { term } = this.#member;
    if (message.is === "established") return this.#learn(message.term);
    const isNewer = "base" in message && message.base.generation > term.generation;
    if (isNewer && !(await this.#isSealed(message.base))) return;
    if (link.guest === term.holder && message.is === "copy" && key) rememberTable(this.#code, { ...this.#table, key });
    if (link.guest === term.holder && message.is === "alive") this.#holderSeats = message.seats ?? [];
    if (this.#votes ? link.votes : message.is === "alive") this.#member.receive(link.guest, message);
  }

  /** Believe a term that is signed with the table's key. */
  async #learn(term: Term): Promise<void> {
    if (term.generation > this.#member.term.generation && (await this.#isSealed(term))) this.#member.learn(term);
  }
  #isSealed(term: Term): Promise<boolean> {
    return isProved(this.#table.invitation, termText(this.#code, term), term.seal ?? "");
  }

  #seated(): void {
    const seats = Object.entries(this.#held.devices.seats);
    if (this.isHolder) this.#member.seated(Object.fromEntries(seats.map(([device, { length }]) => [device, length])));
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
    const isInviting = this.#held.devices.lobby && this.byHand.isInviting;
    this.#member.setMovable(!isInviting); // people hide the page to send an invitation
    if (this.#hiddenSince !== null && now - this.#hiddenSince > VANISHED) this.#member.handOver();
    this.#member.tick(now);
  }

  async #enter(link: Link, channel: TextChannel): Promise<void> {
    if (await this.#isActive()) this.#held.enter(link, channel);
    else channel.close();
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
    if (this.#votes && this.isHolder !== isHeldHere(this.#code)) this.#changeRole();
    if (!this.isHolder || this.#member.isActive) this.#settled.splice(0).forEach((resolve) => resolve());
    if (this.isHolder) this.#hold();
    else this.#follow();
    if (this.#seeksOthers()) {
      void this.#links.call(() => this.#seeksOthers());
      this.byHand.answer();
    }
    const hasArrived = this.isHolder ? this.#member.isActive : this.#holder;
    if (hasArrived && handAnswer(this.#code)) showAnswer(this.#code);
    this.#showStatus();
  }

  /** A guest without a link to the holder calls it. So does a holder whose lost successor may have continued. */
  #seeksOthers(): boolean {
    const { term, isActive } = this.#member;
    if (this.isHolder) return !isActive || (term.successor !== null && !this.#links.to(term.successor));
    const isUsed = this.#transports.size > 0 || performance.now() - this.#usedAt < TRANSPORT_GRACE;
    return isUsed && (!this.#links.to(term.holder) || (this.#votes && this.#member.missesHolder));
  }

  #changeRole(): void {
    rememberTable(this.#code, { ...this.#table, hosted: this.isHolder });
    this.#held.release();
    this.byHand.cancel();
    this.#transports.forEach((transport) => transport.close());
    dispatchEvent(new Event(MOVED));
  }

  #hold(): void {
    this.#holder = undefined;
    void this.#links.listen(() => this.isHolder);
    if (!this.#member.isActive) void ensureStarted().catch(console.warn); // while the others answer
  }

  #follow(): void {
    const holder = this.#links.to(this.#member.term.holder);
    for (const transport of this.#transports) if (holder) transport.use(holder);
    if (holder && holder !== this.#holder) dispatchEvent(new Event(MOVED)); // for connections that wait to try again
    this.#holder = holder;
    const { term, isSuccessor, missesHolder } = this.#member;
    if (isSuccessor && missesHolder) void ensureStarted().catch(console.warn); // it may have to continue soon
    if (term.successor !== this.#id) void this.#links.meetSuccessor().catch(console.warn);
  }

  #showStatus(): void {
    if (!this.#votes) return;
    const { waits, term, able } = this.#member;
    const { seats } = this.#held.devices;
    const others = able.filter((device) => this.isHolder && seats[device]);
    const devices = others.map((device) => ({ device, seats: seats[device]!, successor: device === term.successor }));
    const mayTake = !this.isHolder && this.#holder !== undefined && this.#rank > 0 && this.#table.key !== undefined;
    const holder = this.isHolder ? this.#seats : this.#holderSeats;
    const shown = JSON.stringify([waits, devices, mayTake, holder]);
    if (shown === this.#shown) return;
    this.#shown = shown;
    const takeOver = mayTake ? (): void => this.#member.takeOver() : null;
    const handOver = (device: string): void => this.#member.handOver(device);
    showStatus(this.#code, { waits, devices, holder, takeOver, handOver });
  }
}
