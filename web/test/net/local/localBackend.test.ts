import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { FromWorker, ToWorker } from "../../../src/net/local/messages.ts";

/** A worker that starts at once and answers nothing else. */
class FakeWorker {
  static running: FakeWorker;
  onmessage: ((message: { data: FromWorker }) => void) | null = null;
  onerror: unknown = null;
  constructor() {
    FakeWorker.running = this;
  }
  postMessage(message: ToWorker): void {
    if (message.to === "start") this.onmessage?.({ data: { from: "ready" } });
  }
  terminate(): void {}
}

const manifest = (release: number): object => ({ packs: [`python-${release}`, `game-${release}`].map((file) => ({ file: `${file}.pack`, size: 1, sha256: "" })) });
let installed: object;
const reload = vi.fn();

beforeEach(() => {
  vi.resetModules();
  installed = manifest(1);
  vi.stubGlobal("Worker", FakeWorker);
  vi.stubGlobal("WebSocket", { CONNECTING: 0, OPEN: 1, CLOSED: 3 });
  vi.stubGlobal("self", globalThis);
  vi.stubGlobal("isSecureContext", true);
  vi.stubGlobal("navigator", { serviceWorker: { register: async () => undefined, ready: Promise.resolve({}), controller: {} } });
  vi.stubGlobal("caches", { open: async () => ({ match: async () => ({ json: async () => installed }) }) });
  vi.stubGlobal("location", { href: "http://here/", reload });
  vi.stubGlobal("document", { querySelector: () => null });
  return () => vi.unstubAllGlobals();
});
afterEach(() => reload.mockClear());

describe("a page whose worker is too old for a log", () => {
  async function meetNewerLog(): Promise<void> {
    const { LocalSocket } = await import("../../../src/net/local/localBackend.ts");
    new LocalSocket("POCKET-1");
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
