import { beforeEach, expect, it, vi } from "vitest";
import { GuestChannel } from "../../../src/net/peers/tableChannel.ts";

const { FakeSocket } = vi.hoisted(() => {
  /** The worker's side, which accepts every connection at once. */
  class FakeSocket {
    static opened = 0;
    onopen: (() => void) | null = null;
    constructor() {
      FakeSocket.opened++;
      queueMicrotask(() => this.onopen?.());
    }
    close(): void {}
  }
  return { FakeSocket };
});
vi.mock("../../../src/net/local/localBackend.ts", () => ({ WorkerTransport: FakeSocket }));

class FakeChannel {
  onopen: (() => void) | null = null;
  bufferedAmount = 0;
  readonly sent: string[] = [];
  constructor(public readyState: string) {}
  send(message: string): void {
    this.sent.push(message);
  }
  close(): void {}
}

const connect = (channel: FakeChannel): GuestChannel => new GuestChannel("PEER-ABCDEF", channel as unknown as RTCDataChannel, { guest: "0", screen: false });

beforeEach(() => void (FakeSocket.opened = 0));

it("accepts a guest when the channel is open, and not before", async () => {
  const channel = new FakeChannel("connecting");
  connect(channel);
  await Promise.resolve();
  expect(channel.sent).toEqual([]);
  channel.readyState = "open";
  channel.onopen!();
  await Promise.resolve();
  expect(channel.sent).toEqual(['{"accepted":true}']);
});

it("does not connect a guest who has left before the channel was open", () => {
  const channel = new FakeChannel("connecting");
  connect(channel).close();
  channel.onopen!();
  expect(FakeSocket.opened).toBe(0);
});
