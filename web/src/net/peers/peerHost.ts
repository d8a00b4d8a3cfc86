// Holds a table for other devices: receives their offers at the rendezvous and accepts their connections.

import { jitter } from "../retry.ts";
import { toBase64Url, fromBase64Url } from "./base64url.ts";
import { loadCertificate, newCertificate } from "./certificates.ts";
import type { Description } from "./description.ts";
import { GuestChannel } from "./guestChannel.ts";
import { describe, newConnection, setRemote, whenLost, type Offer } from "./peerConnection.ts";
import { newPeerCode, peerTable, randomText, rememberTable } from "./peerTables.ts";
import { TableBoxes } from "./rendezvous.ts";

const FRESH_SECONDS = 10; // older offers belong to guests who have tried again
const OPEN_TIMEOUT = 15_000;
const CLOSE_TIMEOUT = 1000; // the reason of the close reaches the guest before
const RETRY = 2000;
const MOST_GUESTS = 32;
const HALF = 16; // bytes of the secret, and of the host's fingerprint

const held = new Map<string, Promise<boolean>>();

/** Make the code and the invitation of a new table that this browser holds. */
export async function newHostedTable(): Promise<string> {
  const code = newPeerCode();
  const fingerprint = fromBase64Url((await newCertificate(code)).fingerprint).slice(0, HALF);
  const invitation = toBase64Url(new Uint8Array([...crypto.getRandomValues(new Uint8Array(HALF)), ...fingerprint]));
  rememberTable(code, { invitation, token: randomText(), hosted: true });
  return code;
}

/** Hold a table from now on. Return false if another tab of this browser holds it. */
export function holdTable(code: string): Promise<boolean> {
  const holds = held.get(code) ?? lockTable(code);
  held.set(code, holds);
  return holds.then((locked) => {
    if (!locked) held.delete(code);
    return locked;
  });
}

function lockTable(code: string): Promise<boolean> {
  return new Promise((resolve) => {
    void navigator.locks.request(`notahat ${code}`, { ifAvailable: true }, async (lock) => {
      resolve(lock !== null);
      if (lock) await new PeerHost(code).run();
    });
  });
}

class PeerHost {
  readonly #code: string;
  readonly #guests = new Set<RTCPeerConnection>();

  constructor(code: string) {
    this.#code = code;
    addEventListener("pagehide", () => this.#guests.forEach((peer) => peer.close()));
  }

  /** Receive offers as long as this page exists. */
  async run(): Promise<never> {
    const certificate = await loadCertificate(this.#code);
    const boxes = await TableBoxes.open(peerTable(this.#code)!.invitation);
    for (;;) {
      try {
        for await (const { age, message } of boxes.receive(boxes.address, new AbortController().signal))
          if (age < FRESH_SECONDS) void this.#accept(message as Offer, boxes, certificate).catch(console.warn);
      } catch {
        await new Promise((resolve) => setTimeout(resolve, jitter(RETRY))); // the rendezvous is out of reach
      }
    }
  }

  async #accept(offer: Offer, boxes: TableBoxes, certificate: RTCCertificate): Promise<void> {
    if (this.#guests.size >= MOST_GUESTS) return;
    const peer = newConnection([certificate]);
    this.#guests.add(peer);
    const end = (): void => {
      this.#guests.delete(peer);
      setTimeout(() => peer.close(), CLOSE_TIMEOUT);
    };
    const timer = setTimeout(end, OPEN_TIMEOUT);
    peer.ondatachannel = ({ channel }) => {
      peer.ondatachannel = null; // one for each guest
      clearTimeout(timer);
      const guest = new GuestChannel(this.#code, channel, end);
      whenLost(peer, () => guest.close());
    };
    try {
      await setRemote(peer, "offer", offer.description);
      const description: Description = await describe(peer);
      await boxes.send(offer.reply, { description });
    } catch (error) {
      end();
      throw error;
    }
  }
}
