import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { FallbackBoxes } from "../../../src/net/peers/fallbackBoxes.ts";
import { HttpBoxes } from "../../../src/net/peers/httpBoxes.ts";
import { RelayBoxes } from "../../../src/net/peers/relayBoxes.ts";
import { FakeRelays } from "./fakeRelay.ts";

const RELAY = "wss://a.example";
const BOX = "0".repeat(32);

/** A rendezvous behind `fetch`: answers, refuses, is out of reach, or keeps everyone waiting. */
let rendezvous: "answers" | "refuses" | "is away" | "hangs";
let messages: { number: number; age: number; body: string }[];
let relays: FakeRelays;

async function respond(url: string, { method, body, signal }: RequestInit): Promise<Response> {
  if (rendezvous === "is away") throw new TypeError("Failed to fetch");
  if (rendezvous === "refuses") return new Response("{}", { status: 429 });
  if (method === "POST" && rendezvous === "answers") messages.push({ number: messages.length + 1, age: 0, body: body as string });
  if (method === "POST" && rendezvous === "answers") return new Response("{}", { status: 202 });
  const after = Number(new URL(url).searchParams.get("after"));
  const found = messages.slice(after);
  if (found.length > 0 && rendezvous === "answers") return Response.json({ messages: found });
  return new Promise((resolve, reject) => {
    signal?.addEventListener("abort", () => reject(new DOMException("", "AbortError")));
    if (rendezvous === "answers") setTimeout(() => resolve(Response.json({ messages: messages.slice(after) })), 100);
  });
}

beforeEach(() => {
  vi.useFakeTimers();
  [rendezvous, messages, relays] = ["answers", [], new FakeRelays(RELAY)];
  vi.stubGlobal("WebSocket", relays.Socket);
  vi.stubGlobal("fetch", respond);
  vi.stubGlobal("sessionStorage", { getItem: () => null, setItem: () => undefined });
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

const wait = (ms: number): Promise<unknown> => vi.advanceTimersByTimeAsync(ms);
const newBoxes = (): FallbackBoxes => new FallbackBoxes(new HttpBoxes("https://hat.example", BOX), new RelayBoxes([RELAY]));

function reading(boxes: FallbackBoxes): { taken: string[]; abort: () => void; ended: Promise<unknown> } {
  const [taken, controller] = [[] as string[], new AbortController()];
  const read = async (): Promise<void> => {
    for await (const { body } of boxes.take(BOX, controller.signal)) taken.push(body);
  };
  return { taken, abort: () => controller.abort(), ended: read().catch((error: unknown) => error) };
}

async function put(boxes: FallbackBoxes, body: string): Promise<void> {
  const [sent] = await Promise.all([boxes.put(BOX, body), wait(3000)]);
  return sent;
}

test("relays learn nothing while the rendezvous answers", async () => {
  const { taken, abort, ended } = reading(newBoxes());
  await put(newBoxes(), "offer");
  expect(taken).toEqual(["offer"]);
  abort();
  expect(await ended).toMatchObject({ name: "AbortError" });
  expect(relays.at(RELAY).attempts).toEqual([]);
});

test.each(["is away", "hangs"] as const)("relays are used while the rendezvous %s, and then no more", async (failure) => {
  rendezvous = failure;
  const [holder, guest] = [newBoxes(), newBoxes()];
  const { taken, abort, ended } = reading(holder);
  await wait(31_000); // the longest wait for a rendezvous
  await put(guest, "by relay");
  expect(taken).toEqual(["by relay"]);
  rendezvous = "answers";
  await wait(50_000);
  await put(guest, "by rendezvous");
  expect(taken).toEqual(["by relay", "by rendezvous"]);
  expect(relays.at(RELAY).events.map(({ content }) => content)).toEqual(["by relay"]);
  abort();
  await ended;
  await wait(60_000);
  expect(relays.at(RELAY).sockets.size).toBe(0);
});

test("a refusal of the rendezvous is an answer", async () => {
  rendezvous = "refuses";
  await expect(put(newBoxes(), "offer")).rejects.toThrow("429");
  expect(await reading(newBoxes()).ended).toMatchObject({ message: "rendezvous: 429" });
  expect(relays.at(RELAY).attempts).toEqual([]);
});
