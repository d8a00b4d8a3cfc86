import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { FromWorker, ToWorker } from "../../../src/net/local/messages.ts";

/** A worker that starts at once, opens connections while it is `alive`, and answers nothing else. */
class FakeWorker {
  static running: FakeWorker;
  static started = 0;
  alive = true;
  onmessage: ((message: { data: FromWorker }) => void) | null = null;
  onerror: ((error: { message: string }) => void) | null = null;
  constructor() {
    FakeWorker.running = this;
    FakeWorker.started++;
  }
  postMessage(message: ToWorker): void {
    const answer = (data: FromWorker) => this.onmessage?.({ data });
    if (message.to === "start") answer({ from: "ready" });
    if (message.to === "connect" && this.alive) answer({ from: "open", connection: message.connection });
  }
  terminate(): void {}
}

const manifest = (release: number): object => ({
  packs: ["python", "game"].map((name) => ({ file: `${name}-${release}.pack`, size: 1, sha256: "" })),
});
let installed: object;
const reload = vi.fn();

beforeEach(() => {
  vi.resetModules();
  installed = manifest(1);
  vi.stubGlobal("Worker", FakeWorker);
  vi.stubGlobal("WebSocket", { CONNECTING: 0, OPEN: 1, CLOSED: 3 });
  vi.stubGlobal("self", globalThis);
  vi.stubGlobal("isSecureContext", true);
  const serviceWorker = { register: async () => undefined, ready: Promise.resolve({}), controller: {} };
  vi.stubGlobal("navigator", { serviceWorker });
  vi.stubGlobal("caches", { open: async () => ({ match: async () => ({ json: async () => installed }) }) });
  vi.stubGlobal("location", { href: "http://here/", reload });
  vi.stubGlobal("document", { querySelector: () => null });
});
afterEach(() => reload.mockClear());

describe("a page whose worker is too old for a log", () => {
  async function meetNewerLog(): Promise<void> {
    const { WorkerTransport } = await import("../../../src/net/local/localBackend.ts");
    new WorkerTransport("POCKET-1");
    await vi.waitFor(() => expect(FakeWorker.running.onmessage).not.toBeNull());
  }

  it("is loaded again if another tab has installed a newer release", async () => {
    await meetNewerLog();
    installed = manifest(2);
    FakeWorker.running.onmessage!({ data: { from: "outdated" } });
    await vi.waitFor(() => expect(reload).toHaveBeenCalledOnce());
  });

  it("stays as it is if there is no newer release", async () => {
    await meetNewerLog();
    const checked = vi.spyOn(caches, "open");
    FakeWorker.running.onmessage!({ data: { from: "outdated" } });
    await vi.waitFor(() => expect(checked).toHaveBeenCalled());
    await checked.mock.results[0]!.value;
    await new Promise((resolve) => setTimeout(resolve));
    expect(reload).not.toHaveBeenCalled();
  });
});

describe("a worker that fails after its start", () => {
  async function connect(): Promise<{ closed: Promise<string>; open: () => Promise<void> }> {
    const { WorkerTransport } = await import("../../../src/net/local/localBackend.ts");
    const transport = new WorkerTransport("POCKET-1");
    const closed = new Promise<string>((resolve) => (transport.onclose = ({ reason }) => resolve(reason)));
    return { closed, open: () => vi.waitFor(() => expect(transport.readyState).toBe(1)) };
  }

  it.each(["onerror", "failed"])("is replaced after %s, and its connections and requests end", async (how) => {
    FakeWorker.started = 0;
    const { closed, open } = await connect();
    await open();
    const { sendRequest } = await import("../../../src/net/local/localBackend.ts");
    const asked = vi.spyOn(FakeWorker.running, "postMessage");
    const answer = sendRequest({ what: "story", code: "POCKET-1", round: 1 });
    await vi.waitFor(() => expect(asked).toHaveBeenCalled());
    if (how === "failed") FakeWorker.running.onmessage!({ data: { from: "failed", error: "memory" } });
    else FakeWorker.running.onerror!({ message: "memory" });
    expect(await closed).toBe("");
    expect(await answer).toEqual({ reason: "busy" });
    await (await connect()).open();
    expect(FakeWorker.started).toBe(2);
  });

  it("is replaced if it opens no connection in 20 seconds", async () => {
    FakeWorker.started = 0;
    await (await connect()).open();
    FakeWorker.running.alive = false;
    vi.useFakeTimers();
    const { closed } = await connect();
    await vi.advanceTimersByTimeAsync(20_000);
    expect(await closed).toBe("");
    vi.useRealTimers();
    await (await connect()).open();
    expect(FakeWorker.started).toBe(2);
  });
});
