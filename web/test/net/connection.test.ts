import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { ConnectionListener, ReconnectingConnection } from "../../src/net/connection.ts";

/** The server: it carries out a command once and acknowledges every repetition. */
let done: string[];
let sockets: FakeSocket[];
function carryOut(frame: string): string {
  const { id, do: what } = JSON.parse(frame) as { id?: string; do: string };
  if (id === undefined) return '{"beat":1}';
  if (!done.includes(`${what} ${id}`)) done.push(`${what} ${id}`);
  return JSON.stringify({ v: done.length, view: {}, happened: [], you: [], may: [], ack: id });
}

/** A browser's socket. On a dead network it stays open, and close() gets no answer. */
class FakeSocket {
  static OPEN = 1;
  static connects = true;
  readyState = 0;
  dead = false;
  onopen: (() => void) | null = null;
  onmessage: ((message: { data: string }) => void) | null = null;
  onclose: ((closed: { reason: string }) => void) | null = null;
  constructor() {
    sockets.push(this);
    if (FakeSocket.connects) setTimeout(() => this.open());
  }
  open(): void {
    if (this.readyState !== 0) return;
    this.readyState = 1;
    this.onopen?.();
    this.deliver(JSON.stringify({ v: 0, view: {}, happened: [], you: [], may: [] }));
  }
  deliver(data: string): void {
    this.onmessage?.({ data });
  }
  send(frame: string): void {
    if (!this.dead) setTimeout(() => this.dead || this.deliver(carryOut(frame)));
  }
  close(): void {
    this.readyState = 2;
    if (!this.dead) setTimeout(() => this.onclose?.({ reason: "" }));
  }
}

let page: EventTarget;
let connection: ReconnectingConnection;
let statuses: string[];
let reasons: (string | undefined)[];
let acknowledged: (string | undefined)[];

async function open(): Promise<void> {
  const { connect } = await import("../../src/net/connection.ts");
  const listener: ConnectionListener = {
    state: ({ ack }) => ack && acknowledged.push(ack),
    refused: () => undefined,
    status: (status, reason) => {
      if (statuses.at(-1) !== status) statuses.push(status);
      if (status === "refused") reasons.push(reason);
    },
  };
  connection = connect("K7QX", listener);
  await vi.advanceTimersByTimeAsync(100);
}

const SUMMARY = { ok: true, json: async () => ({ code: "K7QX", invitation: "/t/K7QX", you: null }) };

beforeEach(() => {
  vi.useFakeTimers();
  vi.resetModules();
  vi.spyOn(Math, "random").mockReturnValue(0.5);
  [done, sockets, statuses, reasons, acknowledged] = [[], [], [], [], []];
  FakeSocket.connects = true;
  page = new EventTarget();
  vi.stubGlobal("location", { origin: "http://here", protocol: "http:", host: "here" });
  vi.stubGlobal("document", Object.assign(new EventTarget(), { hidden: false }));
  vi.stubGlobal("addEventListener", page.addEventListener.bind(page));
  vi.stubGlobal("removeEventListener", page.removeEventListener.bind(page));
  vi.stubGlobal("WebSocket", FakeSocket);
  vi.stubGlobal("fetch", async () => SUMMARY);
});

afterEach(() => {
  connection.close();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  vi.useRealTimers();
});

const unlockPhone = (): unknown => document.dispatchEvent(new Event("visibilitychange"));

describe("a connection on a dead network", () => {
  it("is dropped at once when a phone is unlocked after minutes", async () => {
    await open();
    sockets[0]!.dead = true;
    vi.setSystemTime(Date.now() + 120_000); // the timers of a locked phone stand still
    unlockPhone();
    expect(statuses).toEqual(["open", "reconnecting"]);
    await vi.advanceTimersByTimeAsync(500);
    expect(statuses).toEqual(["open", "reconnecting", "open"]);
    expect(sockets.length).toBe(2);
  });

  it("is dropped within seconds when a phone is unlocked soon", async () => {
    await open();
    sockets[0]!.dead = true;
    vi.setSystemTime(Date.now() + 20_000);
    unlockPhone();
    expect(statuses).toEqual(["open"]); // it may still work
    await vi.advanceTimersByTimeAsync(9000);
    expect(statuses).toEqual(["open", "reconnecting", "open"]);
  });

  it("is dropped after the silence timeout", async () => {
    await open();
    sockets[0]!.dead = true;
    await vi.advanceTimersByTimeAsync(61_000);
    expect(statuses).toEqual(["open", "reconnecting", "open"]);
  });

  it("is dropped when the browser goes offline", async () => {
    await open();
    sockets[0]!.dead = true;
    page.dispatchEvent(new Event("offline"));
    expect(statuses).toEqual(["open", "reconnecting"]);
  });

  it("loses and repeats no command, and ignores late messages", async () => {
    await open();
    const heard = connection.send({ do: "draw", turn: 1 });
    await vi.advanceTimersByTimeAsync(1);
    const [first] = sockets;
    const unanswered = connection.send({ do: "accept", turn: 2 }); // carried out, but the answer is lost
    carryOut(JSON.stringify({ id: unanswered, do: "accept" }));
    first!.dead = true;
    const unheard = connection.send({ do: "refuse", turn: 3 });
    vi.setSystemTime(Date.now() + 120_000);
    unlockPhone();
    const meanwhile = connection.send({ do: "ready" });
    await vi.advanceTimersByTimeAsync(500);
    expect(done).toEqual([`draw ${heard}`, `accept ${unanswered}`, `refuse ${unheard}`, `ready ${meanwhile}`]);
    expect(acknowledged).toEqual([heard, unanswered, unheard, meanwhile]);
    first!.deliver(JSON.stringify({ v: 1, view: {}, happened: [], you: [], may: [], ack: "late" }));
    first!.onclose?.({ reason: "removed" });
    expect(acknowledged).not.toContain("late");
    expect(statuses.at(-1)).toBe("open");
  });
});

