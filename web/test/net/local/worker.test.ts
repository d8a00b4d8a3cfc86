import { beforeEach, describe, expect, it, vi } from "vitest";
import type { FromWorker, ToWorker } from "../../../src/net/local/messages.ts";

interface Browser {
  load(code: string): void;
  send(connection: string, frame: string): void;
  close(connection: string, code: number, reason: string): void;
  read_log(id: number, code: string, version: number): void;
  reply(id: number, body: string): void;
}

/** Python in place of Pyodide: one table that is always found, and fails where a test says so. */
class FakePocket {
  open_tables = new Set<string>();
  failing = "";
  outdated = false;
  connections: string[] = [];
  constructor(readonly browser: Browser) {}
  #failIf(what: string): void {
    if (this.failing === what) throw new Error(`${what} fails`);
  }
  is_open = (code: string): boolean => this.open_tables.has(code);
  version = (): number => 1;
  replay_after = (): number => 0;
  loaded(code: string): boolean {
    this.#failIf("loaded");
    if (this.outdated) this.failed(code, "busy");
    else this.open_tables.add(code);
    return !this.outdated;
  }
  connect(code: string, connection: string): void {
    this.#failIf("connect");
    this.connections.push(connection);
    if (!this.is_open(code)) this.browser.load(code);
  }
  story(id: number, code: string): void {
    this.browser.read_log(id, code, 7);
  }
  log_unread(id: number): void {
    this.browser.reply(id, '{"reason":"busy"}');
  }
  commits_received(): void {
    this.#failIf("commits_received");
  }
  /** Send the frame back to all connections. */
  receive(_code: string, _connection: string, frame: string): void {
    this.#failIf("everything");
    for (const connection of this.connections) this.browser.send(connection, frame);
  }
  failed(code: string, reason = "come back"): void {
    this.#failIf("everything");
    this.open_tables.delete(code);
    this.connections.splice(0).forEach((connection) => this.browser.close(connection, 1012, reason));
  }
}

/** A database without entries. */
const result = (value: unknown): object => {
  const request = { result: value, onsuccess: null as (() => void) | null };
  queueMicrotask(() => request.onsuccess?.());
  return request;
};
const store = { get: () => result(undefined), getAll: () => result([]), getAllKeys: () => result([]) };
const database = { transaction: () => ({ objectStore: () => store }) };

let pocket: FakePocket;
let posted: FromWorker[];
let otherTab: { onmessage: ((message: { data: string }) => void) | null };

async function send(message: ToWorker): Promise<void> {
  (globalThis as unknown as { onmessage: (message: { data: ToWorker }) => void }).onmessage({ data: message });
  await vi.waitFor(() => expect(posted.length).toBeGreaterThan(0));
}

beforeEach(async () => {
  vi.resetModules();
  vi.spyOn(console, "error").mockReturnValue();
  posted = [];
  const python = {
    FS: {},
    makeMemorySnapshot: () => new Uint8Array(),
    pyimport: () => ({ Pocket: (browser: Browser) => (pocket = new FakePocket(browser)) }),
  };
  vi.stubGlobal("loadFakePyodide", async () => python);
  vi.stubGlobal("postMessage", (message: FromWorker) => posted.push(message));
  vi.stubGlobal("onmessage", null);
  vi.stubGlobal("BroadcastChannel", function (this: typeof otherTab) {
    this.onmessage = null;
    otherTab = this; // eslint-disable-line @typescript-eslint/no-this-alias
  });
  vi.stubGlobal("indexedDB", { open: () => result(database) });
  vi.stubGlobal("IDBKeyRange", { bound: () => null });
  vi.stubGlobal("caches", { match: async () => undefined, open: async () => ({ put: async () => undefined }) });
  vi.stubGlobal("fetch", async () => ({ ok: true, arrayBuffer: async () => new TextEncoder().encode("[]\n").buffer }));
  await import("../../../src/net/local/worker.ts");
  // the name of the file, after the folder, is a comment
  const folder = "data:text/javascript,export const loadPyodide = globalThis.loadFakePyodide;//";
  await send({ to: "start", python: folder, game: "/game/", pace: 1 });
  expect(posted).toEqual([{ from: "ready" }]);
  posted = [];
});

const closed = (reason: string, code = 1012): FromWorker => ({ from: "closed", connection: "c1", code, reason });

const OPEN: FromWorker = { from: "open", connection: "c1" };

describe("a connection to a table of this device", () => {
  it.each([
    ["loaded", "come back", 1012],
    ["connect", "", 1011],
  ] as const)("is closed if %s fails, so that the page tries again", async (failing, reason, code) => {
    pocket.failing = failing;
    await send({ to: "connect", connection: "c1", code: "POCKET-1" });
    await vi.waitFor(() => expect(posted).toEqual([OPEN, closed(reason, code)]));
    expect(pocket.is_open("POCKET-1")).toBe(false); // it is read from the log again
    pocket.failing = "";
    await send({ to: "connect", connection: "c1", code: "POCKET-1" });
    await vi.waitFor(() => expect(pocket.is_open("POCKET-1")).toBe(true));
    expect(posted.at(-1)).toEqual(OPEN);
  });

  it("is closed if the entries of another tab cannot be applied", async () => {
    await send({ to: "connect", connection: "c1", code: "POCKET-1" });
    await vi.waitFor(() => expect(pocket.is_open("POCKET-1")).toBe(true));
    pocket.failing = "commits_received";
    otherTab.onmessage!({ data: "POCKET-1" });
    await vi.waitFor(() => expect(posted.at(-1)).toEqual(closed("come back")));
  });

  it("is refused if a newer release wrote its log, and the page learns it", async () => {
    pocket.outdated = true;
    await send({ to: "connect", connection: "c1", code: "POCKET-1" });
    await vi.waitFor(() => expect(posted).toEqual([OPEN, closed("busy"), { from: "outdated" }]));
  });

  it("gets the frames of a step in one message with those of the others", async () => {
    for (const connection of ["c1", "c2"]) await send({ to: "connect", connection, code: "POCKET-1" });
    posted = [];
    await send({ to: "frame", connection: "c1", frame: "{}" });
    const frames = ["c1", "c2"].map((connection) => ({ connection, frame: "{}" }));
    expect(posted).toEqual([{ from: "frames", frames }]);
  });
});

it("refuses a request whose log cannot be read", async () => {
  vi.spyOn(store, "getAll").mockImplementation(() => {
    throw new Error("the disk is gone");
  });
  await send({ to: "request", id: 3, request: { what: "story", code: "POCKET-1", round: 1 } });
  await vi.waitFor(() => expect(posted).toContainEqual({ from: "response", id: 3, body: '{"reason":"busy"}' }));
});

it("tells the page when Python itself has failed", async () => {
  await send({ to: "connect", connection: "c1", code: "POCKET-1" });
  posted = [];
  pocket.failing = "everything";
  await send({ to: "frame", connection: "c1", frame: "{}" });
  expect(posted).toEqual([{ from: "failed", error: "Error: everything fails" }]);
});
