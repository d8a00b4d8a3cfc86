// The download manifest of the pocket edition, and its installation into the cache of this browser.

import { BASE, href } from "../base.ts";
import { toHex } from "../encoding.ts";
import { fetchWithTimeout } from "../fetchAsset.ts";

interface Pack {
  file: string;
  size: number;
  sha256: string;
}
export interface Manifest {
  packs: Pack[];
}

export const CACHE = `notahat ${BASE} pocket`; // the service worker keeps it across releases
export const MEMORY_SNAPSHOT = "started.memory"; // beside Python: its memory after the first start
const FOLDER = href("/pocket/");
const INSTALLED = `${FOLDER}taken.json`;
const NEWLINE = 10;
const CONTENT_TYPES: Record<string, string> = { mjs: "text/javascript", wasm: "application/wasm" };

/** Return the URL of an unpacked file. Only the service worker serves these URLs. */
export const folderOf = (pack: Pack, name = ""): string => `${FOLDER}${pack.file.replace(".pack", "")}/${name}`;
export const sizeOf = ({ packs }: Manifest): number => packs.reduce((sum, { size }) => sum + size, 0);

/** Return whether this browser can install and run the game; it needs a secure context. */
export const isSupported = (): boolean =>
  isSecureContext &&
  "serviceWorker" in navigator &&
  ["caches", "DecompressionStream", "WebAssembly"].every((name) => name in self);

/** Fetch the manifest; null if there is none, as the HTML of some servers says, or the server does not answer. */
export async function fetchManifest(): Promise<Manifest | null> {
  if (document.querySelector("meta[name=pocket]")) return null;
  const response = await fetchWithTimeout(`${FOLDER}parcel.json`, { cache: "no-cache" }).catch(() => null);
  return response?.ok ? ((await response.json().catch(() => null)) as Manifest | null) : null;
}

export async function installedManifest(): Promise<Manifest | null> {
  if (!isSupported()) return null;
  const response = await (await caches.open(CACHE)).match(INSTALLED);
  return response ? ((await response.json()) as Manifest) : null;
}

export const hasMemorySnapshot = async ({ packs }: Manifest): Promise<boolean> =>
  (await caches.match(folderOf(packs[0]!, MEMORY_SNAPSHOT))) !== undefined;

/** Fetch and unpack what is not installed yet. `onProgress` gets a number from 0 to 1. */
export async function install(manifest: Manifest, onProgress: (part: number) => void): Promise<void> {
  const cache = await caches.open(CACHE);
  const total = sizeOf(manifest);
  let done = 0;
  const before = await installedManifest();
  for (const pack of manifest.packs) {
    const installed = before?.packs.some(({ file }) => file === pack.file);
    if (!installed) await store(cache, pack, await fetchPack(pack, (bytes) => onProgress((done + bytes) / total)));
    done += pack.size;
  }
  await cache.put(INSTALLED, new Response(JSON.stringify(manifest)));
  await deleteOldPacks(cache, manifest);
  void navigator.storage?.persist?.();
}

/** Fetch a pack, check its size and hash, and decompress it. */
async function fetchPack(pack: Pack, onBytes: (bytes: number) => void): Promise<Uint8Array<ArrayBuffer>> {
  const response = await fetch(FOLDER + pack.file);
  if (!response.ok || !response.body) throw new Error(`${pack.file}: ${response.status}`);
  const content = new Uint8Array(pack.size);
  let at = 0;
  const reader = response.body.getReader();
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    if (at + next.value.length > content.length) throw new Error(`${pack.file} is larger than its manifest says`);
    content.set(next.value, at);
    onBytes((at += next.value.length));
  }
  const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", content));
  if (toHex(hash) !== pack.sha256) throw new Error(`${pack.file} has a wrong hash`);
  const plain = new Blob([content]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Uint8Array(await new Response(plain).arrayBuffer());
}

/** Return the files of an archive of tools/build_pocket.py: one line with names and lengths, then the files. */
export function unpack(archive: Uint8Array<ArrayBuffer>): [string, Uint8Array<ArrayBuffer>][] {
  const end = archive.indexOf(NEWLINE);
  const names = JSON.parse(new TextDecoder().decode(archive.subarray(0, end))) as [string, number][];
  let at = end + 1;
  return names.map(([name, length]) => [name, archive.subarray(at, (at += length))]);
}

async function store(cache: Cache, pack: Pack, content: Uint8Array<ArrayBuffer>): Promise<void> {
  for (const [name, bytes] of unpack(content)) {
    const type = CONTENT_TYPES[name.split(".").at(-1)!] ?? "application/octet-stream";
    await cache.put(folderOf(pack, name), new Response(bytes, { headers: { "Content-Type": type } }));
  }
}

async function deleteOldPacks(cache: Cache, { packs }: Manifest): Promise<void> {
  const current = [INSTALLED, ...packs.map((pack) => folderOf(pack))];
  for (const { url } of await cache.keys()) {
    const { pathname } = new URL(url);
    if (!current.some((prefix) => pathname.startsWith(prefix))) await cache.delete(url);
  }
}