describe("a network without answers", () => {
  it("times out while the summary is fetched", async () => {
    vi.stubGlobal("fetch", (_: string, { signal }: RequestInit) => new Promise((_, no) => signal?.addEventListener("abort", () => no(new Error("aborted")))));
    await open();
    await vi.advanceTimersByTimeAsync(9000);
    expect(statuses).toEqual(["reconnecting"]);
    vi.stubGlobal("fetch", async () => SUMMARY);
    await vi.advanceTimersByTimeAsync(9000);
    expect(statuses).toEqual(["reconnecting", "open"]);
  });

  it("times out while the socket opens", async () => {
    FakeSocket.connects = false;
    await open();
    FakeSocket.connects = true;
    await vi.advanceTimersByTimeAsync(9000);
    expect(statuses).toEqual(["reconnecting", "open"]);
    expect(sockets.map(({ readyState }) => readyState)).toEqual([2, 1]);
  });

  it("keeps a connection that still receives messages", async () => {
    await open();
    for (let minute = 0; minute < 5; minute += 1) {
      unlockPhone();
      await vi.advanceTimersByTimeAsync(60_000);
    }
    expect(statuses).toEqual(["open"]);
    expect(sockets.length).toBe(1);
  });
});

describe("a browser that keeps no cookies", () => {
  /** A server that refuses sockets without the cookie of a guest, as it does with 401. */
  function serve(keepsCookies: () => boolean): string[] {
    const requests: string[] = [];
    let cookie = false;
    vi.stubGlobal("fetch", async (path: string) => {
      requests.push(path);
      if (path !== "/api/guests") return SUMMARY;
      const status = cookie ? 200 : 201;
      cookie = keepsCookies();
      return { ok: true, status, json: async () => ({ token: null }) };
    });
    class AuthorisedSocket extends FakeSocket {
      override open(): void {
        if (cookie) super.open();
        else this.close();
      }
    }
    vi.stubGlobal("WebSocket", AuthorisedSocket);
    return requests;
  }

  it("is refused with a reason, and creates only two guests", async () => {
    const requests = serve(() => false);
    await open();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(statuses).toEqual(["reconnecting", "refused"]);
    expect(reasons).toEqual(["no_guest"]);
    expect(requests.filter((path) => path === "/api/guests")).toHaveLength(2);
  });

  it("is let in again after its guest was deleted", async () => {
    serve(() => true);
    await open();
    serve(() => true);
    sockets.at(-1)!.close();
    await vi.advanceTimersByTimeAsync(5000);
    expect(statuses).toEqual(["open", "reconnecting", "open"]);
  });

  it("is not confused with a handshake that failed for another reason", async () => {
    const requests = serve(() => true);
    FakeSocket.connects = false;
    await open();
    sockets.at(-1)!.close();
    await vi.advanceTimersByTimeAsync(300);
    FakeSocket.connects = true;
    sockets.at(-1)!.close();
    await vi.advanceTimersByTimeAsync(5000);
    expect(statuses).toEqual(["reconnecting", "open"]);
    expect(requests.filter((path) => path === "/api/guests")).toHaveLength(3);
  });
});

describe("a server that closes each connection soon after the first state", () => {
  const FAILS_AFTER = 100;
  class FailingSocket extends FakeSocket {
    override open(): void {
      super.open();
      setTimeout(() => this.close(), FAILS_AFTER);
    }
    override send(): void {
      this.close(); // the frame makes the server raise
    }
  }

  it("is asked less and less often", async () => {
    vi.stubGlobal("WebSocket", FailingSocket);
    await open();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(sockets.length).toBeLessThan(20);
    expect(sockets.length).toBeGreaterThan(10);
  });

  it("is asked less and less often with an unanswered command", async () => {
    vi.stubGlobal("WebSocket", FailingSocket);
    await open();
    connection.send({ do: "draw", turn: 1 });
    await vi.advanceTimersByTimeAsync(60_000);
    expect(sockets.length).toBeLessThan(20);
  });

  it("is asked soon again after it has carried out a command", async () => {
    vi.stubGlobal("WebSocket", FailingSocket);
    await open();
    await vi.advanceTimersByTimeAsync(20_000);
    vi.stubGlobal("WebSocket", FakeSocket);
    await vi.advanceTimersByTimeAsync(5000);
    connection.send({ do: "draw", turn: 1 });
    await vi.advanceTimersByTimeAsync(1);
    const before = sockets.length;
    sockets.at(-1)!.close();
    await vi.advanceTimersByTimeAsync(300);
    expect(sockets.length).toBe(before + 1);
  });

  it("is asked soon again after a connection has lasted", async () => {
    vi.stubGlobal("WebSocket", FailingSocket);
    await open();
    await vi.advanceTimersByTimeAsync(20_000);
    vi.stubGlobal("WebSocket", FakeSocket);
    await vi.advanceTimersByTimeAsync(15_000);
    const before = sockets.length;
    sockets.at(-1)!.close();
    await vi.advanceTimersByTimeAsync(300);
    expect(sockets.length).toBe(before + 1);
  });
});
