// A connection between two devices of a table. Each of its channels carries texts of any length: messages between the
// devices, frames of docs/protocol.md, and requests that a server would answer over HTTP.

import { packDescription, unpackDescription, type Description } from "./description.ts";
import type { Connected, MemberMessage } from "./tableMember.ts";
import type { Term } from "./succession.ts";

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
  // to the successor and back; `via` is the link over which the holder got the offer
  | { to: "offer"; description: Description; via?: string; guest?: string }
  | { to: "answer"; description: Description; via?: string };

/** What a device does with its links. */
export interface LinkOwner {
  received(link: Link, message: LinkMessage): void;
  closed(link: Link): void;
  entered(link: Link, channel: TextChannel): void; // which carries frames
  requested(link: Link, text: string): Promise<string>;
  hasSeat(device: string): boolean;
}

const DEVICES = "devices";
const TABLE = "table";
const REQUEST = "request";
const GATHER_TIMEOUT = 2000;
const LOST_AFTER = 3000; // a short interruption ends by itself
const PART = 8 * 1024; // characters; all browsers pass messages of 64 KiB
const LOW = 64 * 1024; // bytes that wait to be sent
const [MORE, LAST] = ["+", "."];
const MOST_FRAME = 8 * 1024; // as in src/notahat/live/limits.py
const MOST_CHARACTERS = 16 * 1024; // of a message from a device that is not trusted
const MOST_REQUEST = 2_100_000; // characters: a deck file, LARGEST_FILE of src/notahat/gifts/hat_file.py
const MOST_REQUESTS = 4; // at the same time
const MOST_MESSAGES = 120; // at once, then per second:
const MESSAGES_PER_SECOND = 20;
const COST_OF_CHANNEL = 10; // opening one with frames or a request

/** How much another device may do: an amount at once, then an amount per second. */
export class Budget {
  readonly #most: number;
  readonly #perSecond: number;
  #left: number;
  #at = Date.now();

  constructor(most: number, perSecond: number) {
    this.#most = this.#left = most;
    this.#perSecond = perSecond;
  }

  /** Return whether there was enough. Who takes too much has to wait for longer. */
  take(cost = 1): boolean {
    const now = Date.now();
    this.#left = Math.min(this.#most, this.#left + ((now - this.#at) / 1000) * this.#perSecond) - cost;
    this.#at = now;
    return this.#left >= 0;
  }
}

/** Texts over a data channel: split into parts, not faster than the other side reads, and limited. */
export class TextChannel {
  ontext: (text: string) => void = () => undefined;
  onclosed: () => void = () => undefined;
  onrefused: () => void = () => this.close(); // the other side has sent too much
  readonly #channel: RTCDataChannel;
  readonly #accepts: (characters: number) => boolean;
  readonly #unsent: string[] = [];
  #received = "";

  /** Use a data channel. `accepts` says whether one more part may come, by the length of its text so far. */
  constructor(channel: RTCDataChannel, accepts: (characters: number) => boolean, onopen?: () => void) {
    this.#channel = channel;
    this.#accepts = accepts;
    channel.bufferedAmountLowThreshold = LOW;
    channel.onbufferedamountlow = () => this.#flush();
    channel.onmessage = ({ data }: MessageEvent<unknown>) => this.#receive(data);
    channel.onclose = () => this.onclosed();
    channel.onopen = () => {
      this.#flush();
      onopen?.();
    };
    if (channel.readyState === "open") queueMicrotask(channel.onopen as () => void);
  }

  get isOpen(): boolean {
    return this.#channel.readyState === "open";
  }
  /** How many characters the other side has not read. */
  get unread(): number {
    return this.#unsent.reduce((sum, part) => sum + part.length, this.#channel.bufferedAmount);
  }

  /** Send a text, or keep it until the channel is open. */
  send(text: string): void {
    for (let at = 0; at === 0 || at < text.length; at += PART)
      this.#unsent.push((at + PART < text.length ? MORE : LAST) + text.slice(at, at + PART));
    this.#flush();
  }

  /** Close after all that was sent. */
  close(): void {
    this.#flush(Infinity);
    this.#channel.close();
  }

  #flush(most = LOW): void {
    while (this.isOpen && this.#unsent.length > 0 && this.#channel.bufferedAmount <= most)
      this.#channel.send(this.#unsent.shift()!);
  }

  #receive(data: unknown): void {
    if (typeof data !== "string" || data.length > PART + 1 || !this.#accepts(this.#received.length + data.length - 1)) {
      console.warn("a device sends too much");
      return this.onrefused();
    }
    this.#received += data.slice(1);
    if (data.startsWith(MORE)) return;
    const text = this.#received;
    this.#received = "";
    this.ontext(text);
  }
}

const iceServers = (): RTCIceServer[] =>
  (document.querySelector<HTMLMetaElement>("meta[name=ice]")?.content ?? "")
    .split(/\s+/)
    .filter(Boolean)
    .map((entry) => {
      const [urls = "", username, credential] = entry.split(",");
      return { urls, ...(username && credential ? { username, credential } : {}) };
    });

