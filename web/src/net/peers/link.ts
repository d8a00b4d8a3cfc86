// A connection between two devices of a table: one channel for messages between the devices, and channels with frames of docs/protocol.md.

import { MAX_FRAME } from "./channelMessages.ts";
import type { Connected, MemberMessage } from "./tableMember.ts";
import type { Description } from "./description.ts";
import type { Term } from "./succession.ts";
import { whenLost } from "./peerConnection.ts";

/** How a device introduces itself; the one that was called answers with `welcome`. */
export interface Greeting extends Connected {
  token?: string; // stays between guest and holder
  device?: string; // of the one that was called
  screen: boolean;
  votes: boolean; // a second tab of a browser and a big screen do not
  term: Term | null;
}
export type LinkMessage =
  | { to: "proof"; proof: string } // of an offer that was carried by hand
  | { to: "hello" | "welcome"; greeting: Greeting }
  | { to: "member"; message: MemberMessage; key?: JsonWebKey }
  | { to: "offer"; description: Description } // to the successor, passed on by the holder
  | { to: "offered"; via: string; guest: string; description: Description }
  | { to: "answer"; via: string; description: Description }
  | { to: "answered"; description: Description };

const DEVICES = "devices";
const TABLE = "table";
const PART = 2000; // characters, which JSON may double
const MOST_PARTS = 8; // of a device that is not trusted
const MOST_MESSAGES = 120; // at once, then per second:
const MESSAGES_PER_SECOND = 20;
const COST_OF_TABLE = 10; // opening a channel with frames

export class Link {
  onmessage: (message: LinkMessage) => void = () => undefined;
  onclosed: () => void = () => undefined;
  ongreeted: () => void = () => undefined;
  ontable: ((channel: RTCDataChannel) => void) | null = null;
  readonly address = crypto.randomUUID();
  readonly expects: "hello" | "welcome"; // of the other side
  guest = ""; // the device on the other side; "" if not known yet
  screen = false;
  votes = false;
  trusted = false; // the other side holds the table
  isClosed = false;
  waitsByHand = false; // people carry the answer: the connection fails at first, and most browsers try again when the other side calls
  onfailed: () => void = () => undefined;
  #parts: string[] = [];
  #budget = MOST_MESSAGES;
  #budgetAt = Date.now();
  #channel: RTCDataChannel | undefined;
  readonly #peer: RTCPeerConnection;

  /** Use a connection. The side that made the offer opens the channel between the devices. */
  constructor(peer: RTCPeerConnection, made: "offer" | "answer", expects: "hello" | "welcome", onopen: () => void = () => undefined) {
    this.#peer = peer;
    this.expects = expects;
    if (made === "offer") this.#use(peer.createDataChannel(DEVICES), onopen);
    peer.ondatachannel = ({ channel }) => {
      if (channel.label === DEVICES && !this.#channel) this.#use(channel, onopen);
      else if (channel.label === TABLE && this.ontable && this.#isWithinBudget(COST_OF_TABLE)) this.ontable(channel);
      else channel.close();
    };
    whenLost(peer, () => (this.waitsByHand ? this.onfailed() : this.close()));
  }

  #use(channel: RTCDataChannel, onopen: () => void): void {
    this.#channel = channel;
    channel.onopen = onopen;
    channel.onclose = () => this.close();
    channel.onmessage = ({ data }: MessageEvent<unknown>) => this.#receive(data);
    if (channel.readyState === "open") onopen();
  }

  openTable(): RTCDataChannel {
    return this.#peer.createDataChannel(TABLE);
  }

  send(message: LinkMessage): void {
    if (this.#channel?.readyState !== "open") return;
    const text = JSON.stringify(message);
    for (let at = 0; at < text.length; at += PART) this.#channel.send(JSON.stringify([text.slice(at, at + PART), at + PART < text.length]));
  }

  close(): void {
    if (this.isClosed) return;
    this.isClosed = true;
    setTimeout(() => this.#peer.close());
    this.onclosed();
  }

  #receive(data: unknown): void {
    if (this.isClosed) return;
    try {
      if (typeof data !== "string" || data.length > MAX_FRAME || !this.#isWithinBudget()) throw new Error("too much");
      const [part, more] = JSON.parse(data) as [string, boolean];
      this.#parts.push(part);
      if (!this.trusted && this.#parts.length > MOST_PARTS) throw new Error("too long");
      if (more) return;
      const message = JSON.parse(this.#parts.join("")) as LinkMessage;
      this.#parts = [];
      this.onmessage(message);
    } catch (error) {
      console.warn(error);
      this.close();
    }
  }

  #isWithinBudget(cost = 1): boolean {
    if (this.trusted) return true;
    const now = Date.now();
    this.#budget = Math.min(MOST_MESSAGES, this.#budget + ((now - this.#budgetAt) / 1000) * MESSAGES_PER_SECOND) - cost;
    this.#budgetAt = now;
    return this.#budget >= 0;
  }
}
