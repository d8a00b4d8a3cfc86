// The rendezvous: passes sealed messages between two browsers until they are connected. It cannot read them.

import { jitter } from "../retry.ts";
import { fromBase64Url, toBase64Url } from "./base64url.ts";
import { rendezvousUrl } from "./peerTables.ts";
import type { SealedMessages } from "../../wire.ts";

export interface Received {
  age: number; // seconds since it was sent
  message: unknown;
}

const SECRET_BYTES = 16;
const IV_BYTES = 12;
const READ = "notahat.read.";
const MOST_TRIES = 3;
const RETRY = 700;
const encoder = new TextEncoder();

const boxUrl = (box: string): string => `${rendezvousUrl().replace(/\/$/, "")}/api/rendezvous/${box}`;
const toHex = (bytes: Uint8Array): string => [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");

/** The boxes of one table. Its address and its key follow from the secret of the invitation, but the key not from the address. */
export class TableBoxes {
  readonly address: string; // of the box in which the host receives offers
  readonly #key: CryptoKey;

  private constructor(address: string, key: CryptoKey) {
    this.address = address;
    this.#key = key;
  }

  static async open(invitation: string): Promise<TableBoxes> {
    const secret = await crypto.subtle.importKey("raw", fromBase64Url(invitation).slice(0, SECRET_BYTES), "HKDF", false, ["deriveBits", "deriveKey"]);
    const derive = (info: string): HkdfParams => ({ name: "HKDF", hash: "SHA-256", salt: new Uint8Array(), info: encoder.encode(info) });
    const address = await crypto.subtle.deriveBits(derive("notahat box"), secret, 128);
    const key = await crypto.subtle.deriveKey(derive("notahat seal"), secret, { name: "AES-GCM", length: 256 }, false, ["encrypt", "decrypt"]);
    return new TableBoxes(toHex(new Uint8Array(address)), key);
  }

  /** Send a message; try again if the rendezvous is busy. */
  async send(box: string, message: object): Promise<void> {
    for (let tries = MOST_TRIES; ; tries--) {
      try {
        return await this.#sendOnce(box, message);
      } catch (error) {
        if (tries <= 1) throw error;
        await new Promise((resolve) => setTimeout(resolve, jitter(RETRY)));
      }
    }
  }

  async #sendOnce(box: string, message: object): Promise<void> {
    const iv = crypto.getRandomValues(new Uint8Array(IV_BYTES));
    const sealed = await crypto.subtle.encrypt({ name: "AES-GCM", iv }, this.#key, encoder.encode(JSON.stringify(message)));
    const body = toBase64Url(new Uint8Array([...iv, ...new Uint8Array(sealed)]));
    const response = await fetch(boxUrl(box), { method: "POST", body, credentials: "omit", referrerPolicy: "no-referrer" });
    if (!response.ok) throw new Error(`rendezvous: ${response.status}`);
  }

  /** Yield the messages of a box as they come, without those that this tab has read before. Messages that were sealed with another key
   *  are left out. Throw if the rendezvous fails. */
  async *receive(box: string, signal: AbortSignal): AsyncGenerator<Received> {
    for (let after = Number(sessionStorage.getItem(READ + box) ?? 0); ; ) {
      const response = await fetch(`${boxUrl(box)}?after=${after}`, { signal, credentials: "omit", referrerPolicy: "no-referrer" });
      if (!response.ok) throw new Error(`rendezvous: ${response.status}`);
      for (const { number, age, body } of ((await response.json()) as SealedMessages).messages) {
        after = number;
        if (box === this.address) sessionStorage.setItem(READ + box, String(number)); // a page that was loaded again does not answer twice
        const message = await this.#open(body).catch(() => undefined);
        if (message !== undefined) yield { age, message };
      }
    }
  }

  async #open(body: string): Promise<unknown> {
    const bytes = fromBase64Url(body);
    const plain = await crypto.subtle.decrypt({ name: "AES-GCM", iv: bytes.slice(0, IV_BYTES) }, this.#key, bytes.slice(IV_BYTES));
    return JSON.parse(new TextDecoder().decode(plain)) as unknown;
  }
}
