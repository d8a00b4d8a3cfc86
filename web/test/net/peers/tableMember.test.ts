import { describe, expect, it } from "vitest";
import { isQuorum, soleTerm, type Term, type Vote } from "../../../src/net/peers/succession.ts";
import { TableMember, VANISHED } from "../../../src/net/peers/tableMember.ts";
import type { LogEntry, Marks, MemberMessage } from "../../../src/net/peers/tableMember.ts";

/** A generator of pseudo-random numbers (mulberry32). */
function random(seed: number): () => number {
  return () => {
    seed = (seed + 0x6d2b79f5) | 0;
    let t = Math.imul(seed ^ (seed >>> 15), 1 | seed);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

const SEEDS = Number(process.env["SEEDS"] ?? 40);
const FIRST: Term = { generation: 1, ...soleTerm("ada") };
const clone = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T;

/** One device: what survives a reload is the vote and the log. */
interface Device {
  name: string;
  member: TableMember;
  vote: Vote;
  marks: Marks;
  log: string[];
  copying: (() => void)[]; // writes to the disk that take a while
}

/** Devices, the links between them with messages on their way, and what guests know to be done. */
class World {
  now = 0;
  readonly devices = new Map<string, Device>();
  readonly links = new Map<string, MemberMessage[]>(); // "from to"
  readonly acknowledged: string[] = [];
  readonly established = new Map<number, string>();
  readonly names: string[];
  #commands = 0;

  constructor(names: string[]) {
    this.names = names;
    const vote = { term: FIRST, promised: null, accepted: null };
    const marks = { resigned: null, claimed: null };
    for (const name of names) this.#load({ name, vote, marks, log: [], copying: [] });
    this.#seat();
  }

  #load(saved: Omit<Device, "member">): void {
    const device = { ...saved, copying: [] } as unknown as Device;
    const { name } = device;
    const start = { version: device.log.length, marks: device.marks, now: this.now };
    device.member = new TableMember(name, clone(device.vote), start, {
      send: (to, message) => this.links.get(`${name} ${to}`)?.push(clone(message)),
      save: (vote, marks) => Object.assign(device, { vote: clone(vote), marks: { ...marks } }),
      announce: (term) => {
        const key = JSON.stringify([term.holder, term.successor, term.copy]);
        expect(this.established.get(term.generation) ?? key).toBe(key); // one term for each generation
        this.established.set(term.generation, key);
        for (const to of this.names) this.links.get(`${name} ${to}`)?.push({ is: "established", term: clone(term) });
      },
      readLog: (to, copy, after) => {
        const next = device.log.slice(after, after + 3);
        const entries = next.map((entry, at): LogEntry => ({ version: after + at + 1, command: "", entry }));
        this.links.get(`${name} ${to}`)?.push({ is: "entries", copy, entries });
      },
      beginCopy: (copy) => device.copying.push(() => {
        device.log = [];
        device.member.stored(copy, 0);
      }),
      store: (copy, entries) => device.copying.push(() => {
        for (const { version, entry } of entries) if (version === device.log.length + 1) device.log.push(entry);
        device.member.stored(copy, device.log.length);
      }),
      confirm: (version) => this.#acknowledge(device, version),
      changed: () => undefined,
    });
    this.devices.set(name, device);
  }

  #acknowledge({ log, member }: Device, version: number): void {
    for (let at = 0; at < version; at++) {
      this.acknowledged[at] ??= log[at]!;
      const kept = member.isHolder && this.acknowledged[at] === log[at];
      if (!kept) throw new Error(`${this.acknowledged[at]} is lost: ${log[at]}`);
    }
  }

  #seat(): void {
    const seats = Object.fromEntries(this.names.map((name) => [name, 1]));
    for (const { member } of this.devices.values()) member.seated(seats);
  }

  connect(a: string, b: string): void {
    if (a === b || this.links.has(`${a} ${b}`)) return;
    const [one, other] = [this.devices.get(a)!.member, this.devices.get(b)!.member];
    this.links.set(`${a} ${b}`, []).set(`${b} ${a}`, []);
    other.learn(clone(one.term));
    one.learn(clone(other.term));
    other.linked(a, { rank: 1, ...one.kept });
    one.linked(b, { rank: 1, ...other.kept });
  }

  disconnect(a: string, b: string): void {
    for (const [from, to] of [[a, b], [b, a]] as const)
      if (this.links.delete(`${from} ${to}`)) this.devices.get(to)!.member.unlinked(from);
  }

  reload(name: string): void {
    for (const other of this.names) this.disconnect(name, other);
    this.#load(this.devices.get(name)!);
    this.#seat();
  }

  /** A guest's command reaches a device, which takes it only if it holds the table. */
  command(name: string): void {
    const device = this.devices.get(name)!;
    if (!device.member.isActive) return;
    device.log.push(`${name} ${++this.#commands}`);
    device.member.appended(device.log.length);
  }

  deliver(pair: string): void {
    const [from, to] = pair.split(" ") as [string, string];
    const message = this.links.get(pair)?.shift();
    if (message) this.devices.get(to)!.member.receive(from, message);
  }

  write(name: string): void {
    this.devices.get(name)!.copying.shift()?.();
  }

  pass(ms: number): void {
    this.now += ms;
    for (const { member } of this.devices.values()) member.tick(this.now);
  }

  /** Let time pass with all messages delivered. */
  settle(ms: number): void {
    for (const end = this.now + ms; this.now < end; ) {
      this.pass(250);
      for (let busy = true; busy; ) {
        busy = false;
        for (const name of this.names) while (this.devices.get(name)!.copying.length) this.write(name);
        for (const [pair, queue] of this.links) while (queue.length) {
          busy = true;
          this.deliver(pair);
        }
      }
    }
  }

  connectAll(names = this.names): void {
    for (const a of names) for (const b of names) this.connect(a, b);
  }

  get holders(): string[] {
    return this.names.filter((name) => this.devices.get(name)!.member.isActive);
  }
}

