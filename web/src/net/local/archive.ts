// Files in one: a line that names them and their lengths, then all of them. tools/build_pocket.py packs.

export const KEPT = `notahat ${import.meta.env.BASE_URL} pocket`; // the cache that the service worker leaves alone
export const MEMORY = "started.memory"; // beside Python: what its first start left, for later ones to begin with
const END_OF_LINE = 10;

export function unpacked(pack: Uint8Array<ArrayBuffer>): [string, Uint8Array<ArrayBuffer>][] {
  const end = pack.indexOf(END_OF_LINE);
  const names = JSON.parse(new TextDecoder().decode(pack.subarray(0, end))) as [string, number][];
  let at = end + 1;
  return names.map(([name, length]) => [name, pack.subarray(at, (at += length))]);
}
