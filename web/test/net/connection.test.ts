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
  onclose: ((closed: { code: number; reason: string }) => void) | null = null;
  constructor(readonly url = "") {
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
  close(code = 1000, reason = ""): void {
    this.readyState = 2;
    if (!this.dead) setTimeout(() => this.onclose?.({ code, reason }));
  }
}

let page: EventTarget;
let connection: ReconnectingConnection;
let statuses: string[];
let reasons: (string | undefined)[];
let acknowledged: (string | undefined)[];
let notices: string[];

async function open(code = "K7QX"): Promise<void> {
  const { ReconnectingConnection } = await import("../../src/net/connection.ts");
  const listener: ConnectionListener = {
    state: ({ ack }) => ack && acknowledged.push(ack),
    refused: (reason) => notices.push(reason),
    status: (status, reason) => {
      if (statuses.at(-1) !== status) statuses.push(status);
      if (status === "refused") reasons.push(reason);
    },
  };
  connection = new ReconnectingConnection(code, listener);
  await vi.advanceTimersByTimeAsync(100);
}

const SUMMARY = { ok: true, json: async () => ({ code: "K7QX", invitation: "/t/K7QX", you: null }) };

beforeEach(() => {
  vi.useFakeTimers();
  vi.resetModules();
  vi.spyOn(Math, "random").mockReturnValue(0.5);
  [done, sockets, statuses, reasons, acknowledged, notices] = [[], [], [], [], [], []];
  FakeSocket.connects = true;
  page = new EventTarget();
  vi.stubGlobal("location", { origin: "http://here", protocol: "http:", host: "here" });
  vi.stubGlobal("document", Object.assign(new EventTarget(), { hidden: false, querySelector: () => null }));
  vi.stubGlobal("addEventListener", page.addEventListener.bind(page));
  vi.stubGlobal("removeEventListener", page.removeEventListener.bind(page));
  vi.stubGlobal("WebSocket", FakeSocket);
  vi.stubGlobal("fetch", async () => SUMMARY);
});

afterEach(() => connection.close());

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
    first!.onclose?.({ code: 1008, reason: "removed" });
    expect(acknowledged).not.toContain("late");
    expect(statuses.at(-1)).toBe("open");
  });
});

describe("a network without answers", () => {
  it("does not wait for the summary", async () => {
    vi.stubGlobal("fetch", () => new Promise(() => undefined));
    await open();
    expect(statuses).toEqual(["open"]);
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

describe("a browser without the cookie of a guest", () => {
  /** A server that closes sockets without the cookie with a reason. It creates `most` guests. */
  function serve(keepsCookies: boolean, most = Infinity): string[] {
    const requests: string[] = [];
    let cookie = false;
    vi.stubGlobal("fetch", async (path: string) => {
      requests.push(path);
      if (path !== "/api/guests") return SUMMARY;
      if (most-- <= 0) return { ok: false, status: 429, json: async () => ({ reason: "too_many_guests" }) };
      const status = cookie ? 200 : 201;
      cookie = keepsCookies;
      return { ok: true, status, json: async () => ({ token: null }) };
    });
    class AuthorisedSocket extends FakeSocket {
      override open(): void {
        if (cookie) return super.open();
        this.onopen?.();
        this.close(1008, "no_guest");
      }
    }
    vi.stubGlobal("WebSocket", AuthorisedSocket);
    return requests;
  }

  it("connects with one request more", async () => {
    const requests = serve(true);
    await open();
    expect(statuses).toEqual(["open"]);
    expect(sockets.length).toBe(2);
    expect(requests).toEqual(["/api/guests", "/api/tables/K7QX"]);
    await vi.advanceTimersByTimeAsync(9000);
    expect(statuses).toEqual(["open"]); // the first socket's timeout is over
  });

  it("is refused with a reason if it keeps no cookies, and creates only one guest", async () => {
    const requests = serve(false);
    await open();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(statuses).toEqual(["refused"]);
    expect(reasons).toEqual(["no_guest"]);
    expect(requests).toEqual(["/api/guests"]);
  });

  it("is let in again after its guest was deleted", async () => {
    serve(true);
    await open();
    serve(true);
    sockets.at(-1)!.close();
    await vi.advanceTimersByTimeAsync(5000);
    expect(statuses).toEqual(["open", "reconnecting", "open"]);
  });

  it("shows that there are too many guests, and tries again", async () => {
    serve(true, 0);
    await open();
    expect(reasons).toEqual(["too_many_guests"]);
    serve(true);
    await vi.advanceTimersByTimeAsync(6000);
    expect(statuses).toEqual(["refused", "open"]);
  });
});

describe("a reconnecting page", () => {
  it("names the newest version that it has seen", async () => {
    await open();
    connection.send({ do: "draw", turn: 1 });
    await vi.advanceTimersByTimeAsync(1);
    sockets.at(-1)!.close();
    await vi.advanceTimersByTimeAsync(500);
    expect(sockets.map(({ url }) => url.split("&v=")[1])).toEqual(["0", "1"]);
  });

  it("sends a command that makes the server fail once more, then gives it up", async () => {
    let raised = 0;
    class RaisingSocket extends FakeSocket {
      override send(frame: string): void {
        if (!frame.includes("draw")) return super.send(frame);
        raised += 1;
        this.close(1011, "internal");
      }
    }
    vi.stubGlobal("WebSocket", RaisingSocket);
    await open();
    connection.send({ do: "draw", turn: 1 });
    await vi.advanceTimersByTimeAsync(10_000);
    expect(raised).toBe(2);
    expect(notices).toEqual(["other"]);
    expect(statuses.at(-1)).toBe("open");
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

  it.each(["no", "an unanswered"])("is asked less and less often, with %s command", async (command) => {
    vi.stubGlobal("WebSocket", FailingSocket);
    await open();
    if (command !== "no") connection.send({ do: "draw", turn: 1 });
    await vi.advanceTimersByTimeAsync(60_000);
    expect(sockets.length).toBeLessThan(20);
    expect(sockets.length).toBeGreaterThan(10);
  });

  it.each(["a command was carried out", "a connection has lasted"])("is asked soon again after %s", async (after) => {
    vi.stubGlobal("WebSocket", FailingSocket);
    await open();
    await vi.advanceTimersByTimeAsync(20_000);
    vi.stubGlobal("WebSocket", FakeSocket);
    await vi.advanceTimersByTimeAsync(5000);
    if (after.endsWith("command")) connection.send({ do: "draw", turn: 1 });
    await vi.advanceTimersByTimeAsync(after.endsWith("command") ? 1 : 10_000);
    const before = sockets.length;
    sockets.at(-1)!.close();
    await vi.advanceTimersByTimeAsync(300);
    expect(sockets.length).toBe(before + 1);
  });
});

it("says so if the code for a table in a browser does not arrive", async () => {
  vi.stubGlobal("sessionStorage", { getItem: () => null });
  vi.stubGlobal("fetch", async () => ({ ok: false })); // nor does the page itself
  vi.doMock("../../src/net/peers/peerDevice.ts", () => {
    throw new Error("offline");
  });
  await open("PEER-ABCDEF");
  await vi.waitFor(() => expect(reasons).toEqual(["not_loaded"]));
  vi.doUnmock("../../src/net/peers/peerDevice.ts");
});
