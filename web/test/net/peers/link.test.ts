import { expect, it, vi } from "vitest";
import { Budget, TextChannel } from "../../../src/net/peers/link.ts";

/** One end of a data channel whose network takes `room` bytes at once. */
class FakeChannel {
  readyState = "open";
  bufferedAmount = 0;
  onmessage: ((message: { data: unknown }) => void) | null = null;
  onbufferedamountlow: (() => void) | null = null;
  readonly sent: string[] = [];
  readonly close = vi.fn();
  onopen: (() => void) | null = null;
  constructor(readonly room = Infinity) {}
  send(part: string): void {
    this.sent.push(part);
    if (this.sent.join("").length > this.room) this.bufferedAmount += part.length;
  }
}
const use = (channel: FakeChannel, most = Infinity): TextChannel =>
  new TextChannel(channel as unknown as RTCDataChannel, (characters) => characters < most);
const LONG = "{...}".repeat(100_000);

it("passes a text of any length in parts", () => {
  const [here, there] = [new FakeChannel(), new FakeChannel()];
  const texts: string[] = [];
  use(there).ontext = (text) => texts.push(text);
  const channel = use(here);
  for (const text of [LONG, "", "short"]) channel.send(text);
  for (const data of here.sent) there.onmessage!({ data });
  expect(texts).toEqual([LONG, "", "short"]);
  expect(Math.max(...here.sent.map((part) => part.length))).toBeLessThan(16_384);
});

it("keeps a text until the channel is open", () => {
  const here = new FakeChannel();
  here.readyState = "connecting";
  use(here).send("early");
  expect(here.sent).toEqual([]);
  here.readyState = "open";
  here.onopen!();
  expect(here.sent).toEqual([".early"]);
});

it("sends no faster than the other side reads", () => {
  const here = new FakeChannel(50_000);
  use(here).send(LONG);
  expect(here.bufferedAmount).toBeLessThan(100_000);
  while (here.bufferedAmount > 0) {
    here.bufferedAmount = 0;
    here.onbufferedamountlow!();
  }
  expect(here.sent.join("").length).toBeGreaterThan(LONG.length);
});

it.each([
  ["too long a text", "+".repeat(3000)],
  ["too long a part", "x".repeat(20_000)],
  ["no text", new Uint8Array(1)],
])("closes on %s", (_, data) => {
  const there = new FakeChannel();
  use(there, 2000);
  there.onmessage!({ data });
  expect(there.close).toHaveBeenCalled();
});

it("has a budget at once and per second", () => {
  vi.useFakeTimers();
  const budget = new Budget(2, 1);
  expect([budget.take(), budget.take(), budget.take()]).toEqual([true, true, false]);
  vi.advanceTimersByTime(3000);
  expect([budget.take(2), budget.take()]).toEqual([true, false]);
});
