// Joining by letters, with the real cryptography; the boxes are in memory.

import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { BoxMessage, MessageBoxes } from "../../../src/net/peers/messageBoxes.ts";
import { answerLetters, askByLetters, type Gifts, type LetterRequest } from "../../../src/net/peers/letters.ts";

const INVITATION = `#PEER-K7QXAC.${"s".repeat(43)}`;

/** Boxes as a rendezvous keeps them. `change` may exchange what is put, as somebody in between could. */
class MemoryBoxes implements MessageBoxes {
  readonly seen: string[] = [];
  readonly #boxes = new Map<string, string[]>();
  change: (body: string) => string = (body) => body;
  #wake: (() => void)[] = [];

  put(box: string, body: string): Promise<void> {
    this.seen.push(body);
    this.#boxes.set(box, [...(this.#boxes.get(box) ?? []), this.change(body)]);
    this.#wake.splice(0).forEach((wake) => wake());
    return Promise.resolve();
  }
  async *take(box: string, signal: AbortSignal): AsyncGenerator<BoxMessage> {
    for (let at = 0; ; ) {
      signal.throwIfAborted();
      for (const body of (this.#boxes.get(box) ?? []).slice(at)) {
        at++;
        yield { age: 0, body };
      }
      await new Promise<void>((resolve) => {
        this.#wake.push(resolve);
        signal.addEventListener("abort", () => resolve(), { once: true });
      });
    }
  }
}

let boxes: MemoryBoxes;
let stop: AbortController;
beforeEach(() => ([boxes, stop] = [new MemoryBoxes(), new AbortController()]));
afterEach(() => {
  stop.abort();
  vi.useRealTimers();
});

const listen = (decide: (request: LetterRequest) => boolean): void =>
  void answerLetters(boxes, { letters: "K7QX", invitation: INVITATION }, stop.signal, (request) => Promise.resolve(decide(request))).catch(() => undefined);

it("both sides show the same gifts, and the guest gets the invitation", async () => {
  const shown: [Gifts, LetterRequest][] = [];
  let request: LetterRequest | undefined;
  listen((one) => ((request = one), true));
  const answer = await askByLetters(boxes, { letters: "K7QX", name: "Ben" }, stop.signal, (gifts) => shown.push([gifts, request!]));
  expect(answer).toEqual({ invitation: INVITATION });
  expect(request).toEqual({ name: "Ben", gifts: shown[0]![0] });
  const plain = boxes.seen.map((body) => Buffer.from(body, "base64url").toString()).join(" ");
  expect(plain).not.toContain("Ben");
  expect(plain).not.toContain("PEER");
});

it("a guest who is refused gets nothing", async () => {
  listen(() => false);
  expect(await askByLetters(boxes, { letters: "K7QX", name: "Eve" }, stop.signal, () => undefined)).toBe("refused");
});

it("nobody answers other letters", async () => {
  listen(() => true);
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const answer = askByLetters(boxes, { letters: "AAAA", name: "Ben" }, stop.signal, () => undefined);
  await vi.waitUntil(() => boxes.seen.length === 1);
  await vi.advanceTimersByTimeAsync(7000);
  expect(await answer).toBe("nobody");
});

it("a key that is exchanged on the way is found out", async () => {
  const asked: LetterRequest[] = [];
  listen((one) => (asked.push(one), true));
  const own = await crypto.subtle.generateKey({ name: "ECDH", namedCurve: "P-256" }, true, ["deriveBits"]);
  const key = Buffer.from(await crypto.subtle.exportKey("raw", own.publicKey)).toString("base64url");
  boxes.change = (body) => {
    const message = JSON.parse(Buffer.from(body, "base64url").toString()) as { nonce?: string; key?: string };
    return message.nonce ? Buffer.from(JSON.stringify({ ...message, key })).toString("base64url") : body;
  };
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  let compared = false;
  const answer = askByLetters(boxes, { letters: "K7QX", name: "Ben" }, stop.signal, () => (compared = true));
  await vi.waitUntil(() => compared);
  await vi.advanceTimersByTimeAsync(130_000);
  expect(await answer).toBe("nobody");
  expect(asked, "the guest had committed to another key").toEqual([]);
});

it("a commitment opens to one key only", async () => {
  const asked: LetterRequest[] = [];
  listen((one) => (asked.push(one), true));
  const own = await crypto.subtle.generateKey({ name: "ECDH", namedCurve: "P-256" }, true, ["deriveBits"]);
  const key = Buffer.from(await crypto.subtle.exportKey("raw", own.publicKey)).toString("base64url");
  const nonce = "0".repeat(32);
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(`notahat commit ${key}  ${nonce}`)); // two spaces
  const [asks, reply] = [await boxOf("K7QX"), "1".repeat(32)];
  const put = (box: string, message: object): Promise<void> => boxes.put(box, Buffer.from(JSON.stringify(message)).toString("base64url"));
  await put(asks, { commit: Buffer.from(digest).toString("base64url"), reply });
  const { value } = (await boxes.take(reply, stop.signal).next()) as { value: BoxMessage };
  const { back } = JSON.parse(Buffer.from(value.body, "base64url").toString()) as { back: string };
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  await put(back, { key: `${key} `, nonce, name: "x" });
  await put(back, { key, nonce: ` ${nonce}`, name: "x" });
  await vi.advanceTimersByTimeAsync(7000);
  expect(asked).toEqual([]);
});

async function boxOf(letters: string): Promise<string> {
  return Buffer.from(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(`notahat letters ${letters}`))).toString("hex").slice(0, 32);
}

it("a stranger who says that it was decided is ignored", async () => {
  let reply = "";
  boxes.change = (body) => {
    const message = JSON.parse(Buffer.from(body, "base64url").toString()) as { reply?: string };
    reply ||= message.reply ?? "";
    return body;
  };
  listen(() => true);
  const answer = await askByLetters(boxes, { letters: "K7QX", name: "Ben" }, stop.signal, () => {
    void boxes.put(reply, Buffer.from(JSON.stringify({ decided: "AAAA" })).toString("base64url"));
  });
  expect(answer).toEqual({ invitation: INVITATION });
});
