// Sealed messages between two browsers until they are connected. The rendezvous that passes them on cannot read them.

import { fromBase64Url } from "./base64url.ts";
import { HttpBoxes } from "./httpBoxes.ts";
import { rendezvousUrl } from "./peerTables.ts";
import { deriveSealKey, hkdf, seal, unseal } from "./seal.ts";

export interface Received {
  age: number; // seconds since it was sent
  message: unknown;
}

const SECRET_BYTES = 16;

const toHex = (bytes: Uint8Array): string => [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");

/** The boxes of one table. Its address and its key follow from the secret of the invitation, but the key not from the address. */
export class TableBoxes {
  readonly address: string; // of the box in which the host receives offers
  readonly #key: CryptoKey;
  readonly #boxes: HttpBoxes | null;

  private constructor(address: string, key: CryptoKey) {
    this.address = address;
    this.#key = key;
    this.#boxes = rendezvousUrl() ? new HttpBoxes(rendezvousUrl(), address) : null;
  }

  static async open(invitation: string): Promise<TableBoxes> {
    const secret = await crypto.subtle.importKey("raw", fromBase64Url(invitation).slice(0, SECRET_BYTES), "HKDF", false, ["deriveBits", "deriveKey"]);
    const address = await crypto.subtle.deriveBits(hkdf("notahat box"), secret, 128);
    return new TableBoxes(toHex(new Uint8Array(address)), await deriveSealKey(secret, "notahat seal"));
  }

  async send(box: string, message: object): Promise<void> {
    await this.#boxes?.put(box, await seal(this.#key, JSON.stringify(message)));
  }

  /** Yield the messages of a box as they come. Messages that were sealed with another key are left out. Throw if the rendezvous fails. */
  async *receive(box: string, signal: AbortSignal): AsyncGenerator<Received> {
    for await (const { age, body } of this.#boxes?.take(box, signal) ?? []) {
      const text = await unseal(this.#key, body).catch(() => undefined);
      if (text !== undefined) yield { age, message: JSON.parse(text) as unknown };
    }
  }
}