export class Link {
  readonly address = crypto.randomUUID();
  readonly expects: "hello" | "welcome"; // of the other side
  guest = ""; // the device on the other side; "" if not known yet
  screen = false;
  votes = false;
  isGreeted = false; // the devices know each other
  isTrusted = false; // the other side holds the table
  isClosed = false;
  offer: Description | undefined; // that was carried here by hand, until the other side has proved it
  onlost: () => void = () => this.close();
  onfailed: () => void = () => undefined; // closed before the devices knew each other
  ongreeted: () => void = () => undefined;
  readonly #owner: LinkOwner;
  readonly #peer = new RTCPeerConnection({ iceServers: iceServers() });
  readonly #budget = new Budget(MOST_MESSAGES, MESSAGES_PER_SECOND);
  #requests = 0;
  #channel: TextChannel | undefined;

  /** Make a connection. The side that makes the offer opens the channel between the devices, and calls back then. */
  constructor(owner: LinkOwner, expects: "hello" | "welcome", onopen?: (link: Link) => void) {
    this.expects = expects;
    this.#owner = owner;
    if (onopen) this.#use(this.#peer.createDataChannel(DEVICES), () => onopen(this));
    this.#peer.ondatachannel = ({ channel }) => this.#accept(channel);
    let timer: ReturnType<typeof setTimeout> | undefined;
    this.#peer.onconnectionstatechange = () => {
      const { connectionState } = this.#peer;
      clearTimeout(timer);
      if (connectionState === "disconnected") timer = setTimeout(() => this.onlost(), LOST_AFTER);
      else if (connectionState === "failed" || connectionState === "closed") this.onlost();
    };
  }

  /** Make the local description with all its candidates, and return what the other side needs of it. */
  async describe(): Promise<Description> {
    const peer = this.#peer;
    await peer.setLocalDescription();
    if (peer.iceGatheringState !== "complete")
      await new Promise<void>((resolve) => {
        peer.addEventListener("icegatheringstatechange", () => peer.iceGatheringState === "complete" && resolve());
        setTimeout(resolve, GATHER_TIMEOUT); // an address that does not answer
      });
    return packDescription(peer.localDescription!.sdp);
  }

  setRemote(type: "offer" | "answer", description: Description): Promise<void> {
    return this.#peer.setRemoteDescription({ type, sdp: unpackDescription(description, type) });
  }

  /** Open a channel for frames to the holder. */
  openTable(): TextChannel {
    return new TextChannel(this.#peer.createDataChannel(TABLE), () => true);
  }

  /** Send a request to the holder and return its answer. Throw if the connection closes before. */
  request(text: string): Promise<string> {
    const channel = new TextChannel(this.#peer.createDataChannel(REQUEST), () => true);
    channel.send(text);
    return new Promise<string>((resolve, reject) => {
      channel.ontext = resolve;
      channel.onclosed = () => reject(new Error("closed"));
    }).finally(() => channel.close());
  }

  send(message: LinkMessage): void {
    if (this.#channel?.isOpen) this.#channel.send(JSON.stringify(message));
  }

  close(): void {
    if (this.isClosed) return;
    this.isClosed = true;
    setTimeout(() => this.#peer.close());
    this.#owner.closed(this);
  }
  /** Close unless the other side introduces itself in time. */
  closeUnlessGreeted(timeout: number): void {
    setTimeout(() => !this.isGreeted && this.close(), timeout);
  }

  #accept(channel: RTCDataChannel): void {
    if (channel.label === DEVICES && !this.#channel) return this.#use(channel);
    const isTable = channel.label === TABLE;
    if (!this.isGreeted || !this.#takes(COST_OF_CHANNEL) || (!isTable && this.#requests >= MOST_REQUESTS))
      return channel.close();
    if (isTable) this.#owner.entered(this, new TextChannel(channel, (characters) => characters <= MOST_FRAME));
    else this.#answerRequest(channel);
  }

  #use(channel: RTCDataChannel, onopen?: () => void): void {
    const accepts = (characters: number): boolean =>
      this.isTrusted || (characters <= MOST_CHARACTERS && this.#takes());
    this.#channel = new TextChannel(channel, accepts, onopen);
    this.#channel.onclosed = () => this.close();
    this.#channel.ontext = (text) => {
      if (this.isClosed) return;
      try {
        this.#owner.received(this, JSON.parse(text) as LinkMessage);
      } catch {
        this.close();
      }
    };
  }

  #answerRequest(channel: RTCDataChannel): void {
    const most = this.#owner.hasSeat(this.guest) ? MOST_REQUEST : MOST_CHARACTERS;
    const request = new TextChannel(channel, (characters) => characters <= most);
    this.#requests++;
    request.onclosed = () => this.#requests--;
    request.ontext = (text) => {
      request.ontext = () => request.close(); // one is enough
      void this.#owner.requested(this, text).then((answer) => request.send(answer));
    };
  }

  #takes(cost = 1): boolean {
    return this.isTrusted || this.#budget.take(cost);
  }
}
