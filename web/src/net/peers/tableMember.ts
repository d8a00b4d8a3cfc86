// How a table outlives its holder: its log is copied to a successor, which continues when the holder vanishes. No I/O.

import { soleTerm, Succession, type NextTerm, type SuccessionMessage, type Term, type Vote } from "./succession.ts";

export interface LogEntry {
  version: number;
  command: string;
  entry: string; // JSON
}
export type MemberMessage =
  | SuccessionMessage
  | { is: "alive"; seats?: number[] } // from the holder, with the seats of its device
  | { is: "want" } // this device shall hold the table
  | { is: "able"; rank: number }
  | { is: "copy"; copy: string; generation: number } // keep a copy of the log from now on
  | { is: "entries"; copy: string; entries: LogEntry[] }
  | { is: "stored"; copy: string; version: number }
  | { is: "resigned"; generation: number }; // this successor will not continue

/** A device that is connected to this one. Two tabs of a browser are one device. */
export interface Connected {
  rank: number; // how well it can hold the table; 0: not at all
  copy?: string; // which copy of the log it keeps, and how much of it
  stored?: number;
  claimed?: number | null;
}
/** What a device stores beside its vote: generations, or null. */
export interface Marks {
  resigned: number | null; // its successor will not continue, so the holder need not wait for it
  claimed: number | null; // it was proposed that its successor holds the table, so that may still be established
}
interface Peer {
  rank: number;
  copy: string;
  stored: number;
  sentAt: number | null; // entries that are not stored yet
  goneAt: number | null;
}

export interface MemberHooks {
  send(to: string, message: MemberMessage): void;
  save(vote: Vote, marks: Marks): void;
  announce(term: Term): void; // tell all devices that are connected
  readLog(to: string, copy: string, after: number): void; // send the next entries
  beginCopy(copy: string): void; // make ready to hold the table, delete the old log, then call `stored`
  store(copy: string, entries: LogEntry[]): void; // then call `stored`
  confirm(version: number): void; // entries up to this one are safe
  changed(): void;
}

export const VANISHED = 10_000;
const HEARTBEAT = 1000;
const MISSED = 2500; // a page that was killed says no goodbye
const STICKY = 5000; // voters who hear the holder do not vote against it
const LOST_GRACE = 2000;
const STORE_TIMEOUT = 6000;
const RETRY = 1500;
const INTRODUCTIONS = 2000; // until the others are connected to a new successor
const COPY_TIMEOUT = 90_000; // with the download of the game
const WAITS_AFTER = 3000;

const isEqual = (a: Record<string, number>, b: Record<string, number>): boolean =>
  Object.keys(a).length === Object.keys(b).length && Object.entries(a).every(([device, seats]) => b[device] === seats);

export class TableMember extends Succession {
  readonly #hooks: MemberHooks;
  readonly #peers = new Map<string, Peer>();
  #previous: Term;
  #now: number;
  #version: number; // of the own log, durable
  #seats: Record<string, number>;
  readonly #marks: Marks;
  #copy = ""; // of the log that this device keeps for the holder
  #candidate: { device: string; copy: string; since: number } | null = null;
  #chosen: string | null = null; // by a person, as next holder
  #isFrozen = false; // while the table is handed over
  #mayMove = true; // a successor may continue
  #wasActive = false;
  #heardAt: number; // of the holder, also through others
  #receivedAt: number; // from the holder itself
  #termAt = -Infinity;
  #heartbeatAt = -Infinity;
  #proposedAt = -Infinity;
  #waitingSince: number | null = null;

  constructor(self: string, vote: Vote, options: { version: number; marks: Marks; now: number }, hooks: MemberHooks) {
    super(self, vote);
    this.#hooks = hooks;
    this.#version = options.version;
    this.#marks = { ...options.marks };
    this.#previous = vote.term;
    this.#seats = vote.term.voters;
    this.#now = this.#heardAt = this.#receivedAt = options.now;
  }

