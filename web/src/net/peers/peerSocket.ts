// A guest's connection to a table in another browser, with the interface of a WebSocket.

import { ACCEPTED, isAnswer, isClose, type Answer, type Ask, type Close, type Hello } from "./channelMessages.ts";
import type { LocalRequest } from "../local/messages.ts";
import type { Description } from "./description.ts";
import { describe, newConnection, setRemote, whenLost, type Offer } from "./peerConnection.ts";
import { peerTable, randomText, type PeerTable } from "./peerTables.ts";
import { fromBase64Url } from "./base64url.ts";
import { TableBoxes } from "./rendezvous.ts";

const OPEN_TIMEOUT = 7500; // below the timeout of `ReconnectingConnection`
const HALF = 16;
const open = new Map<string, PeerSocket>(); // by table code

/** Ask the holder of a table for what a server answers over HTTP. The response is JSON, or a refusal with a reason. */
export async function askPeer(code: string, request: LocalRequest): Promise<unknown> {
  const socket = open.get(code);
  return socket ? socket.ask(request) : { reason: "offline" };
}

export class PeerSocket {
  onopen: (() => void) | null = null;
  onmessage: ((message: { data: string }) => void) | null = null;
  onclose: ((closed: { code: number; reason: string }) => void) | null = null;
  readyState: number = WebSocket.CONNECTING;
  readonly #code: string;
  readonly #screen: boolean;
  readonly #peer = newConnection();
  readonly #channel = this.#peer.createDataChannel("table");
  readonly #abort = new AbortController();
  readonly #pending = new Map<number, { text: string; resolve: (body: unknown) => void }>();
  #asked = 0;
  #answered = false;

  constructor(code: string, screen: boolean) {
    this.#code = code;
    this.#screen = screen;
    const timer = setTimeout(() => this.#closed(this.#answered ? "peer_unreachable" : "peer_silent"), OPEN_TIMEOUT);
    this.#abort.signal.addEventListener("abort", () => clearTimeout(timer));
    this.#channel.onmessage = ({ data }: MessageEvent<string>) => this.#receive(data, timer);
    this.#channel.onclose = () => this.#closed("");
    whenLost(this.#peer, () => this.#closed(""));
    void this.#connect().catch(() => this.#closed(""));
  }

  send(frame: string): void {
    this.#channel.send(frame);
  }
  close(): void {
    this.#closed("");
  }
  ask(request: LocalRequest): Promise<unknown> {
    const ask = this.#asked++;
    const answer = new Promise((resolve) => this.#pending.set(ask, { text: "", resolve }));
    this.#channel.send(JSON.stringify({ ask, request } satisfies Ask));
    return answer;
  }

  async #connect(): Promise<void> {
    const table = peerTable(this.#code);
    if (!table) return this.#closed("no_such_table");
    const boxes = await TableBoxes.open(table.invitation);
    const offer: Offer = { description: await describe(this.#peer), reply: randomText() };
    await boxes.send(boxes.address, offer);
    for await (const { message } of boxes.receive(offer.reply, this.#abort.signal)) {
      const { description } = message as { description: Description };
      if (!isHost(description, table)) continue; // another guest of the same table
      this.#answered = true;
      this.#channel.onopen = () => this.#channel.send(JSON.stringify({ token: table.token, screen: this.#screen } satisfies Hello));
      return setRemote(this.#peer, "answer", description);
    }
  }

  #receive(data: string, timer: ReturnType<typeof setTimeout>): void {
    if (data === ACCEPTED) {
      clearTimeout(timer);
      this.readyState = WebSocket.OPEN;
      open.set(this.#code, this);
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
    if (open.get(this.#code) === this) open.delete(this.#code);
    this.#abort.abort();
    this.#peer.close();
    this.#pending.forEach(({ resolve }) => resolve({ reason: "offline" }));
    this.onclose?.({ code, reason });
  }
}

/** Return whether the certificate is the one of the invitation: other guests know the secret of the rendezvous, too. */
function isHost({ fingerprint }: Description, { invitation }: PeerTable): boolean {
  const expected = fromBase64Url(invitation).slice(HALF);
  const presented = fromBase64Url(fingerprint);
  return presented.length === 2 * HALF && expected.every((byte, at) => byte === presented[at]);
}
