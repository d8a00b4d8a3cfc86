// The page's side of the pocket: starts the worker when the first table of this device is wanted.

import { shellKept } from "../../app/serviceWorker.ts";
import { placeOf, remembered, taken } from "./manifest.ts";
import type { Ask, FromPocket, ToPocket } from "./messages.ts";

/** A line into the pocket, which behaves as a browser's own WebSocket does. */
export class Wire {
  onopen: (() => void) | null = null;
  onmessage: ((message: { data: string }) => void) | null = null;
  onclose: ((closed: { reason: string }) => void) | null = null;
  readyState: number = WebSocket.CONNECTING;
  readonly #name = crypto.randomUUID();

  constructor(code: string) {
    wires.set(this.#name, this);
    void running().then(() => post({ to: "line", line: this.#name, code }), () => this.closed("no_pocket"));
  }
  send(frame: string): void {
    post({ to: "frame", line: this.#name, frame });
  }
  close(): void {
    post({ to: "hang_up", line: this.#name });
    this.closed("");
  }
  heard(message: FromPocket & { line: string }): void {
    if (message.from === "open") {
      this.readyState = WebSocket.OPEN;
      this.onopen?.();
    } else if (message.from === "frame") this.onmessage?.({ data: message.frame });
    else if (message.from === "closed") this.closed(message.reason);
  }
  closed(reason: string): void {
    if (!wires.delete(this.#name)) return;
    this.readyState = WebSocket.CLOSED;
    this.onclose?.({ reason });
  }
}

const UNUSED = 10_000;
const wires = new Map<string, Wire>();
const asked = new Map<number, (body: string) => void>();
let worker: Worker | undefined;
let started: Promise<void> | undefined;
let count = 0;

const post = (message: ToPocket): void => worker?.postMessage(message);

/** Ask something; the answer is JSON, or a refusal with a reason. */
export async function ask(question: Ask): Promise<unknown> {
  await running();
  const id = count++;
  const body = new Promise<string>((resolve) => asked.set(id, resolve));
  post({ to: "ask", id, ask: question });
  return JSON.parse(await body);
}

/** Python and the game, started once; where that fails, another try starts afresh. */
export function running(): Promise<void> {
  started ??= start().catch((error: unknown) => {
    end();
    throw error;
  });
  return started;
}

/** Start once, for the memory that all later starts begin with; unless somebody plays in a moment, it ends again. */
export async function prepare(): Promise<void> {
  const parcel = await taken();
  if (!parcel || (await remembered(parcel))) return;
  await running();
  setTimeout(() => wires.size + asked.size === 0 && end(), UNUSED);
}

function end(): void {
  worker?.terminate();
  worker = started = undefined;
}

async function start(): Promise<void> {
  const parcel = await taken();
  if (!parcel) throw new Error("nothing was taken along");
  await shellKept();
  const [python, game] = parcel.packs.map((pack) => new URL(placeOf(pack), location.href).href);
  const pace = Number(document.querySelector<HTMLMetaElement>("meta[name=pace]")?.content ?? 1);
  worker = new Worker(new URL("./worker.ts", import.meta.url), { type: "module", name: "pocket" });
  await new Promise<void>((resolve, reject) => {
    worker!.onerror = ({ message }) => reject(new Error(message));
    worker!.onmessage = ({ data }: MessageEvent<FromPocket>) => {
      if (data.from === "ready") resolve();
      else if (data.from === "broken") reject(new Error(data.why));
      else if (data.from === "answer") {
        asked.get(data.id)?.(data.body);
        asked.delete(data.id);
      } else wires.get(data.line)?.heard(data);
    };
    post({ to: "start", python: python!, game: game!, pace });
  });
}