  get isHolder(): boolean {
    return this.term.holder === this.self;
  }
  get isSuccessor(): boolean {
    return this.term.successor === this.self;
  }
  /** The copy of the log that this device keeps, for its next greeting. */
  get kept(): { copy: string; stored: number; claimed: number | null } {
    return { copy: this.#copy, stored: this.#version, claimed: this.#marks.claimed };
  }
  /** The devices that are connected and could hold the table. */
  get able(): string[] {
    return [...this.#peers].filter(([, { rank, goneAt }]) => rank > 0 && goneAt === null).map(([device]) => device);
  }
  /** Return whether guests may play here: what they saw before is in the log of the successor, too. */
  get isActive(): boolean {
    if (!this.isHolder || this.#isFrozen) return false;
    this.#wasActive ||= this.#safeVersion() === this.#version;
    return this.#wasActive;
  }
  /** The holder has been out of reach for a moment. */
  get missesHolder(): boolean {
    return !this.isHolder && this.#now - this.#receivedAt > MISSED;
  }
  /** Nothing can be acknowledged: the others may play on without this device. */
  get waits(): boolean {
    return this.#waitingSince !== null && this.#now - this.#waitingSince > WAITS_AFTER;
  }

  /** Another device is connected. Its greeting says what it keeps: a reloaded page forgot to be the successor. */
  linked(device: string, { rank, copy = "", stored = -1, claimed = null }: Connected): void {
    this.#peers.delete(device); // the order is that of arrival
    this.#peers.set(device, { rank, copy, stored, sentAt: null, goneAt: null });
    if (device === this.term.holder) this.#heardAt = this.#receivedAt = this.#now;
    if (this.isHolder && device === this.term.successor && copy !== this.term.copy && claimed !== this.term.generation)
      this.#mark("resigned");
    this.#continueCopy(device);
    this.tick(this.#now);
  }

  unlinked(device: string): void {
    const peer = this.#peers.get(device);
    if (peer) this.#peers.set(device, { ...peer, sentAt: null, goneAt: this.#now });
  }

  /** The devices with seats have changed. */
  seated(seats: Record<string, number>): void {
    this.#seats = seats;
    this.tick(this.#now);
  }

  /** The holder's log has grown. */
  appended(version: number): void {
    this.#version = version;
    for (const device of this.#peers.keys()) this.#continueCopy(device);
    this.tick(this.#now);
  }

  /** This device has stored its copy up to a version. */
  stored(copy: string, version: number): void {
    if (this.isHolder) return; // it has become the holder meanwhile
    [this.#copy, this.#version] = [copy, version];
    this.#hooks.send(this.term.holder, { is: "stored", copy, version });
  }

  /** Say whether the table may go on elsewhere. If not, there is no successor, unless a person hands the table over. */
  setMovable(movable: boolean): void {
    if (movable === this.#mayMove) return;
    this.#mayMove = movable;
    this.tick(this.#now);
  }

  /** Ask the holder to move the table to this device. */
  takeOver(): void {
    this.#hooks.send(this.term.holder, { is: "want" });
  }

  /** Move the table to another device as soon as it has the log. */
  handOver(to: string | null = this.term.successor): void {
    if (!this.isHolder || to === null) return;
    this.#chosen = to;
    this.tick(this.#now);
  }

  /** This device will not continue, for example because its page is hidden; with a rank it is willing again. */
  setRank(rank: number): void {
    if (this.isHolder) return;
    if (rank === 0 && this.isSuccessor && this.#marks.claimed !== this.term.generation) {
      this.#mark("resigned");
      this.#hooks.send(this.term.holder, { is: "resigned", generation: this.term.generation });
    }
    this.#hooks.send(this.term.holder, { is: "able", rank });
  }

  receive(from: string, message: MemberMessage): void {
    if (from === this.term.holder) this.#heardAt = this.#receivedAt = this.#now;
    const peer = this.#peers.get(from);
    switch (message.is) {
      case "alive":
        break;
      case "able":
        if (peer) peer.rank = message.rank;
        break;
      case "want":
        if (peer && peer.rank > 0) this.handOver(from);
        break;
      case "copy":
        if (from === this.term.holder && message.generation === this.term.generation && !this.isSuccessor)
          this.#hooks.beginCopy(message.copy);
        break;
      case "entries":
        if (from === this.term.holder && message.copy === this.#copy) this.#hooks.store(message.copy, message.entries);
        break;
      case "stored":
        if (peer && this.isHolder && message.copy === peer.copy) this.#onStored(from, peer, message.version);
        break;
      case "resigned":
        if (this.isHolder && from === this.term.successor && message.generation === this.term.generation)
          this.#mark("resigned");
        break;
      case "prepare":
        if (from === this.term.successor && this.#hearsHolder()) break;
        this.receiveVote(from, message);
        break;
      default:
        this.receiveVote(from, message);
    }
    this.tick(this.#now);
  }

  /** Time passes, or something has changed. */
  tick(now: number): void {
    this.#now = now;
    if (this.isHolder) this.#lead();
    else if (this.#mayContinue() && now - this.#heardAt > VANISHED) this.#want(soleTerm(this.self));
    else this.#want(null);
    const stuck = this.isHolder
      ? this.#safeVersion() < this.#version || !this.isActive
      : this.proposed !== null;
    this.#waitingSince = stuck ? (this.#waitingSince ?? now) : null;
    this.#hooks.changed();
  }

  /** Return whether this device has every acknowledged entry. After a reload of its page it does not know any more. */
  #mayContinue(): boolean {
    return this.isSuccessor && this.#copy === this.term.copy && !this.#hasResigned();
  }

  #lead(): void {
    if (this.#now - this.#heartbeatAt >= HEARTBEAT) {
      this.#heartbeatAt = this.#now;
      for (const [device, { goneAt }] of this.#peers) if (goneAt === null) this.#hooks.send(device, { is: "alive" });
    }
    if (this.term.successor === null) this.#chooseCandidate();
    this.#want(this.#nextTerm());
    if (this.isActive) this.#hooks.confirm(this.#safeVersion());
  }

  #want(wanted: NextTerm | null): void {
    if (wanted === null) {
      if (this.proposed) this.cancel();
    } else if (!this.proposed || this.#now - this.#proposedAt > RETRY) {
      this.#proposedAt = this.#now;
      if (wanted.holder === this.term.successor) this.#mark("claimed");
      this.propose(wanted);
    }
  }

  /** Return what shall change, or null. */
  #nextTerm(): NextTerm | null {
    const { successor } = this.term;
    if (successor === null) {
      if (!this.#candidate || this.#peers.get(this.#candidate.device)?.stored !== this.#version) return null;
      const { device, copy } = this.#candidate;
      return { holder: this.self, successor: device, copy, voters: this.#connectedVoters(device) };
    }
    if (this.#isLost(successor) || !this.#isMovable()) {
      this.#isFrozen = false;
      return soleTerm(this.self);
    }
    if (this.#chosen === successor) return this.#handingOver(successor);
    if (this.#chosen !== null && this.#isLinked(this.#chosen)) return soleTerm(this.self);
    const voters = this.#connectedVoters(successor);
    return isEqual(voters, this.term.voters) ? null : { holder: this.self, successor, copy: this.term.copy, voters };
  }

  /** Stop acknowledging moves, then make the successor the holder. */
  #handingOver(successor: string): NextTerm | null {
    if (
      !this.#isFrozen &&
      (this.#peers.get(successor)?.stored !== this.#version || this.#now - this.#termAt < INTRODUCTIONS)
    )
      return null;
    this.#isFrozen = true;
    return soleTerm(successor);
  }

  #isLost(successor: string): boolean {
    if (this.#hasResigned()) return true;
    const peer = this.#peers.get(successor);
    if (!peer) return this.#now - this.#heardAt > LOST_GRACE; // since this page was loaded
    if (peer.goneAt === null && peer.copy !== this.term.copy) return true; // its page was loaded again
    const since = peer.goneAt === null ? peer.sentAt : peer.goneAt;
    return since !== null && this.#now - since > (peer.goneAt === null ? STORE_TIMEOUT : LOST_GRACE);
  }

  #isMovable(): boolean {
    return this.#mayMove || this.#chosen !== null;
  }

  #isLinked(device: string): boolean {
    return this.#peers.get(device)?.goneAt === null;
  }

  /** Return the seats of the devices that are connected, or were a moment ago. */
  #connectedVoters(successor: string): Record<string, number> {
    const voters: Record<string, number> = {};
    for (const device of [this.self, successor]) voters[device] = Math.max(1, this.#seats[device] ?? 0);
    for (const [device, { goneAt }] of this.#peers) {
      const counts = goneAt === null || (this.#now - goneAt < VANISHED && device in this.term.voters);
      if (counts && (this.#seats[device] ?? 0) > 0) voters[device] = this.#seats[device]!;
    }
    return voters;
  }

  /** Ask the chosen device, or the first of the most able, to keep a copy. */
  #chooseCandidate(): void {
    const able = [...this.#peers].filter(([, { rank, goneAt }]) => rank > 0 && goneAt === null);
    const current = able.find(([device]) => device === this.#candidate?.device);
    if (current && current[1].stored < 0 && this.#now - this.#candidate!.since > COPY_TIMEOUT) current[1].rank = 0;
    const seated = able.filter(([device, { rank }]) => rank > 0 && (this.#seats[device] ?? 0) > 0);
    const best = seated.sort(([, a], [, b]) => b.rank - a.rank)[0];
    const [device] = !this.#isMovable()
      ? []
      : (able.find(([one]) => one === this.#chosen) ?? (current?.[1].rank ? current : best) ?? []);
    if (device === undefined) this.#candidate = null;
    else if (device !== this.#candidate?.device || this.#peers.get(device)!.copy !== this.#candidate.copy)
      this.#beginCopy(device);
  }

  #beginCopy(device: string): void {
    const copy = Math.random().toString(36).slice(2);
    this.#candidate = { device, copy, since: this.#now };
    Object.assign(this.#peers.get(device)!, { copy, stored: -1, sentAt: null });
    this.#hooks.send(device, { is: "copy", copy, generation: this.term.generation });
  }

  #onStored(device: string, peer: Peer, version: number): void {
    Object.assign(peer, { stored: version, sentAt: null });
    this.#continueCopy(device);
  }

  #continueCopy(device: string): void {
    const peer = this.#peers.get(device);
    const copy = this.term.successor === null ? this.#candidate?.copy : this.term.copy;
    if (!this.isHolder || !peer || peer.copy !== copy) return;
    if (peer.goneAt !== null || peer.sentAt !== null || peer.stored < 0 || peer.stored >= this.#version) return;
    peer.sentAt = this.#now;
    this.#hooks.readLog(device, peer.copy, peer.stored);
  }

  /** Return up to which version entries may be acknowledged. */
  #safeVersion(): number {
    const { successor } = this.term;
    if (successor === null || this.#hasResigned()) return this.#version;
    const peer = this.#peers.get(successor);
    return peer && peer.copy === this.term.copy ? Math.min(peer.stored, this.#version) : -1;
  }

  #hearsHolder(): boolean {
    return this.isHolder ? !this.#isFrozen : this.#now - this.#heardAt < STICKY;
  }

  /** The successor will not continue, and nobody has proposed it. */
  #hasResigned(): boolean {
    return this.#marks.resigned === this.term.generation && this.#marks.claimed !== this.term.generation;
  }

  #mark(mark: keyof Marks): void {
    this.#marks[mark] = this.term.generation;
    this.save();
  }

  protected sendVote(to: string, message: SuccessionMessage): void {
    if (this.#isLinked(to)) this.#hooks.send(to, message);
  }

  protected saveVote(vote: Vote): void {
    this.#hooks.save(vote, this.#marks);
  }

  protected onEstablished(term: Term): void {
    const leads = [this.#previous.holder, this.#previous.successor, term.holder].includes(this.self);
    if (this.#previous.successor !== term.successor) this.#termAt = this.#now;
    if (this.#previous.holder !== term.holder) this.#receivedAt = this.#now;
    this.#previous = term;
    this.#heardAt = this.#now;
    this.#isFrozen = false;
    this.#candidate = null;
    if (term.successor !== null && term.holder !== this.self) this.#seats = term.voters; // until it has to know better
    if (term.holder !== this.self) this.#wasActive = false;
    if (term.holder !== this.self || term.holder === this.#chosen) this.#chosen = null;
    if (leads) this.#hooks.announce(term);
    this.#hooks.changed();
  }
}
