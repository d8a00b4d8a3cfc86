// The worker that runs Python and the tables of this device. Hidden gifts never leave it.

import { unpack } from "./manifest.ts";
import { deleteSnapshot, loadPython, type Pocket } from "./pyodide.ts";
import { IndexedDbLog, type Entry } from "./indexedDbLog.ts";
import { isPeer } from "../transport.ts";
import type { Devices, Frame, FromWorker, LocalRequest, RemoteGuest, ToWorker } from "./messages.ts";

const SITE_PACKAGES = "/lib/python3.14/site-packages";
const IDLE_TIMEOUT = 10_000;

const now = (): number => performance.now() / 1000;
const at = (): number => Date.now() / 1000;

let pocket: Pocket;
let log: IndexedDbLog;
const connections = new Map<string, string>(); // table code by connection
const unconfirmed = new Map<string, Map<number, () => void>>(); // by table code and version
const wakeTimers = new Map<string, ReturnType<typeof setTimeout>>();
const devices = new Map<string, string>(); // as posted, by table code
let frames: Frame[] = []; // that wait for the end of a step
const otherTabs = new BroadcastChannel("notahat.pocket"); // they share the log

const browser = {
  load: (code: string): void => void closeOnError(code, () => load(code)),
  append: (number: number, code: string, version: number, key: string, entry: string): void =>
    void closeOnError(code, () => append(number, code, version, key, entry)),
  read_log: (number: number, code: string, version: number | null | undefined): void =>
    void closeOnError(
      code,
      async () => pocket.log_read(number, await log.read(code, (version ?? 1) - 1, version ?? undefined)),
      () => pocket.log_unread(number),
    ),
  save_snapshot: (code: string, version: number, schema: number, state: string): void =>
    log.writeSnapshot(code, `{"version":${version},"schema":${schema},"state":${state}}`),
  send: (connection: string, frame: string): void =>
    void (frames.push({ connection, frame }) === 1 && queueMicrotask(postFrames)),
  close: (connection: string, code: number, reason: string): void => {
    connections.delete(connection);
    post({ from: "closed", connection, code, reason });
  },
  reply: (id: number, body: string): void => post({ from: "response", id, body }),
  schedule_wake: (code: string, when: number | null | undefined): void => {
    clearTimeout(wakeTimers.get(code));
    if (when === null || when === undefined) wakeTimers.delete(code);
    else wakeTimers.set(code, setTimeout(() => wake(code, when), Math.max(0, (when - now()) * 1000)));
  },
};

/** Post a message after the frames that were made before it. */
function post(message: FromWorker): void {
  postFrames();
  postMessage(message);
}

/** Post the frames of a step together: each message wakes the page, which draws before it passes the next one on. */
function postFrames(): void {
  if (frames.length > 0) postMessage({ from: "frames", frames } satisfies FromWorker);
  frames = [];
}

async function load(code: string): Promise<void> {
  const snapshot = await log.readSnapshot(code);
  const entries = await log.read(code, pocket.replay_after(snapshot));
  if (!pocket.loaded(code, snapshot, entries, now(), at())) post({ from: "outdated" });
  else if (isPeer(code)) postDevices(code);
}

/** Write an entry, then report the commit, or the conflict if another tab wrote first. */
async function append(number: number, code: string, version: number, key: string, entry: string): Promise<void> {
  if (await log.append(code, version + 1, key, entry)) {
    if (isPeer(code)) return awaitConfirmation(number, { code, version: version + 1, command: key, entry });
    pocket.committed(number, code, now());
    otherTabs.postMessage(code);
  } else pocket.conflicted(number, code, await log.read(code, version), now());
}

/** Commit an entry of a table for other devices when its successor has it, too. */
function awaitConfirmation(number: number, added: Entry): void {
  const { code, version } = added;
  const waiting = unconfirmed.get(code) ?? new Map<number, () => void>();
  unconfirmed.set(code, waiting);
  waiting.set(version, () => {
    pocket.committed(number, code, now());
    postDevices(code);
  });
  post({ from: "entry", ...added });
}

function confirm(code: string, version: number): void {
  const waiting = unconfirmed.get(code);
  for (const [entry, commit] of [...(waiting ?? [])]) {
    if (entry > version) continue;
    waiting!.delete(entry);
    void closeOnError(code, commit);
  }
}

