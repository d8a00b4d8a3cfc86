import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Line, Listener } from "../../src/net/connection.ts";

/** A table at the far end: it carries an order out once, however often it comes, and says so each time. */
let done: string[];
let sockets: Socket[];
function carriedOut(frame: string): string {
  const { id, do: what } = JSON.parse(frame) as { id?: string; do: string };
  if (id === undefined) return '{"beat":1}';
  if (!done.includes(`${what} ${id}`)) done.push(`${what} ${id}`);
  return JSON.stringify({ v: done.length, view: {}, happened: [], you: [], may: [], ack: id });
}

/** A browser's socket. Whether its network is dead is not to be seen: it stays open, and a goodbye is never answered. */
class Socket {
  static OPEN = 1;
  static reaches = true;
  readyState = 0;
  dead = false;
  onopen: (() => void) | null = null;
  onmessage: ((message: { data: string }) => void) | null = null;
  onclose: ((closed: { reason: string }) => void) | null = null;
  constructor() {
    sockets.push(this);
    if (Socket.reaches) setTimeout(() => this.open());
  }
  open(): void {
    if (this.readyState !== 0) return;
    this.readyState = 1;
    this.onopen?.();
    this.say(JSON.stringify({ v: 0, view: {}, happened: [], you: [], may: [] }));
  }
  say(data: string): void {
    this.onmessage?.({ data });
  }
  send(frame: string): void {
    if (!this.dead) setTimeout(() => this.dead || this.say(carriedOut(frame)));
  }
  close(): void {
    this.readyState = 2;
    if (!this.dead) setTimeout(() => this.onclose?.({ reason: "" }));
  }
}

let page: EventTarget;
let line: Line;
let reached: string[];
let acknowledged: (string | undefined)[];

async function open(): Promise<void> {
  const { lineTo } = await import("../../src/net/connection.ts");
  const listener: Listener = {
    state: ({ ack }) => ack && acknowledged.push(ack),
    refused: () => undefined,
    line: (reach) => reached.at(-1) !== reach && reached.push(reach),
  };
  line = lineTo("K7QX", listener);
  await vi.advanceTimersByTimeAsync(100);
}

const SUMMARY = { ok: true, json: async () => ({ code: "K7QX", invitation: "/t/K7QX", you: null }) };

beforeEach(() => {
  vi.useFakeTimers();
  vi.resetModules();
  vi.spyOn(Math, "random").mockReturnValue(0.5);
  [done, sockets, reached, acknowledged] = [[], [], [], []];
  Socket.reaches = true;
  page = new EventTarget();
  vi.stubGlobal("location", { origin: "http://here", protocol: "http:", host: "here" });
  vi.stubGlobal("document", Object.assign(new EventTarget(), { hidden: false }));
  vi.stubGlobal("addEventListener", page.addEventListener.bind(page));
  vi.stubGlobal("removeEventListener", page.removeEventListener.bind(page));
  vi.stubGlobal("WebSocket", Socket);
  vi.stubGlobal("fetch", async () => SUMMARY);
});

afterEach(() => {
  line.close();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  vi.useRealTimers();
});

const unlocked = (): unknown => document.dispatchEvent(new Event("visibilitychange"));

describe("a line whose network died unseen", () => {
  it("is let go at once when a phone is unlocked after minutes, and nobody waits for a goodbye", async () => {
    await open();
    sockets[0]!.dead = true;
    vi.setSystemTime(Date.now() + 120_000); // a locked phone: its timers stand still
    unlocked();
    expect(reached).toEqual(["open", "away"]);
    await vi.advanceTimersByTimeAsync(500);
    expect(reached).toEqual(["open", "away", "open"]);
    expect(sockets.length).toBe(2);
  });

  it("is noticed within seconds when a phone is unlocked soon", async () => {
    await open();
    sockets[0]!.dead = true;
    vi.setSystemTime(Date.now() + 20_000);
    unlocked();
    expect(reached).toEqual(["open"]); // it may be alive
    await vi.advanceTimersByTimeAsync(9000);
    expect(reached).toEqual(["open", "away", "open"]);
  });

  it("is noticed by its silence where nobody does anything", async () => {
    await open();
    sockets[0]!.dead = true;
    await vi.advanceTimersByTimeAsync(61_000);
    expect(reached).toEqual(["open", "away", "open"]);
  });

  it("is let go when the browser says that there is no network", async () => {
    await open();
    sockets[0]!.dead = true;
    page.dispatchEvent(new Event("offline"));
    expect(reached).toEqual(["open", "away"]);
  });

  it("loses no tap and does none twice, and what comes out of it late is not heard", async () => {
    await open();
    const heard = line.send({ do: "draw", turn: 1 });
    await vi.advanceTimersByTimeAsync(1);
    const [first] = sockets;
    const unanswered = line.send({ do: "accept", turn: 2 }); // is carried out, but its answer is lost
    carriedOut(JSON.stringify({ id: unanswered, do: "accept" }));
    first!.dead = true;
    const unheard = line.send({ do: "refuse", turn: 3 });
    vi.setSystemTime(Date.now() + 120_000);
    unlocked();
    const meanwhile = line.send({ do: "ready" });
    await vi.advanceTimersByTimeAsync(500);
    expect(done).toEqual([`draw ${heard}`, `accept ${unanswered}`, `refuse ${unheard}`, `ready ${meanwhile}`]);
    expect(acknowledged).toEqual([heard, unanswered, unheard, meanwhile]);
    first!.say(JSON.stringify({ v: 1, view: {}, happened: [], you: [], may: [], ack: "late" }));
    first!.onclose?.({ reason: "removed" });
    expect(acknowledged).not.toContain("late");
    expect(reached.at(-1)).toBe("open");
  });
});

describe("a network that is there and answers nothing", () => {
  it("is not waited for while looking for a table", async () => {
    vi.stubGlobal("fetch", (_: string, { signal }: RequestInit) => new Promise((_, no) => signal?.addEventListener("abort", () => no(new Error("aborted")))));
    await open();
    await vi.advanceTimersByTimeAsync(9000);
    expect(reached).toEqual(["away"]);
    vi.stubGlobal("fetch", async () => SUMMARY);
    await vi.advanceTimersByTimeAsync(9000);
    expect(reached).toEqual(["away", "open"]);
  });

  it("is not waited for while a line is opened", async () => {
    Socket.reaches = false;
    await open();
    Socket.reaches = true;
    await vi.advanceTimersByTimeAsync(9000);
    expect(reached).toEqual(["away", "open"]);
    expect(sockets.map(({ readyState }) => readyState)).toEqual([2, 1]);
  });

  it("lets a line live that speaks", async () => {
    await open();
    for (let minute = 0; minute < 5; minute += 1) {
      unlocked();
      await vi.advanceTimersByTimeAsync(60_000);
    }
    expect(reached).toEqual(["open"]);
    expect(sockets.length).toBe(1);
  });
});
