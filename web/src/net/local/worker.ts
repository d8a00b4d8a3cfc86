// The worker that runs Python and the tables of this device. Hidden gifts never leave it.

import { unpack } from "./archive.ts";
import { deleteSnapshot, loadPython, type Pocket } from "./pyodide.ts";
import { IndexedDbLog } from "./indexedDbLog.ts";
import type { FromWorker, LocalRequest, ToWorker } from "./messages.ts";
import type { TableView } from "../../wire.ts";

const SITE_PACKAGES = "/lib/python3.14/site-packages";
const IDLE_TIMEOUT = 10_000;

const now = (): number => performance.now() / 1000;
const at = (): number => Date.now() / 1000;
const post = (message: FromWorker): void => postMessage(message);

/** The part of a server message that answers a command. */
interface Answer {
  ack?: string;
  no?: string;
  reason?: string;
  detail?: string;
  view?: TableView;
}

let pocket: Pocket;
let log: IndexedDbLog;
const connections = new Map<string, string>(); // table code by connection
const wakeTimers = new Map<string, ReturnType<typeof setTimeout>>();
const oneCommandConnections = new Map<string, (answer: Answer) => void>();
const opening = new Map<string, Promise<string>>();
const otherTabs = new BroadcastChannel("notahat.pocket"); // they share the log

const browser = {
  append: (code: string, version: number, key: string, entry: string): void => void append(code, version, key, entry),
  save_snapshot: (code: string, version: number, schema: number, state: string): void =>
    log.writeSnapshot(code, `{"version":${version},"schema":${schema},"state":${state}}`),
  send: (connection: string, frame: string): void => {
    const onAnswer = oneCommandConnections.get(connection);
    if (onAnswer) onAnswer(JSON.parse(frame) as Answer);
    else post({ from: "frame", connection, frame });
  },
  close: (connection: string, _code: number, reason: string): void => {
    connections.delete(connection);
    oneCommandConnections.get(connection)?.({ no: connection, reason: "busy" });
    post({ from: "closed", connection, reason });
  },
  schedule_wake: (code: string, when: number | null | undefined): void => {
    clearTimeout(wakeTimers.get(code));
    if (when === null || when === undefined) wakeTimers.delete(code);
    else wakeTimers.set(code, setTimeout(() => wake(code, when), Math.max(0, (when - now()) * 1000)));
  },
};

/** Write an entry, then report the commit, or the conflict if another tab wrote first. */
async function append(code: string, version: number, key: string, entry: string): Promise<void> {
  await closeOnError(code, async () => {
    if (await log.append(code, version + 1, key, entry)) {
      pocket.handle_commit(code, version, now());
      otherTabs.postMessage(code);
    } else pocket.handle_conflict(code, version, await log.read(code, pocket.version(code)), now());
  });
}

/** Close a table if an action fails. Its connections reconnect, and the table is read from the log again. */
async function closeOnError(code: string, action: () => void | Promise<void>, onError?: () => void): Promise<void> {
  try {
    await action();
  } catch (error) {
    console.error(error);
    opening.delete(code);
    if (pocket.is_open(code)) pocket.handle_failure(code);
    onError?.();
  }
}

function wake(code: string, when: number): void {
  void closeOnError(code, () => pocket.handle_wake(code, Math.max(when, now())));
}

otherTabs.onmessage = ({ data: code }: MessageEvent<string>) => {
  if (pocket?.is_open(code)) void closeOnError(code, () => applyCommits(code));
};

async function applyCommits(code: string): Promise<void> {
  const entries = await log.read(code, pocket.version(code));
  if (pocket.is_open(code)) pocket.apply_commits(code, entries, now());
}

/** Open a table from the log unless it is open. Return an empty text, or a refusal. */
function ensureOpen(code: string): Promise<string> {
  if (pocket.is_open(code)) return Promise.resolve("");
  const waiting = opening.get(code) ?? open(code).finally(() => opening.delete(code));
  opening.set(code, waiting);
  return waiting;
}

async function open(code: string): Promise<string> {
  const snapshot = await log.readSnapshot(code);
  const refusal = pocket.open(code, snapshot, await log.read(code, pocket.replay_after(snapshot)), now(), at());
  if (refusal && reasonOf(refusal) === "busy") post({ from: "outdated" });
  return refusal;
}

const reasonOf = (refusal: string): string => (JSON.parse(refusal) as { reason: string }).reason;

