// Starts Python. The first start saves a memory snapshot, which later starts load.

import { CACHE, MEMORY_SNAPSHOT } from "./manifest.ts";

/** The class in src/notahat/clients/pocket.py. */
export interface Pocket {
  opening_entry(code: string, options: string, at: number, day: string, guest: string): string;
  is_open(code: string): boolean;
  version(code: string): number;
  devices(code: string): string;
  replay_after(snapshot: string): number;
  loaded(code: string, snapshot: string, log: string, now: number, at: number): boolean;
  close_if_idle(code: string): void;
  connect(code: string, connection: string, now: number, deltas: boolean): void;
  connect_guest(code: string, connection: string, guest: string, now: number, deltas: boolean, screen: boolean): void;
  disconnect(code: string, connection: string, now: number): void;
  receive(code: string, connection: string, frame: string, now: number): void;
  wake(code: string, now: number): void;
  summary(number: number, code: string, now: number, guest: string): void;
  story(number: number, code: string, round: number, now: number, guest: string): void;
  deck(number: number, code: string, version: number, now: number, guest: string): void;
  put_deck(number: number, code: string, id: string, hat: string, now: number, guest: string): void;
  spoken_lines(word: string): string;
  committed(number: number, code: string, now: number): void;
  conflicted(number: number, code: string, log: string, now: number): void;
  commits_received(code: string, log: string, now: number): void;
  log_read(number: number, log: string): void;
  log_unread(number: number): void;
  failed(code: string): void;
}
interface Python {
  FS: { mkdirTree(path: string): void; writeFile(path: string, content: Uint8Array): void };
  pyimport(name: string): { Pocket: (browser: object, pace: number) => Pocket };
  makeMemorySnapshot(): Uint8Array<ArrayBuffer>;
}
interface Settings {
  indexURL: string;
  lockFileContents: string;
  packages: string[];
  _makeSnapshot?: boolean;
  _loadSnapshot?: Promise<ArrayBuffer>;
}
export interface Loader {
  loadPyodide(settings: Settings): Promise<Python>;
}

const INFO = { abi_version: "2026_0", arch: "wasm32", platform: "emscripten_5_0_3", python: "3.14.2" };
const LOCK = JSON.stringify({ info: INFO, packages: {} }); // no packages: everything is in the archives

export async function loadPython(folder: string): Promise<Python> {
  return startPython((await import(/* @vite-ignore */ `${folder}pyodide.mjs`)) as Loader, folder);
}

/** Start Python from its memory snapshot. If there is none or it does not load, start afresh and save one. */
export async function startPython({ loadPyodide }: Loader, folder: string): Promise<Python> {
  const settings: Settings = { indexURL: folder, lockFileContents: LOCK, packages: [] };
  const snapshot = await caches.match(folder + MEMORY_SNAPSHOT).catch(console.warn);
  const restored =
    snapshot && (await loadPyodide({ ...settings, _loadSnapshot: snapshot.arrayBuffer() }).catch(console.warn));
  if (restored) return restored;
  const python = await loadPyodide({ ...settings, _makeSnapshot: true });
  await saveSnapshot(folder + MEMORY_SNAPSHOT, python).catch(console.warn); // the next start is only slower
  return python;
}

async function saveSnapshot(url: string, python: Python): Promise<void> {
  const headers = { "Content-Type": "application/octet-stream" };
  await (await caches.open(CACHE)).put(url, new Response(python.makeMemorySnapshot(), { headers }));
}

export async function deleteSnapshot(folder: string): Promise<void> {
  await (await caches.open(CACHE)).delete(folder + MEMORY_SNAPSHOT);
}
