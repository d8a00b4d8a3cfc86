// A connection between two devices of a table: a channel for messages between the devices, channels with frames of docs/protocol.md, and a
// channel for each request that a server would answer over HTTP.

import { packDescription, unpackDescription, type Description } from "./description.ts";
import type { Connected, MemberMessage } from "./tableMember.ts";
import type { Term } from "./succession.ts";
import { Budget, TextChannel } from "./textChannel.ts";

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
const REQUEST = "request";
const GATHER_TIMEOUT = 2000;
const LOST_AFTER = 3000; // a short interruption ends by itself
const MOST_CHARACTERS = 16 * 1024; // of a message from a device that is not trusted
const MOST_REQUEST = 2_100_000; // characters: a deck file, LARGEST_FILE of src/notahat/gifts/hat_file.py
const MOST_REQUESTS = 4; // at the same time
const MOST_MESSAGES = 120; // at once, then per second:
const MESSAGES_PER_SECOND = 20;
const COST_OF_CHANNEL = 10; // opening one with frames or a request

const iceServers = (): RTCIceServer[] =>
  (document.querySelector<HTMLMetaElement>("meta[name=ice]")?.content ?? "")
    .split(/\s+/)
    .filter(Boolean)
    .map((entry) => {
      const [urls = "", username, credential] = entry.split(",");
      return { urls, ...(username && credential ? { username, credential } : {}) };
    });

export class Link {
  onmessage: (message: LinkMessage) => void = () => undefined;
  onclosed: () => void = () => undefined;
  ongreeted: () => void = () => undefined;
  ontable: ((channel: RTCDataChannel) => void) | null = null;
  onrequest: ((text: string) => Promise<string>) | null = null;
  hasSeat = (): boolean => false; // whether the other device may send large requests
  onfailed: () => void = () => undefined;
  readonly address = crypto.randomUUID();
  readonly expects: "hello" | "welcome"; // of the other side
  guest = ""; // the device on the other side; "" if not known yet
  screen = false;
  votes = false;
  trusted = false; // the other side holds the table
  isClosed = false;
  waitsByHand = false; // people carry the answer: the connection fails at first, and most browsers try again when the other side calls
  readonly #peer = new RTCPeerConnection({ iceServers: iceServers() });
  readonly #budget = new Budget(MOST_MESSAGES, MESSAGES_PER_SECOND);
  #requests = 0;
  #channel: TextChannel | undefined;

  /** Make a connection. The side that makes the offer opens the channel between the devices. */
  constructor(makes: "offer" | "answer", expects: "hello" | "welcome", onopen: () => void = () => undefined) {
    this.expects = expects;
    if (makes === "offer") this.#use(this.#peer.createDataChannel(DEVICES), onopen);
    this.#peer.ondatachannel = ({ channel }) => {
      const taken = channel.label === DEVICES || this.#takes(COST_OF_CHANNEL);
      if (channel.label === DEVICES && !this.#channel) this.#use(channel, onopen);
      else if (channel.label === TABLE && this.ontable && taken) this.ontable(channel);
      else if (channel.label === REQUEST && this.onrequest && taken && this.#requests < MOST_REQUESTS)
        this.#answerRequest(channel);
      else channel.close();
    };
    this.#whenLost(() => (this.waitsByHand ? this.onfailed() : this.close()));
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

  openTable(): RTCDataChannel {
    return this.#peer.createDataChannel(TABLE);
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
    this.onclosed();
  }

  #use(channel: RTCDataChannel, onopen: () => void): void {
    this.#channel = new TextChannel(
      channel,
      (characters) => this.trusted || (characters <= MOST_CHARACTERS && this.#takes()),
    );
    this.#channel.onopen = onopen;
    this.#channel.onclosed = () => this.close();
    this.#channel.ontext = (text) => {
      if (this.isClosed) return;
      try {
        this.onmessage(JSON.parse(text) as LinkMessage);
      } catch {
        this.close();
      }
    };
  }

  #answerRequest(channel: RTCDataChannel): void {
    const request = new TextChannel(
      channel,
      (characters) => characters <= (this.hasSeat() ? MOST_REQUEST : MOST_CHARACTERS),
    );
    this.#requests++;
    request.onclosed = () => this.#requests--;
    request.ontext = (text) => {
      request.ontext = () => request.close(); // one is enough
      void this.onrequest?.(text).then((answer) => request.send(answer));
    };
  }

  #takes(cost = 1): boolean {
    return this.trusted || this.#budget.take(cost);
  }

  #whenLost(lost: () => void): void {
    const peer = this.#peer;
    let timer: ReturnType<typeof setTimeout> | undefined;
    peer.addEventListener("connectionstatechange", () => {
      clearTimeout(timer);
      if (peer.connectionState === "disconnected") timer = setTimeout(lost, LOST_AFTER);
      else if (peer.connectionState === "failed" || peer.connectionState === "closed") lost();
    });
  }
}
