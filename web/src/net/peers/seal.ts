// Texts sealed with a key (AES-GCM), as base64url.

import { fromBase64Url, toBase64Url } from "./base64url.ts";

const IV_BYTES = 12;

/** Derive a key from a secret. */
export const deriveSealKey = (secret: CryptoKey, info: string): Promise<CryptoKey> =>
  crypto.subtle.deriveKey(hkdf(info), secret, { name: "AES-GCM", length: 256 }, false, ["encrypt", "decrypt"]);

export const hkdf = (info: string): HkdfParams => ({ name: "HKDF", hash: "SHA-256", salt: new Uint8Array(), info: new TextEncoder().encode(info) });

export async function seal(key: CryptoKey, text: string): Promise<string> {
  const iv = crypto.getRandomValues(new Uint8Array(IV_BYTES));
  const sealed = await crypto.subtle.encrypt({ name: "AES-GCM", iv }, key, new TextEncoder().encode(text));
  return toBase64Url(new Uint8Array([...iv, ...new Uint8Array(sealed)]));
}

/** Throw if the text was sealed with another key. */
export async function unseal(key: CryptoKey, sealed: string): Promise<string> {
  const bytes = fromBase64Url(sealed);
  const plain = await crypto.subtle.decrypt({ name: "AES-GCM", iv: bytes.slice(0, IV_BYTES) }, key, bytes.slice(IV_BYTES));
  return new TextDecoder().decode(plain);
}
