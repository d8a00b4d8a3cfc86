// What the pocket is made of, and how it gets into this browser: fetched once, checked, unpacked and kept.

import { KEPT, MEMORY, unpacked } from "./archive.ts";

interface Pack {
  file: string;
  size: number;
  sha256: string;
}
export interface Parcel {
  packs: Pack[];
}

const FOLDER = `${import.meta.env.BASE_URL}pocket/`;
const TAKEN = `${FOLDER}taken.json`;
const PATIENCE = 8000; // a network that is there and answers nothing is none
const KINDS: Record<string, string> = { mjs: "text/javascript", wasm: "application/wasm" };

/** Where a file of a pack is found once it is unpacked. Only the service worker knows these addresses. */
export const placeOf = (pack: Pack, name = ""): string => `${FOLDER}${pack.file.replace(".pack", "")}/${name}`;
export const sizeOf = ({ packs }: Parcel): number => packs.reduce((sum, { size }) => sum + size, 0);

/** Whether this browser can keep things and run them: it needs a safe connection for that. */
export const able = (): boolean =>
  isSecureContext && "serviceWorker" in navigator && "caches" in self && "DecompressionStream" in self && "WebAssembly" in self;

/** Whether this server has nothing to take along; it says so in its page. */
export const notPacked = (): boolean => document.querySelector("meta[name=pocket]") !== null;

/** What there is to fetch; null where nothing is offered or nobody answers. */
export async function offered(): Promise<Parcel | null> {
  if (notPacked()) return null;
  const answer = await fetch(`${FOLDER}parcel.json`, { cache: "no-cache", signal: AbortSignal.timeout(PATIENCE) }).catch(() => null);
  return answer?.ok ? ((await answer.json().catch(() => null)) as Parcel | null) : null;
}

/** What this browser has already. */
export async function taken(): Promise<Parcel | null> {
  if (!able()) return null;
  const kept = await (await caches.open(KEPT)).match(TAKEN);
  return kept ? ((await kept.json()) as Parcel) : null;
}

/** Whether Python was started once, and its memory kept. */
export const remembered = async ({ packs }: Parcel): Promise<boolean> => (await caches.match(placeOf(packs[0]!, MEMORY))) !== undefined;

/** Fetch what is not here yet. `progress` hears from 0 to 1. */
export async function take(parcel: Parcel, progress: (part: number) => void): Promise<void> {
  const cache = await caches.open(KEPT);
  const whole = sizeOf(parcel);
  let done = 0;
  const before = await taken();
  for (const pack of parcel.packs) {
    const known = before?.packs.some(({ file }) => file === pack.file);
    if (!known) await put(cache, pack, await fetched(pack, (bytes) => progress((done + bytes) / whole)));
    done += pack.size;
  }
  await cache.put(TAKEN, new Response(JSON.stringify(parcel)));
  await tidy(cache, parcel);
  void navigator.storage?.persist?.();
}

async function fetched(pack: Pack, heard: (bytes: number) => void): Promise<Uint8Array<ArrayBuffer>> {
  const answer = await fetch(FOLDER + pack.file);
  if (!answer.ok || !answer.body) throw new Error(`${pack.file}: ${answer.status}`);
  const all = new Uint8Array(pack.size);
  let at = 0;
  const reader = answer.body.getReader();
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    if (at + next.value.length > all.length) throw new Error(`${pack.file} is larger than it should be`);
    all.set(next.value, at);
    heard((at += next.value.length));
  }
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", all));
  const hash = [...digest].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  if (hash !== pack.sha256) throw new Error(`${pack.file} is not what it should be`);
  const plain = new Blob([all]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Uint8Array(await new Response(plain).arrayBuffer());
}

async function put(cache: Cache, pack: Pack, content: Uint8Array<ArrayBuffer>): Promise<void> {
  for (const [name, bytes] of unpacked(content)) {
    const kind = KINDS[name.split(".").at(-1)!] ?? "application/octet-stream";
    await cache.put(placeOf(pack, name), new Response(bytes, { headers: { "Content-Type": kind } }));
  }
}

/** Packs of yesterday go, once nothing needs them any more. */
async function tidy(cache: Cache, { packs }: Parcel): Promise<void> {
  const wanted = [TAKEN, ...packs.map((pack) => placeOf(pack))];
  for (const { url } of await cache.keys()) {
    const { pathname } = new URL(url);
    if (!wanted.some((place) => pathname.startsWith(place))) await cache.delete(url);
  }
}
