// The page's side of the local backend: starts the worker for the first local table, and talks to it.

import { ensureServiceWorker } from "../../app/serviceWorker.ts";
import type { Entry } from "./indexedDbLog.ts";
import { folderOf, hasMemorySnapshot, installedManifest, type Manifest } from "./manifest.ts";
import type { FromWorker, LocalRequest, RemoteGuest, ToWorker } from "./messages.ts";

/** A connection to the worker with the interface of a WebSocket. */
export class LocalSocket {
  onopen: (() => void) | null = null;
  onmessage: ((message: { data: string }) => void) | null = null;
  onclose: ((closed: { code: number; reason: string }) => void) | null = null;
  readyState: number = WebSocket.CONNECTING;
  readonly #id = crypto.randomUUID();

  /** Connect the people of this device, or a guest on another one. */
  constructor(code: string, guest?: RemoteGuest) {
    sockets.set(this.#id, this);
    const connect = (): void => post({ to: "connect", connection: this.#id, code, ...(guest ? { guest } : {}) });
    void ensureStarted().then(() => sockets.has(this.#id) && connect(), () => this.closed("no_pocket"));
  }
  send(frame: string): void {
    post({ to: "frame", connection: this.#id, frame });
  }
  close(): void {
    post({ to: "disconnect", connection: this.#id });
    this.closed("");
  }
  receive(message: FromWorker & { connection: string }): void {
    if (message.from === "open") {
      this.readyState = WebSocket.OPEN;
      this.onopen?.();
    } else if (message.from === "closed") this.closed(message.reason, message.code);
  }
  closed(reason: string, code = 1000): void {
    if (!sockets.delete(this.#id)) return;
    this.readyState = WebSocket.CLOSED;
    this.onclose?.({ code, reason });
  }
}

const IDLE_TIMEOUT = 10_000;
const sockets = new Map<string, LocalSocket>();
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

/** What the worker says about tables for other devices. */
export const peerTables: { entry(added: Entry): void; seats(code: string, seats: string): void } = {
  entry: ({ code, version }) => confirm(code, version),
  seats: () => undefined,
};
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
  setTimeout(() => sockets.size + pending.size === 0 && stop(), IDLE_TIMEOUT);
}

function stop(): void {
  worker?.terminate();
  worker = started = undefined;
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
    worker!.onerror = ({ message }) => reject(new Error(message));
    worker!.onmessage = ({ data }: MessageEvent<FromWorker>) => {
      if (data.from === "ready") resolve();
      else if (data.from === "failed") reject(new Error(data.error));
      else if (data.from === "outdated") void reloadIfUpdated(manifest);
      else if (data.from === "entry") peerTables.entry(data);
      else if (data.from === "seats") peerTables.seats(data.code, data.seats);
      else if (data.from === "response") {
        pending.get(data.id)?.(data.body);
        pending.delete(data.id);
      } else if (data.from === "frames") data.frames.forEach(({ connection, frame }) => sockets.get(connection)?.onmessage?.({ data: frame }));
      else sockets.get(data.connection)?.receive(data);
    };
    post({ to: "start", python: python!, game: game!, pace });
  });
}
