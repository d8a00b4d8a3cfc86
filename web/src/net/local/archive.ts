// The archives of tools/build_pocket.py (one line with file names and lengths, then the files), and the cache for them.

import { BASE } from "../base.ts";

export const CACHE = `notahat ${BASE} pocket`; // the service worker keeps it across releases
export const MEMORY_SNAPSHOT = "started.memory"; // beside Python: its memory after the first start
const NEWLINE = 10;

export function unpack(archive: Uint8Array<ArrayBuffer>): [string, Uint8Array<ArrayBuffer>][] {
  const end = archive.indexOf(NEWLINE);
  const names = JSON.parse(new TextDecoder().decode(archive.subarray(0, end))) as [string, number][];
  let at = end + 1;
  return names.map(([name, length]) => [name, archive.subarray(at, (at += length))]);
}
