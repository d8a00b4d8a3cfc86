// Who holds a table: devices agree on a sequence of terms (single-decree Paxos for each generation). No I/O.

/** Who holds the table, who continues if the holder vanishes, and which devices agree on the next term. */
export interface Term {
  generation: number;
  holder: string;
  successor: string | null;
  copy: string; // which copy of the log the successor keeps
  voters: Record<string, number>; // seats by device
  seal?: string; // proves that the term was made by a device with the table's key
}
export type NextTerm = Omit<Term, "generation" | "seal">;
type Ballot = [round: number, by: string];
interface Accepted {
  ballot: Ballot;
  term: Term;
}
/** What a device must not forget: it is stored before anything is sent. */
export interface Vote {
  term: Term; // the newest that is established
  promised: Ballot | null; // for the term after it
  accepted: Accepted | null;
}

export type SuccessionMessage =
  | { is: "prepare"; base: Term; ballot: Ballot }
  | { is: "promise"; generation: number; ballot: Ballot; accepted: Accepted | null }
  | { is: "accept"; base: Term; ballot: Ballot; term: Term }
  | { is: "accepted"; generation: number; ballot: Ballot }
  | { is: "rejected"; generation: number; round: number }
  | { is: "established"; term: Term };

interface Proposal {
  wanted: NextTerm;
  ballot: Ballot;
  promises: Map<string, Accepted | null>;
  value: Term | null; // once enough have promised
  accepts: Set<string>;
}

const isLower = ([a, by]: Ballot, [b, other]: Ballot): boolean => a < b || (a === b && by < other);
const isSame = ([a, by]: Ballot, [b, other]: Ballot): boolean => a === b && by === other;

/** Return the term that a device alone holds. */
export const soleTerm = (holder: string): NextTerm => ({ holder, successor: null, copy: "", voters: { [holder]: 1 } });

/** Return whether these devices decide: they have most seats, or half of them with the successor. Two such groups have
 * a device in common. */
export function isQuorum({ holder, successor, voters }: Term, devices: Iterable<string>): boolean {
  const agreeing = new Set(devices);
  const all = Object.values(voters).reduce((sum, seats) => sum + seats, 0);
  const seats = [...agreeing].reduce((sum, device) => sum + (voters[device] ?? 0), 0);
  return 2 * seats > all || (2 * seats === all && agreeing.has(successor ?? holder));
}

/** The part of one device in the agreement. */
export abstract class Succession {
  #vote: Vote;
  #proposal: Proposal | null = null;
  #round = 0;

  constructor(
    readonly self: string,
    vote: Vote,
  ) {
    this.#vote = vote;
    this.#round = vote.promised?.[0] ?? 0;
  }

  get term(): Term {
    return this.#vote.term;
  }
  protected get proposed(): NextTerm | null {
    return this.#proposal?.wanted ?? null;
  }

  protected abstract sendVote(to: string, message: SuccessionMessage): void;
  protected abstract saveVote(vote: Vote): void;
  protected abstract onEstablished(term: Term): void;

  protected save(): void {
    this.saveVote(this.#vote);
  }

  /** Add the seal of the newest term, so that others believe it. */
  seal(generation: number, seal: string): void {
    if (generation === this.term.generation) this.#save({ ...this.#vote, term: { ...this.term, seal } });
  }

  /** Ask the voters for a next term, again with each call. Only the holder and its successor may. */
  protected propose(wanted: NextTerm): void {
    const ballot: Ballot = [++this.#round, this.self];
    this.#proposal = { wanted, ballot, promises: new Map(), value: null, accepts: new Set() };
    this.#toVoters({ is: "prepare", base: this.term, ballot });
  }

  /** Stop asking. A term that was accepted already may still be established. */
  protected cancel(): void {
    this.#proposal = null;
  }

  /** A term is known to be established: replace an older one. */
  learn(term: Term): void {
    if (term.generation <= this.term.generation) return;
    this.#proposal = null;
    this.#save({ term, promised: null, accepted: null });
    this.onEstablished(term);
  }

  protected receiveVote(from: string, message: SuccessionMessage): void {
    switch (message.is) {
      case "established":
        return this.learn(message.term);
      case "prepare":
      case "accept":
        return this.#answer(from, message);
      case "rejected":
        this.#round = Math.max(this.#round, Math.min(message.round, this.#round + 1000));
        return;
      default:
        return this.#count(from, message);
    }
  }

  #answer(from: string, message: SuccessionMessage & { is: "prepare" | "accept" }): void {
    this.learn(message.base);
    const { term, promised } = this.#vote;
    if (message.base.generation < term.generation) return this.#send(from, { is: "established", term });
    if (from !== term.holder && from !== term.successor) return;
    const generation = term.generation;
    const { ballot } = message;
    if (promised && isLower(ballot, promised))
      return this.#send(from, { is: "rejected", generation, round: promised[0] });
    if (message.is === "prepare") {
      this.#save({ ...this.#vote, promised: ballot });
      this.#send(from, { is: "promise", generation, ballot, accepted: this.#vote.accepted });
    } else {
      this.#save({ ...this.#vote, promised: ballot, accepted: { ballot, term: message.term } });
      this.#send(from, { is: "accepted", generation, ballot });
    }
  }

  #count(from: string, message: SuccessionMessage & { is: "promise" | "accepted" }): void {
    const proposal = this.#proposal;
    if (!proposal || message.generation !== this.term.generation || !isSame(message.ballot, proposal.ballot)) return;
    if (message.is === "promise") {
      proposal.promises.set(from, message.accepted);
      if (proposal.value || !isQuorum(this.term, proposal.promises.keys())) return;
      proposal.value = this.#chooseValue(proposal);
      this.#toVoters({ is: "accept", base: this.term, ballot: proposal.ballot, term: proposal.value });
    } else {
      proposal.accepts.add(from);
      if (!proposal.value || !isQuorum(this.term, proposal.accepts)) return;
      this.learn(proposal.value);
    }
  }

  /** A term that others may have accepted has precedence over the wanted one. */
  #chooseValue({ wanted, promises }: Proposal): Term {
    const accepted = [...promises.values()].filter((one) => one !== null);
    const newest = accepted.reduce<Accepted | null>(
      (best, one) => (best && isLower(one.ballot, best.ballot) ? best : one),
      null,
    );
    return newest?.term ?? { ...wanted, generation: this.term.generation + 1 };
  }

  #toVoters(message: SuccessionMessage): void {
    for (const device of Object.keys(this.term.voters)) this.#send(device, message);
  }

  #send(to: string, message: SuccessionMessage): void {
    if (to === this.self) this.receiveVote(to, message);
    else this.sendVote(to, message);
  }

  #save(vote: Vote): void {
    this.#vote = vote;
    this.saveVote(vote);
  }
}
