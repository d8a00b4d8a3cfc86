// The keys of a table. Holder and successors prove with one that they hold the table that an invitation names; everyone
// who has the invitation seals messages for the rendezvous with another.

import type { Description } from "./description.ts";
import { fromBase64Url, toBase64Url, toHex } from "../encoding.ts";
import type { Term } from "./succession.ts";

const CURVE = { name: "ECDSA", namedCurve: "P-256" };
const SIGNATURE = { name: "ECDSA", hash: "SHA-256" };
const CIPHER = "AES-GCM";
const HALF = 16; // bytes of the secret, and of the hash of the key
const IV_BYTES = 12;
const encoder = new TextEncoder();

const sha256 = async (data: BufferSource): Promise<Uint8Array> =>
  new Uint8Array(await crypto.subtle.digest("SHA-256", data)).slice(0, HALF);

/** Return the device that has a token. Nobody can make the token from it. */
export const deviceOf = async (token: string): Promise<string> =>
  toHex(await sha256(encoder.encode(`notahat guest ${token}`)));

/** Make the key of a new table, and its invitation: the secret of the rendezvous and the hash of the key. */
export async function newTableKey(): Promise<{ key: JsonWebKey; invitation: string }> {
  const { privateKey, publicKey } = await crypto.subtle.generateKey(CURVE, true, ["sign", "verify"]);
  const hash = await sha256(await crypto.subtle.exportKey("raw", publicKey));
  const invitation = toBase64Url(new Uint8Array([...crypto.getRandomValues(new Uint8Array(HALF)), ...hash]));
  return { key: await crypto.subtle.exportKey("jwk", privateKey), invitation };
}

/** Return a text that proves that its maker has the key. */
export async function prove(key: JsonWebKey, text: string): Promise<string> {
  const { x, y, kty, crv } = key;
  const privateKey = await crypto.subtle.importKey("jwk", key, CURVE, false, ["sign"]);
  const publicKey = await crypto.subtle.importKey("jwk", { x, y, kty, crv } as JsonWebKey, CURVE, true, ["verify"]);
  const signature = await crypto.subtle.sign(SIGNATURE, privateKey, encoder.encode(text));
  const proof = [await crypto.subtle.exportKey("raw", publicKey), signature];
  return proof.map((part) => toBase64Url(new Uint8Array(part))).join(".");
}

/** Return whether a text was proved with the key of an invitation. */
export async function isProved(invitation: string, text: string, proof: string): Promise<boolean> {
  try {
    const [key = new Uint8Array(), signature = new Uint8Array()] = proof.split(".").map(fromBase64Url);
    const hash = await sha256(key);
    const invited = fromBase64Url(invitation).slice(HALF);
    if (!invited.every((byte, at) => byte === hash[at])) return false;
    const publicKey = await crypto.subtle.importKey("raw", key, CURVE, false, ["verify"]);
    return await crypto.subtle.verify(SIGNATURE, publicKey, signature, encoder.encode(text));
  } catch {
    return false;
  }
}

/** The text that the holder of a table proves to a guest who wants to connect. */
export const connectionText = (description: Description): string => `notahat connection ${description}`;
export const termText = (code: string, { generation, holder, successor, copy, voters }: Term): string =>
  `notahat term ${JSON.stringify([code, generation, holder, successor, copy, Object.entries(voters).sort()])}`;

/** Return the address of a table's box and the key that seals what is in it. They follow from the secret of the
 * invitation, but the key not from the address. */
export async function boxOf(invitation: string): Promise<{ address: string; key: CryptoKey }> {
  const secret = fromBase64Url(invitation).slice(0, HALF);
  const source = await crypto.subtle.importKey("raw", secret, "HKDF", false, ["deriveBits", "deriveKey"]);
  const hkdf = { name: "HKDF", hash: "SHA-256", salt: new Uint8Array() };
  const forBox = { ...hkdf, info: encoder.encode("notahat box") };
  const forSeal = { ...hkdf, info: encoder.encode("notahat seal") };
  const address = toHex(new Uint8Array(await crypto.subtle.deriveBits(forBox, source, 128)));
  const cipher = { name: CIPHER, length: 256 };
  return { address, key: await crypto.subtle.deriveKey(forSeal, source, cipher, false, ["encrypt", "decrypt"]) };
}

export async function seal(key: CryptoKey, text: string): Promise<string> {
  const iv = crypto.getRandomValues(new Uint8Array(IV_BYTES));
  const sealed = await crypto.subtle.encrypt({ name: CIPHER, iv }, key, encoder.encode(text));
  return toBase64Url(new Uint8Array([...iv, ...new Uint8Array(sealed)]));
}

/** Throw if the text was sealed with another key. */
export async function unseal(key: CryptoKey, sealed: string): Promise<string> {
  const bytes = fromBase64Url(sealed);
  const [iv, rest] = [bytes.slice(0, IV_BYTES), bytes.slice(IV_BYTES)];
  return new TextDecoder().decode(await crypto.subtle.decrypt({ name: CIPHER, iv }, key, rest));
}
