// Sealed messages between two browsers until they are connected. Whoever passes them on cannot read them.

import { fromBase64Url, toBase64Url } from "./base64url.ts";
import { messageBoxes, type MessageBoxes } from "./messageBoxes.ts";

export interface Received {
  age: number; // seconds since it was sent
  message: unknown;
}

const SECRET_BYTES = 16;
const IV_BYTES = 12;
const encoder = new TextEncoder();

const toHex = (bytes: Uint8Array): string => [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");

/** The boxes of one table. Its address and its key follow from the secret of the invitation, but the key not from the address. */
export class TableBoxes {
  readonly address: string; // of the box in which the host receives offers
  readonly #key: CryptoKey;
  readonly #boxes: MessageBoxes | null;

  private constructor(address: string, key: CryptoKey) {
    this.address = address;
    this.#key = key;
    this.#boxes = messageBoxes(address);
  }

  static async open(invitation: string): Promise<TableBoxes> {
    const secret = await crypto.subtle.importKey("raw", fromBase64Url(invitation).slice(0, SECRET_BYTES), "HKDF", false, ["deriveBits", "deriveKey"]);
    const derive = (info: string): HkdfParams => ({ name: "HKDF", hash: "SHA-256", salt: new Uint8Array(), info: encoder.encode(info) });
    const address = await crypto.subtle.deriveBits(derive("notahat box"), secret, 128);
    const key = await crypto.subtle.deriveKey(derive("notahat seal"), secret, { name: "AES-GCM", length: 256 }, false, ["encrypt", "decrypt"]);
    return new TableBoxes(toHex(new Uint8Array(address)), key);
  }

  async send(box: string, message: object): Promise<void> {
    const iv = crypto.getRandomValues(new Uint8Array(IV_BYTES));
    const sealed = await crypto.subtle.encrypt({ name: "AES-GCM", iv }, this.#key, encoder.encode(JSON.stringify(message)));
    await this.#boxes?.put(box, toBase64Url(new Uint8Array([...iv, ...new Uint8Array(sealed)])));
  }

  /** Yield the messages of a box as they come. Messages that were sealed with another key are left out. Throw if the service fails. */
  async *receive(box: string, signal: AbortSignal): AsyncGenerator<Received> {
    for await (const { age, body } of this.#boxes?.take(box, signal) ?? []) {
      const message = await this.#open(body).catch(() => undefined);
      if (message !== undefined) yield { age, message };
    }
  }

  async #open(body: string): Promise<unknown> {
    const bytes = fromBase64Url(body);
    const plain = await crypto.subtle.decrypt({ name: "AES-GCM", iv: bytes.slice(0, IV_BYTES) }, this.#key, bytes.slice(IV_BYTES));
    return JSON.parse(new TextDecoder().decode(plain)) as unknown;
  }
}