async function start({ python: folder, game, pace }: ToWorker & { to: "start" }): Promise<void> {
  const archives = Promise.all([fetchArchive(`${folder}msgspec.tree`), fetchArchive(`${game}notahat.tree`)]);
  const python = await loadPython(folder);
  for (const [name, content] of (await archives).flat()) {
    python.FS.mkdirTree(`${SITE_PACKAGES}/${name.slice(0, name.lastIndexOf("/"))}`);
    python.FS.writeFile(`${SITE_PACKAGES}/${name}`, content);
  }
  log = await IndexedDbLog.open();
  pocket = python.pyimport("notahat.clients.pocket").Pocket(browser, pace);
  void log.deleteOld();
}

/** A memory snapshot may be the cause of a failed start, so the next start does not use it. */
async function reportFailedStart(folder: string, error: unknown): Promise<void> {
  await deleteSnapshot(folder).catch(console.warn);
  post({ from: "failed", error: String(error) });
}

async function fetchArchive(url: string): Promise<ReturnType<typeof unpack>> {
  const response = await fetch(url);
  if (!response.ok) throw new Error(`${url}: ${response.status}`);
  return unpack(new Uint8Array(await response.arrayBuffer()));
}

async function handleRequest(request: LocalRequest): Promise<string> {
  if (request.what === "open") return openTable(request.options, request.day);
  if (request.what === "log") return log.read(request.code);
  if (request.what === "lines") return pocket.spoken_lines(request.query);
  if (request.what === "deck") return pocket.deck(await log.read(request.code, request.version - 1, request.version));
  const refusal = await ensureOpen(request.code);
  if (refusal) return refusal;
  if (request.what === "put_deck") return putDeck(request.code, request.hat);
  return request.what === "summary" ? pocket.summary(request.code) : pocket.story(request.code, request.round, await log.read(request.code));
}

async function openTable(options: string, day: string): Promise<string> {
  for (;;) {
    const code = await log.nextCode();
    const entry = pocket.opening_entry(code, options, at(), day);
    if ("reason" in (JSON.parse(entry) as object)) return entry;
    if (await log.append(code, 1, "opened", entry)) return JSON.stringify({ code, link: `/t/${code}` });
  }
}

/** Put a deck on a table, by a connection for this one command. */
async function putDeck(code: string, hat: string): Promise<string> {
  const connection = crypto.randomUUID();
  connections.set(connection, code);
  const answered = new Promise<Answer>((resolve) => {
    oneCommandConnections.set(connection, (answer) => (answer.ack || answer.no) && resolve(answer));
    pocket.connect(code, connection, now(), false);
    pocket.put_deck(code, connection, connection, hat, now());
  });
  const { no, reason, detail, view } = await answered.finally(() => {
    oneCommandConnections.delete(connection);
    disconnect(connection);
  });
  return JSON.stringify(no ? { reason, detail } : view!.deck);
}

async function connect(connection: string, code: string): Promise<void> {
  const refusal = await ensureOpen(code);
  if (refusal) return post({ from: "closed", connection, reason: reasonOf(refusal) });
  connections.set(connection, code);
  post({ from: "open", connection });
  pocket.connect(code, connection, now(), true);
}

function disconnect(connection: string): void {
  const code = connections.get(connection);
  connections.delete(connection);
  if (code === undefined || !pocket.is_open(code)) return;
  void closeOnError(code, () => pocket.disconnect(code, connection, now()));
  setTimeout(() => pocket.is_open(code) && pocket.close_if_idle(code), IDLE_TIMEOUT);
}

async function receive(message: ToWorker): Promise<void> {
  switch (message.to) {
    case "start":
      return start(message).then(() => post({ from: "ready" }), (error: unknown) => reportFailedStart(message.python, error));
    case "connect":
      return closeOnError(message.code, () => connect(message.connection, message.code), () => browser.close(message.connection, 0, ""));
    case "disconnect":
      return disconnect(message.connection);
    case "request":
      return post({ from: "response", id: message.id, body: await handleRequest(message.request).catch(logError) });
    case "frame":
      return receiveFrame(message.connection, message.frame);
  }
}

async function receiveFrame(connection: string, frame: string): Promise<void> {
  const code = connections.get(connection);
  if (code !== undefined) await closeOnError(code, () => pocket.receive(code, connection, frame, now()));
}

function logError(error: unknown): string {
  console.error(error);
  return JSON.stringify({ reason: "other" });
}

onmessage = ({ data }: MessageEvent<ToWorker>) => void receive(data);
