// A guest's connection to a table in another browser, with the interface of a WebSocket.

import { ACCEPTED, isAnswer, isClose, type Answer, type Ask, type Close } from "./channelMessages.ts";
import type { LocalRequest } from "../local/messages.ts";
import type { Link } from "./link.ts";
import type { HolderClient, PeerDevice } from "./peerDevice.ts";

const OPEN_TIMEOUT = 7500; // below the timeout of `ReconnectingConnection`
const open = new Map<string, PeerSocket>(); // by table code

/** Ask the holder of a table for what a server answers over HTTP. The response is JSON, or a refusal with a reason. */
export async function askPeer(code: string, request: LocalRequest): Promise<unknown> {
  const socket = open.get(code);
  return socket ? socket.ask(request) : { reason: "offline" };
}

export class PeerSocket implements HolderClient {
  onopen: (() => void) | null = null;
  onmessage: ((message: { data: string }) => void) | null = null;
  onclose: ((closed: { code: number; reason: string }) => void) | null = null;
  readyState: number = WebSocket.CONNECTING;
  readonly #device: PeerDevice;
  readonly #timer: ReturnType<typeof setTimeout>;
  readonly #pending = new Map<number, { text: string; resolve: (body: unknown) => void }>();
  #link: Link | undefined;
  #channel: RTCDataChannel | undefined;
  #asked = 0;
  readonly #unsent: string[] = [];

  constructor(device: PeerDevice) {
    this.#device = device;
    this.#timer = setTimeout(() => this.#closed(device.whyUnreachable), OPEN_TIMEOUT);
    device.attach(this);
  }

  /** Enter the table over a link to its holder. */
  use(link: Link): void {
    if (link === this.#link) return;
    if (this.#link) return this.lost();
    this.#link = link;
    this.#channel = link.openTable();
    this.#channel.onmessage = ({ data }: MessageEvent<string>) => this.#receive(data);
    this.#channel.onclose = () => this.#closed("");
    this.#channel.onopen = () => this.#unsent.splice(0).forEach((frame) => this.send(frame));
  }
  lost(): void {
    this.#closed("");
  }

  send(frame: string): void {
    if (this.#channel?.readyState === "open") this.#channel.send(frame);
    else if (this.#channel?.readyState === "connecting") this.#unsent.push(frame); // the holder's first messages may come before the channel is open
  }
  close(): void {
    this.#closed("");
  }
  ask(request: LocalRequest): Promise<unknown> {
    const ask = this.#asked++;
    const answer = new Promise((resolve) => this.#pending.set(ask, { text: "", resolve }));
    this.send(JSON.stringify({ ask, request } satisfies Ask));
    return answer;
  }

  #receive(data: string): void {
    if (data === ACCEPTED) {
      clearTimeout(this.#timer);
      this.readyState = WebSocket.OPEN;
      open.set(this.#device.code, this);
      this.onopen?.();
    } else if (isAnswer(data)) this.#receiveAnswer(JSON.parse(data) as Answer);
    else if (isClose(data)) {
      const [code, reason] = (JSON.parse(data) as Close).close;
      this.#closed(reason, code);
    } else this.onmessage?.({ data });
  }

  #receiveAnswer({ answer, part, more }: Answer): void {
    const pending = this.#pending.get(answer);
    if (!pending) return;
    pending.text += part;
    if (more) return;
    this.#pending.delete(answer);
    pending.resolve(JSON.parse(pending.text));
  }

  #closed(reason: string, code = 1000): void {
    if (this.readyState === WebSocket.CLOSED) return;
    this.readyState = WebSocket.CLOSED;
    if (open.get(this.#device.code) === this) open.delete(this.#device.code);
    clearTimeout(this.#timer);
    this.#device.detach(this);
    this.#channel?.close();
    this.#pending.forEach(({ resolve }) => resolve({ reason: "offline" }));
    this.onclose?.({ code, reason });
  }
}
