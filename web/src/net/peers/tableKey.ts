// The key of a table. The holder and its successors have it: they prove with it that they hold the table that an invitation names.

import { fromBase64Url, toBase64Url } from "./base64url.ts";
import type { Description } from "./description.ts";
import type { Term } from "./succession.ts";

const CURVE = { name: "ECDSA", namedCurve: "P-256" };
const SIGNATURE = { name: "ECDSA", hash: "SHA-256" };
const HALF = 16; // bytes of the secret, and of the hash of the key
const encoder = new TextEncoder();

async function hashOf(publicKey: Uint8Array<ArrayBuffer>): Promise<Uint8Array> {
  return new Uint8Array(await crypto.subtle.digest("SHA-256", publicKey)).slice(0, HALF);
}

/** Make the key of a new table, and its invitation: the secret of the rendezvous and the hash of the key. */
export async function newTableKey(): Promise<{ key: JsonWebKey; invitation: string }> {
  const { privateKey, publicKey } = await crypto.subtle.generateKey(CURVE, true, ["sign", "verify"]);
  const hash = await hashOf(new Uint8Array(await crypto.subtle.exportKey("raw", publicKey)));
  const invitation = toBase64Url(new Uint8Array([...crypto.getRandomValues(new Uint8Array(HALF)), ...hash]));
  return { key: await crypto.subtle.exportKey("jwk", privateKey), invitation };
}

/** Return a text that proves that its maker has the key. */
export async function prove(key: JsonWebKey, text: string): Promise<string> {
  const { x, y, kty, crv } = key;
  const publicKey = await crypto.subtle.importKey("jwk", { x, y, kty, crv } as JsonWebKey, CURVE, true, ["verify"]);
  const signature = await crypto.subtle.sign(SIGNATURE, await crypto.subtle.importKey("jwk", key, CURVE, false, ["sign"]), encoder.encode(text));
  return `${toBase64Url(new Uint8Array(await crypto.subtle.exportKey("raw", publicKey)))}.${toBase64Url(new Uint8Array(signature))}`;
}

/** Return whether a text was proved with the key of an invitation. */
export async function isProved(invitation: string, text: string, proof: string): Promise<boolean> {
  try {
    const [key = new Uint8Array(), signature = new Uint8Array()] = proof.split(".").map(fromBase64Url);
    const hash = await hashOf(key);
    if (!fromBase64Url(invitation).slice(HALF).every((byte, at) => byte === hash[at])) return false;
    return await crypto.subtle.verify(SIGNATURE, await crypto.subtle.importKey("raw", key, CURVE, false, ["verify"]), signature, encoder.encode(text));
  } catch {
    return false;
  }
}

/** The text that the holder of a table proves to a guest who wants to connect. */
export const connectionText = (description: Description): string => `notahat connection ${description}`;
export const termText = (code: string, { generation, holder, successor, copy, voters }: Term): string =>
  `notahat term ${JSON.stringify([code, generation, holder, successor, copy, Object.entries(voters).sort()])}`;
