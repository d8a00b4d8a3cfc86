import { finalizeEvent, generateSecretKey, type NostrEvent } from "nostr-tools/pure";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { RelayBoxes } from "../../../src/net/peers/relayBoxes.ts";
import type { BoxMessage } from "../../../src/net/peers/messageBoxes.ts";
import { FakeRelays } from "./fakeRelay.ts";

const [A, B] = ["wss://a.example", "wss://b.example"] as const;
const [BOX, OTHER] = ["0".repeat(32), "1".repeat(32)] as const;
const SHORT = 20; // ms in which relays answer

let relays: FakeRelays;

beforeEach(() => {
  vi.useFakeTimers();
  relays = new FakeRelays(A, B);
  vi.stubGlobal("WebSocket", relays.Socket);
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

/** Collect the messages of a box. */
function reading(boxes: RelayBoxes, box: string): { taken: BoxMessage[]; abort: () => void; ended: Promise<unknown> } {
  const [taken, controller] = [[] as BoxMessage[], new AbortController()];
  const read = async (): Promise<void> => {
    for await (const message of boxes.take(box, controller.signal)) taken.push(message);
  };
  return { taken, abort: () => controller.abort(), ended: read().catch((error: unknown) => error) };
}

const wait = (ms = SHORT): Promise<unknown> => vi.advanceTimersByTimeAsync(ms);

function event(body: string, age = 0): NostrEvent {
  const created_at = Math.floor(Date.now() / 1000) - age;
  return finalizeEvent({ kind: 24_287, created_at, tags: [["x", BOX]], content: body }, generateSecretKey());
}

async function put(body: string, box: string = BOX): Promise<void> {
  await Promise.all([new RelayBoxes([A, B]).put(box, body), wait()]);
}

test("a message reaches its box once, through two relays", async () => {
  const { taken } = reading(new RelayBoxes([A, B]), BOX);
  await wait();
  await put("offer");
  await put("for another box", OTHER);
  await wait();
  expect(taken).toEqual([{ age: 0, body: "offer" }]);
  expect(relays.at(A).events).toEqual(relays.at(B).events);
  expect(relays.at(A).events[0]).toMatchObject({ kind: 24_287, tags: [["x", BOX]], content: "offer" });
});

test("each page has a key of its own", async () => {
  await put("one");
  await put("two");
  const [one, two] = relays.at(A).events;
  expect(one!.pubkey).not.toBe(two!.pubkey);
});

test("messages that are old, long or not signed are dropped", async () => {
  const { taken } = reading(new RelayBoxes([A]), BOX);
  await wait();
  const unsigned = { ...event("unsigned"), sig: "0".repeat(128) };
  for (const one of [event("old", 601), event("early", -601), event("x".repeat(4097)), unsigned, event("y".repeat(4096), 599)]) relays.at(A).deliver(one);
  await wait();
  expect(taken.map(({ body }) => body[0])).toEqual(["y"]);
});

test("the clock of the sender matters only for stored messages", async () => {
  relays.at(A).stored = [event("stored", 60)];
  const { taken } = reading(new RelayBoxes([A]), BOX);
  await wait();
  relays.at(A).deliver(event("live", 60));
  await wait();
  expect(taken).toEqual([{ age: 60, body: "stored" }, { age: 0, body: "live" }]);
});

test("the box of the answer is read right after the offer is sent", async () => {
  relays.at(A).acknowledges = false;
  const boxes = new RelayBoxes([A]);
  const sent = boxes.put(BOX, "offer").then(() => reading(boxes, OTHER));
  await wait(2); // the time to connect: nothing comes back from the relay
  await sent;
  expect(relays.at(A).frames.map(([kind]) => kind)).toEqual(["EVENT", "REQ"]);
});

test("one relay is enough, and none is an error", async () => {
  relays.at(A).reachable = false;
  await put("offer");
  expect(relays.at(B).events).toHaveLength(1);
  relays.at(B).reachable = false;
  await expect(put("offer")).rejects.toThrow(AggregateError);
});

test("a lost relay is connected again, each time after a longer wait", async () => {
  const { taken } = reading(new RelayBoxes([A]), BOX);
  await wait(60_000);
  relays.at(A).reachable = false;
  relays.at(A).disconnect();
  const lost = Date.now();
  await wait(60_000);
  const waits = relays.at(A).attempts.slice(1).map((at, index, all) => at - (all[index - 1] ?? lost));
  expect(waits.length).toBeGreaterThan(6);
  expect(waits.length).toBeLessThan(14);
  waits.slice(0, 5).forEach((one, index) => {
    expect(one).toBeGreaterThan(0.7 * 500 * 2 ** index);
    expect(one).toBeLessThan(1.3 * 500 * 2 ** index + SHORT);
  });
  relays.at(A).reachable = true;
  await wait(11_000);
  await put("offer");
  await wait();
  expect(taken.map(({ body }) => body)).toEqual(["offer"]);
});

test("a relay that refuses subscriptions is not asked in a loop", async () => {
  relays.at(A).refuses = true;
  const { taken } = reading(new RelayBoxes([A]), BOX);
  await wait(30_000);
  expect(relays.at(A).attempts.length).toBeLessThan(12);
  relays.at(A).refuses = false;
  await wait(11_000);
  relays.at(A).deliver(event("offer"));
  await wait();
  expect(taken).toHaveLength(1);
});

test("abort ends the subscription, and then the unused connection", async () => {
  const { abort, ended } = reading(new RelayBoxes([A]), BOX);
  await wait();
  abort();
  expect(await ended).toMatchObject({ name: "AbortError" });
  expect(relays.at(A).frames.map(([kind]) => kind)).toEqual(["REQ", "CLOSE"]);
  expect(relays.at(A).sockets.size).toBe(1);
  await wait(31_000);
  expect(relays.at(A).sockets.size).toBe(0);
  await wait(60_000);
  expect(relays.at(A).attempts).toHaveLength(1);
});

test("a reader that leaves the loop ends the subscription, too", async () => {
  const first = (async () => {
    for await (const message of new RelayBoxes([A]).take(BOX, new AbortController().signal)) return message;
  })();
  await wait();
  relays.at(A).deliver(event("answer"));
  await wait();
  expect(await first).toEqual({ age: 0, body: "answer" });
  expect(relays.at(A).frames.map(([kind]) => kind)).toEqual(["REQ", "CLOSE"]);
});

test("a slow reader finds the newest 32 messages", async () => {
  const messages = new RelayBoxes([A]).take(BOX, new AbortController().signal);
  const first = messages.next();
  await wait();
  for (let number = 0; number < 40; number++) relays.at(A).deliver(event(`${number}`));
  await wait();
  expect((await first).value).toEqual({ age: 0, body: "0" });
  const bodies = [];
  for (let number = 0; number < 32; number++) bodies.push(((await messages.next()).value as BoxMessage).body);
  expect(bodies).toEqual(Array.from({ length: 32 }, (_, number) => `${number + 8}`));
});
