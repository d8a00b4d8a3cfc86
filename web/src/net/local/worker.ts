// The worker that holds Python and the tables of this device. What is hidden on them never leaves it.

import { unpacked } from "./archive.ts";
import { forget, python, type Pocket } from "./pyodide.ts";
import { Shelf } from "./indexedDbLog.ts";
import type { Ask, FromPocket, ToPocket } from "./messages.ts";
import type { TableView } from "../../wire.ts";

const SITE = "/lib/python3.14/site-packages";
const LINGER = 10_000;

const now = (): number => performance.now() / 1000;
const at = (): number => Date.now() / 1000;
const say = (message: FromPocket): void => postMessage(message);

/** As much of what is told as whoever waits for an answer needs. */
interface Answer {
  ack?: string;
  no?: string;
  reason?: string;
  detail?: string;
  view?: TableView;
}

let pocket: Pocket;
let shelf: Shelf;
const lines = new Map<string, string>(); // which table each leads to
const alarms = new Map<string, ReturnType<typeof setTimeout>>();
const errands = new Map<string, (answer: Answer) => void>(); // lines that are there for one order and its answer
const opening = new Map<string, Promise<string>>();
const tabs = new BroadcastChannel("notahat.pocket"); // other tabs of this browser have the same shelf

const browser = {
  append: (code: string, version: number, key: string, entry: string): void => void append(code, version, key, entry),
  keep: (code: string, version: number, schema: number, state: string): void =>
    shelf.keep(code, `{"version":${version},"schema":${schema},"state":${state}}`),
  send: (line: string, frame: string): void => {
    const errand = errands.get(line);
    if (errand) errand(JSON.parse(frame) as Answer);
    else say({ from: "frame", line, frame });
  },
  close: (line: string, _code: number, reason: string): void => {
    lines.delete(line);
    errands.get(line)?.({ no: line, reason: "busy" });
    say({ from: "closed", line, reason });
  },
  wake: (code: string, when: number | null | undefined): void => {
    clearTimeout(alarms.get(code));
    if (when === null || when === undefined) alarms.delete(code);
    else alarms.set(code, setTimeout(() => woken(code, when), Math.max(0, (when - now()) * 1000)));
  },
};

/** Durable first, then acknowledged; where another tab was quicker, the log decides. */
async function append(code: string, version: number, key: string, entry: string): Promise<void> {
  try {
    if (await shelf.write(code, version + 1, key, entry)) {
      pocket.committed(code, version, now());
      tabs.postMessage(code);
    } else pocket.overtaken(code, version, await shelf.read(code, pocket.version(code)), now());
  } catch (error) {
    mishap(code, error);
  }
}

/** Something broke: what is in the log is true, and its lines come back to a table that is read from there. */
function mishap(code: string, error: unknown): void {
  console.error(error);
  opening.delete(code);
  if (pocket.holds(code)) pocket.failed(code);
}

function woken(code: string, when: number): void {
  try {
    pocket.woken(code, Math.max(when, now()));
  } catch (error) {
    mishap(code, error);
  }
}

tabs.onmessage = ({ data: code }: MessageEvent<string>) => {
  if (pocket?.holds(code)) void shelf.read(code, pocket.version(code)).then((news) => pocket.holds(code) && pocket.news(code, news, now()));
};

/** Take a table from the shelf, once however many ask; an empty text, or a refusal. */
function held(code: string): Promise<string> {
  if (pocket.holds(code)) return Promise.resolve("");
  const waiting = opening.get(code) ?? opened(code).finally(() => opening.delete(code));
  opening.set(code, waiting);
  return waiting;
}

async function opened(code: string): Promise<string> {
  const snapshot = await shelf.snapshot(code);
  return pocket.open(code, snapshot, await shelf.read(code, pocket.read_from(snapshot)), now(), at());
}