/** Post the devices at a table if they have changed. */
function postDevices(code: string): void {
  const current = pocket.devices(code);
  if (devices.get(code) === current) return;
  devices.set(code, current);
  post({ from: "devices", code, devices: JSON.parse(current) as Devices });
}

/** Close a table. Its entries that were not confirmed are not acknowledged any more. */
function release(code: string): void {
  unconfirmed.delete(code);
  devices.delete(code);
  if (pocket?.is_open(code)) pocket.failed(code);
}

/** Close a table if an action fails. Its connections reconnect, and the table is read from the log again. */
async function closeOnError(code: string, action: () => void | Promise<void>, onError?: () => void): Promise<void> {
  try {
    await action();
  } catch (error) {
    console.error(error);
    try {
      pocket.failed(code);
      onError?.();
    } catch (fatal) {
      post({ from: "failed", error: String(fatal) }); // Python itself has failed: the page starts another worker
    }
  }
}

function wake(code: string, when: number): void {
  void closeOnError(code, () => pocket.wake(code, Math.max(when, now())));
}

otherTabs.onmessage = ({ data: code }: MessageEvent<string>) => {
  const readNewCommits = async (): Promise<void> =>
    pocket.commits_received(code, await log.read(code, pocket.version(code)), now());
  if (pocket?.is_open(code)) void closeOnError(code, readNewCommits);
};

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

/** Answer a request at once, or let the pocket reply to it. Without a `guest` it comes from this device. */
async function handleRequest(id: number, request: LocalRequest, guest = ""): Promise<void> {
  switch (request.what) {
    case "open":
      return browser.reply(id, await openTable(request.options, request.day, guest, request.code));
    case "log":
      return browser.reply(id, await log.read(request.code));
    case "lines":
      return browser.reply(id, pocket.spoken_lines(request.query));
    case "summary":
      return pocket.summary(id, request.code, now(), guest);
    case "story":
      return pocket.story(id, request.code, request.round, now(), guest);
    case "deck":
      return pocket.deck(id, request.code, request.version, now(), guest);
    case "put_deck":
      return pocket.put_deck(id, request.code, crypto.randomUUID(), request.hat, now(), guest);
  }
}

async function openTable(options: string, day: string, guest: string, chosen?: string): Promise<string> {
  for (;;) {
    const code = chosen ?? (await log.nextCode());
    const entry = pocket.opening_entry(code, options, at(), day, guest);
    if ("reason" in (JSON.parse(entry) as object)) return entry;
    if (await log.append(code, 1, "opened", entry)) return JSON.stringify({ code, link: `/t/${code}` });
  }
}

function connect(connection: string, code: string, remote?: RemoteGuest): void {
  connections.set(connection, code);
  post({ from: "open", connection });
  if (remote) pocket.connect_guest(code, connection, remote.guest, now(), true, remote.screen);
  else pocket.connect(code, connection, now(), true);
}

function disconnect(connection: string): void {
  const code = connections.get(connection);
  connections.delete(connection);
  if (code === undefined) return;
  void closeOnError(code, () => pocket.disconnect(code, connection, now()));
  setTimeout(() => pocket.close_if_idle(code), IDLE_TIMEOUT);
}

async function receive(message: ToWorker): Promise<void> {
  switch (message.to) {
    case "start":
      return start(message).then(
        () => post({ from: "ready" }),
        (error: unknown) => reportFailedStart(message.python, error),
      );
    case "connect":
      return closeOnError(
        message.code,
        () => connect(message.connection, message.code, message.guest),
        () => browser.close(message.connection, 1011, ""),
      );
    case "disconnect":
      return disconnect(message.connection);
    case "confirm":
      return confirm(message.code, message.version);
    case "release":
      return release(message.code);
    case "request":
      return handleRequest(message.id, message.request, message.guest).catch((error: unknown) => {
        console.error(error);
        browser.reply(message.id, '{"reason":"other"}');
      });
    case "frame":
      return receiveFrame(message.connection, message.frame);
  }
}

async function receiveFrame(connection: string, frame: string): Promise<void> {
  const code = connections.get(connection);
  if (code !== undefined) await closeOnError(code, () => pocket.receive(code, connection, frame, now()));
}

onmessage = ({ data }: MessageEvent<ToWorker>) => void receive(data);
