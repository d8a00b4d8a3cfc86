// The page's side of the local backend: starts the worker for the first local table, and talks to it.

import { ensureServiceWorker } from "../../app/serviceWorker.ts";
import { BaseTransport } from "../transport.ts";
import type { Entry } from "./indexedDbLog.ts";
import { folderOf, hasMemorySnapshot, installedManifest, type Manifest } from "./manifest.ts";
import type { Devices, FromWorker, LocalRequest, RemoteGuest, ToWorker } from "./messages.ts";

/** A connection to a table in the worker. */
export class WorkerTransport extends BaseTransport {
  readonly #id = crypto.randomUUID();
  #timer: ReturnType<typeof setTimeout> | undefined;

  /** Connect the people of this device, or a guest on another one. */
  constructor(code: string, guest?: RemoteGuest) {
    super();
    transports.set(this.#id, this);
    const connect = (): void => {
      if (!transports.has(this.#id)) return;
      this.#timer = setTimeout(restart, OPEN_TIMEOUT);
      post({ to: "connect", connection: this.#id, code, ...(guest ? { guest } : {}) });
    };
    void ensureStarted().then(connect, () => this.closed("no_pocket"));
  }
  send(frame: string): void {
    post({ to: "frame", connection: this.#id, frame });
  }
  override opened(): void {
    clearTimeout(this.#timer);
    super.opened();
  }
  protected release(): void {
    clearTimeout(this.#timer);
    if (transports.delete(this.#id)) post({ to: "disconnect", connection: this.#id });
  }
}

const OPEN_TIMEOUT = 20_000; // the worker answers at once unless it hangs
const IDLE_TIMEOUT = 10_000;
const transports = new Map<string, WorkerTransport>();
const pending = new Map<number, (body: string) => void>();
let worker: Worker | undefined;
let started: Promise<void> | undefined;
let requests = 0;

const post = (message: ToWorker): void => worker?.postMessage(message);

/** Send a request of this device or of a guest on another one. The response is JSON, or a refusal with a reason. */
export async function sendRequest(request: LocalRequest, guest?: string): Promise<unknown> {
  await ensureStarted();
  const id = requests++;
  const body = new Promise<string>((resolve) => pending.set(id, resolve));
  post({ to: "request", id, request, ...(guest ? { guest } : {}) });
  return JSON.parse(await body);
}

/** What the worker says about a table for other devices. */
export interface TableWatcher {
  entry(added: Entry): void; // which waits for `confirm`
  devices(devices: Devices): void;
}
const watchers = new Map<string, TableWatcher>(); // by table code
export const watchTable = (code: string, watcher: TableWatcher): void => void watchers.set(code, watcher);
export const confirm = (code: string, version: number): void => post({ to: "confirm", code, version });
export const release = (code: string): void => post({ to: "release", code });

/** Start the worker once. After a failure the next call starts it again. */
export function ensureStarted(): Promise<void> {
  started ??= start().catch((error: unknown) => {
    stop();
    throw error;
  });
  return started;
}

/** Start once to make the memory snapshot that later starts load, and stop again if the worker stays idle. */
export async function prepare(): Promise<void> {
  const manifest = await installedManifest();
  if (!manifest || (await hasMemorySnapshot(manifest))) return;
  await ensureStarted();
  setTimeout(() => transports.size + pending.size === 0 && stop(), IDLE_TIMEOUT);
}

function stop(): void {
  worker?.terminate();
  worker = started = undefined;
}

/** The worker has failed after its start: connections and requests end, and the next ones start another worker. */
function restart(): void {
  stop();
  pending.forEach((resolve) => resolve('{"reason":"busy"}'));
  pending.clear();
  [...transports.values()].forEach((transport) => transport.closed(""));
}

/** Reload the page if another tab has installed another release since this one started its worker. */
async function reloadIfUpdated(running: Manifest): Promise<void> {
  if (JSON.stringify(await installedManifest()) !== JSON.stringify(running)) location.reload();
}

async function start(): Promise<void> {
  const manifest = await installedManifest();
  if (!manifest) throw new Error("the game is not installed");
  await ensureServiceWorker();
  const [python, game] = manifest.packs.map((pack) => new URL(folderOf(pack), location.href).href);
  const pace = Number(document.querySelector<HTMLMetaElement>("meta[name=pace]")?.content ?? 1);
  worker = new Worker(new URL("./worker.ts", import.meta.url), { type: "module", name: "pocket" });
  await new Promise<void>((resolve, reject) => {
    let ready = false;
    const fail = (error: string): void => (ready ? restart() : reject(new Error(error)));
    worker!.onerror = ({ message }) => fail(message);
    worker!.onmessage = ({ data }: MessageEvent<FromWorker>) => {
      if (data.from === "failed") return fail(data.error);
      if (data.from !== "ready") return receive(data, manifest);
      ready = true;
      resolve();
    };
    post({ to: "start", python: python!, game: game!, pace });
  });
}

function receive(message: Exclude<FromWorker, { from: "ready" | "failed" }>, manifest: Manifest): void {
  switch (message.from) {
    case "outdated":
      return void reloadIfUpdated(manifest);
    case "entry":
      return watchers.has(message.code)
        ? watchers.get(message.code)!.entry(message)
        : confirm(message.code, message.version);
    case "devices":
      return watchers.get(message.code)?.devices(message.devices);
    case "response":
      pending.get(message.id)?.(message.body);
      return void pending.delete(message.id);
    case "frames":
      return message.frames.forEach(({ connection, frame }) =>
        transports.get(connection)?.onmessage?.({ data: frame }),
      );
    case "open":
      return transports.get(message.connection)?.opened();
    case "closed":
      return transports.get(message.connection)?.closed(message.reason, message.code);
  }
}