async function start({ python: folder, game, pace }: ToPocket & { to: "start" }): Promise<void> {
  const trees = Promise.all([treeOf(`${folder}msgspec.tree`), treeOf(`${game}notahat.tree`)]);
  const started = await python(folder);
  for (const [name, content] of (await trees).flat()) {
    started.FS.mkdirTree(`${SITE}/${name.slice(0, name.lastIndexOf("/"))}`);
    started.FS.writeFile(`${SITE}/${name}`, content);
  }
  shelf = await Shelf.open();
  pocket = started.pyimport("notahat.clients.pocket").Pocket(browser, pace);
  void shelf.clean();
}

async function broken(folder: string, error: unknown): Promise<void> {
  await forget(folder).catch(console.warn);
  say({ from: "broken", why: String(error) });
}

async function treeOf(url: string): Promise<ReturnType<typeof unpacked>> {
  const answer = await fetch(url);
  if (!answer.ok) throw new Error(`${url}: ${answer.status}`);
  return unpacked(new Uint8Array(await answer.arrayBuffer()));
}

async function answered(ask: Ask): Promise<string> {
  if (ask.what === "open") return openTable(ask.options, ask.day);
  if (ask.what === "log") return shelf.read(ask.code);
  if (ask.what === "lines") return pocket.lines(ask.asked);
  if (ask.what === "deck") return pocket.deck(await shelf.read(ask.code, ask.version - 1, ask.version));
  const refusal = await held(ask.code);
  if (refusal) return refusal;
  if (ask.what === "put_deck") return putDeck(ask.code, ask.hat);
  return ask.what === "summary" ? pocket.summary(ask.code) : pocket.story(ask.code, ask.round, await shelf.read(ask.code));
}

async function openTable(options: string, day: string): Promise<string> {
  for (;;) {
    const code = await shelf.nextCode();
    const entry = pocket.first_entry(code, options, at(), day);
    if ("reason" in (JSON.parse(entry) as object)) return entry;
    if (await shelf.write(code, 1, "opened", entry)) return JSON.stringify({ code, link: `/t/${code}` });
  }
}

/** Bring a deck to a table, the way that all orders go. */
async function putDeck(code: string, hat: string): Promise<string> {
  const line = crypto.randomUUID();
  lines.set(line, code);
  const { no, reason, detail, view } = await new Promise<Answer>((resolve) => {
    errands.set(line, (answer) => (answer.ack || answer.no) && resolve(answer));
    pocket.arrived(code, line, now(), false);
    pocket.put_deck(code, line, line, hat, now());
  });
  errands.delete(line);
  hangUp(line);
  return JSON.stringify(no ? { reason, detail } : view!.deck);
}

async function connect(line: string, code: string): Promise<void> {
  const refusal = await held(code);
  if (refusal) return say({ from: "closed", line, reason: (JSON.parse(refusal) as { reason: string }).reason });
  lines.set(line, code);
  say({ from: "open", line });
  pocket.arrived(code, line, now(), true);
}

function hangUp(line: string): void {
  const code = lines.get(line);
  lines.delete(line);
  if (code === undefined || !pocket.holds(code)) return;
  pocket.left(code, line, now());
  setTimeout(() => pocket.holds(code) && pocket.put_away(code), LINGER);
}

async function heard(message: ToPocket): Promise<void> {
  if (message.to === "start") return start(message).then(() => say({ from: "ready" }), (error: unknown) => broken(message.python, error));
  if (message.to === "line") return connect(message.line, message.code);
  if (message.to === "hang_up") return hangUp(message.line);
  if (message.to === "ask") return say({ from: "answer", id: message.id, body: await answered(message.ask).catch(unanswered) });
  const code = lines.get(message.line);
  if (code === undefined) return;
  try {
    pocket.received(code, message.line, message.frame, now());
  } catch (error) {
    mishap(code, error);
  }
}

function unanswered(error: unknown): string {
  console.error(error);
  return JSON.stringify({ reason: "other" });
}

onmessage = ({ data }: MessageEvent<ToPocket>) => void heard(data);
