// Python, started. The first start is remembered as the memory it left, so that later ones begin where it ended.

import { KEPT, MEMORY } from "./archive.ts";

/** src/notahat/clients/pocket.py, as it is seen from here. */
export interface Pocket {
  first_entry(code: string, options: string, at: number, day: string): string;
  holds(code: string): boolean;
  version(code: string): number;
  read_from(snapshot: string): number;
  open(code: string, snapshot: string, log: string, now: number, at: number): string;
  put_away(code: string): void;
  arrived(code: string, line: string, now: number, changes: boolean): void;
  left(code: string, line: string, now: number): void;
  received(code: string, line: string, frame: string, now: number): void;
  put_deck(code: string, line: string, id: string, hat: string, now: number): void;
  woken(code: string, now: number): void;
  committed(code: string, version: number, now: number): void;
  overtaken(code: string, version: number, news: string, now: number): void;
  news(code: string, news: string, now: number): void;
  failed(code: string): void;
  summary(code: string): string;
  story(code: string, round: number, log: string): string;
  deck(log: string): string;
  lines(asked: string): string;
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

const ABOUT = { abi_version: "2026_0", arch: "wasm32", platform: "emscripten_5_0_3", python: "3.14.2" };
const LOCK = JSON.stringify({ info: ABOUT, packages: {} }); // all that is needed is here already

/** Python out of its folder in the pocket. */
export async function python(folder: string): Promise<Python> {
  const loader = (await import(/* @vite-ignore */ `${folder}pyodide.mjs`)) as Loader;
  return started(loader, folder);
}

/** Begun where the first start ended; where that cannot be found or is no good, begun afresh and remembered. */
export async function started({ loadPyodide }: Loader, folder: string): Promise<Python> {
  const settings: Settings = { indexURL: folder, lockFileContents: LOCK, packages: [] };
  const kept = await caches.match(folder + MEMORY).catch(console.warn);
  const again = kept && (await loadPyodide({ ...settings, _loadSnapshot: kept.arrayBuffer() }).catch(console.warn));
  if (again) return again;
  const first = await loadPyodide({ ...settings, _makeSnapshot: true });
  await keep(folder + MEMORY, first).catch(console.warn); // a disk that is full only makes the next start slower
  return first;
}

async function keep(address: string, first: Python): Promise<void> {
  const cache = await caches.open(KEPT);
  await cache.put(address, new Response(first.makeMemorySnapshot(), { headers: { "Content-Type": "application/octet-stream" } }));
}

/** A memory that brought no game to life is none; the next start is afresh. */
export async function forget(folder: string): Promise<void> {
  await (await caches.open(KEPT)).delete(folder + MEMORY);
}