const started = (names: string[]): World => {
  const world = new World(names);
  world.connectAll();
  for (let n = 0; n < 5; n++) world.command("ada");
  world.settle(3000);
  return world;
};
const isolate = (world: World, name: string): void => world.names.forEach((other) => world.disconnect(name, other));

describe("a table outlives its holder", () => {
  it("goes on with the successor ten seconds after the holder vanished", () => {
    const world = started(["ada", "ben", "cem", "dora"]);
    const heir = world.devices.get("ada")!.member.term.successor!;
    expect(world.acknowledged).toHaveLength(5);
    isolate(world, "ada");
    world.settle(VANISHED - 1000);
    expect(world.devices.get(heir)!.member.isHolder).toBe(false);
    world.settle(2000);
    expect(world.devices.get(heir)!.member.isActive).toBe(true);
    world.command(heir);
    world.command("ada"); // alone: never acknowledged
    world.settle(5000);
    expect(world.acknowledged).toHaveLength(6);
    expect(world.devices.get("ada")!.member.waits).toBe(true);
    world.connectAll();
    world.settle(3000);
    expect(world.holders).toEqual([heir]); // the old holder is a guest
    expect(Object.keys(world.devices.get("ada")!.member.term.voters).sort()).toEqual(["ada", "ben", "cem", "dora"]);
  });

  it("goes on with two devices, and the holder alone waits", () => {
    const world = started(["ada", "ben"]);
    world.disconnect("ada", "ben");
    world.settle(VANISHED + 2000);
    world.command("ben");
    world.settle(1000);
    expect(world.acknowledged.at(-1)).toMatch(/^ben/);
    expect(world.devices.get("ada")!.member.isHolder && world.devices.get("ada")!.member.waits).toBe(false);
  });

  it("stays with a holder whose guest closes the page or hides it", () => {
    const world = started(["ada", "ben"]);
    world.devices.get("ben")!.member.setRank(0);
    world.settle(250);
    world.disconnect("ada", "ben");
    world.command("ada");
    world.settle(VANISHED * 2);
    expect(world.acknowledged).toHaveLength(6);
    expect(world.holders).toEqual(["ada"]);
  });

  it("is handed over at once", () => {
    const world = started(["ada", "ben", "cem"]);
    for (const to of ["cem", "ben", "ada"]) {
      world.devices.get(world.holders[0]!)!.member.handOver(to);
      world.settle(4000);
      expect(world.holders).toEqual([to]);
      world.command(to);
      world.settle(500);
      expect(world.acknowledged.at(-1)).toMatch(new RegExp(`^${to}`));
    }
  });

  it("has no successor while it may not move", () => {
    const world = started(["ada", "ben", "cem"]);
    const { member } = world.devices.get("ada")!;
    expect(member.term.successor).not.toBeNull();
    member.setMovable(false);
    world.settle(5000);
    expect(member.term).toMatchObject({ holder: "ada", successor: null });
    isolate(world, "ada");
    world.settle(VANISHED * 2);
    expect(world.holders).toEqual(["ada"]);
    world.connectAll();
    member.setMovable(true);
    world.settle(5000);
    expect(member.term.successor).not.toBeNull();
  });

  it("moves to a device that asks for it, also before it may move by itself", () => {
    const world = started(["ada", "ben", "cem"]);
    world.devices.get("ada")!.member.setMovable(false);
    for (const to of ["cem", "ada"]) {
      world.devices.get(to)!.member.takeOver();
      world.settle(8000);
      expect(world.holders).toEqual([to]);
    }
  });

  it("comes back after a reload of the holder, with what was not acknowledged yet", () => {
    const world = started(["ada", "ben", "cem"]);
    world.command("ada");
    world.reload("ada");
    expect(world.holders).toEqual([]);
    world.connectAll();
    world.settle(1000);
    expect(world.holders).toEqual(["ada"]);
    expect(world.acknowledged).toHaveLength(6);
  });

  it("is missed by a guest without a link to the holder, though others pass its terms on", () => {
    const world = started(["ada", "ben", "cem", "dora"]);
    const { successor } = world.devices.get("ada")!.member.term;
    const [lonely, other] = world.names.filter((name) => name !== "ada" && name !== successor) as [string, string];
    world.disconnect("ada", lonely);
    world.settle(1000);
    const { member } = world.devices.get(lonely)!;
    const before = member.term.generation;
    world.devices.get("ada")!.member.seated({ ada: 1, [successor!]: 1, [lonely]: 1, [other]: 2 }); // a new term
    world.settle(1000);
    expect(member.term.generation).toBeGreaterThan(before);
    expect(member.missesHolder).toBe(false);
    world.settle(1000);
    expect(member.missesHolder).toBe(true);
  });

  it("never goes on in both halves of a split network", () => {
    for (const half of [["ada", "ben"], ["ada", "cem"], ["ada", "cem", "dora"], ["ada"]]) {
      const world = started(["ada", "ben", "cem", "dora", "eve"]);
      for (const a of half) for (const b of world.names) if (!half.includes(b)) world.disconnect(a, b);
      world.settle(VANISHED * 2);
      const before = world.acknowledged.length;
      for (const name of world.names) world.command(name);
      world.settle(1000);
      expect(world.acknowledged.length - before).toBeLessThanOrEqual(1);
      world.connectAll();
      world.settle(VANISHED * 2);
      expect(world.holders).toHaveLength(1);
    }
  });

  it("keeps every acknowledged command over any order of messages, losses, splits and reloads", () => {
    for (let seed = 1; seed <= SEEDS; seed++) {
      const next = random(seed);
      const pick = <T>(all: readonly T[]): T => all[Math.floor(next() * all.length)]!;
      const world = new World(["ada", "ben", "cem", "dora", "eve"].slice(0, 2 + (seed % 4)));
      world.connectAll();
      if (next() < 0.7) world.settle(2000);
      for (let step = 0; step < 600; step++) {
        const dice = next();
        if (dice < 0.55) world.deliver(pick([...world.links.keys(), ""]));
        else if (dice < 0.7) world.write(pick(world.names));
        else if (dice < 0.8) world.command(pick(world.names));
        else if (dice < 0.92) world.pass(next() * 1500);
        else if (dice < 0.94) world.disconnect(pick(world.names), pick(world.names));
        else if (dice < 0.985) world.connect(pick(world.names), pick(world.names));
        else if (dice < 0.99) world.reload(pick(world.names));
        else if (dice < 0.995) world.devices.get(pick(world.names))!.member.handOver(pick(world.names));
        else isolate(world, pick(world.names));
      }
      for (const a of world.names) for (const b of world.names) world.disconnect(a, b);
      world.connectAll();
      world.settle(VANISHED * 4);
      expect(world.holders, `seed ${seed}`).toHaveLength(1);
      const before = world.acknowledged.length;
      world.command(world.holders[0]!);
      world.settle(2000);
      expect(world.acknowledged.length, `seed ${seed}`).toBeGreaterThan(before);
    }
  }, 60_000);
});

it("two groups that decide have a device in common", () => {
  const next = random(7);
  for (let n = 0; n < 2000; n++) {
    const names = ["a", "b", "c", "d", "e"].slice(0, 1 + Math.floor(next() * 5));
    const voters = Object.fromEntries(names.map((name) => [name, 1 + Math.floor(next() * 3)]));
    const term: Term = { generation: 1, holder: "a", successor: names[1] ?? null, copy: "", voters };
    const [one, other] = [0, 1].map(() => names.filter(() => next() < 0.5));
    if (isQuorum(term, one!) && isQuorum(term, other!)) expect(one!.some((name) => other!.includes(name))).toBe(true);
  }
});
