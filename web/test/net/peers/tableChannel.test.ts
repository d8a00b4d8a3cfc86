import { beforeEach, expect, it, vi } from "vitest";
import type { Link, TextChannel } from "../../../src/net/peers/link.ts";
import { HeldTable } from "../../../src/net/peers/tableChannel.ts";

const { FakeWorker } = vi.hoisted(() => {
  /** A connection to the worker. */
  class FakeWorker {
    static newest: FakeWorker;
    onopen: (() => void) | null = null;
    onmessage: ((message: { data: string }) => void) | null = null;
    onclose: ((closed: { code: number; reason: string }) => void) | null = null;
    readonly sent: string[] = [];
    readonly close = vi.fn();
    constructor() {
      FakeWorker.newest = this;
    }
    send(frame: string): void {
      this.sent.push(frame);
    }
  }
  return { FakeWorker };
});
vi.mock("../../../src/net/local/localBackend.ts", () => ({ WorkerTransport: FakeWorker }));

class FakeChannel {
  unread = 0;
  ontext: (text: string) => void = () => undefined;
  onrefused: () => void = () => undefined;
  readonly sent: string[] = [];
  readonly close = vi.fn();
  send(text: string): void {
    this.sent.push(text);
  }
}
let channel: FakeChannel;
let worker: InstanceType<typeof FakeWorker>;

beforeEach(() => {
  vi.useFakeTimers();
  channel = new FakeChannel();
  new HeldTable("PEER-ABCDEF").enter({ guest: "0", screen: false } as Link, channel as unknown as TextChannel);
  worker = FakeWorker.newest;
});

it("passes frames between a guest and the worker", () => {
  worker.onopen!();
  worker.onmessage!({ data: "{}" });
  channel.ontext("frame");
  expect(channel.sent).toEqual(['{"accepted":true}', "{}"]);
  expect(worker.sent).toEqual(["frame"]);
});

it("tells a guest once why the channel closes", () => {
  channel.onrefused();
  worker.onclose!({ code: 1008, reason: "too_fast" });
  expect(channel.sent).toEqual(['{"close":[1009,"too_big"]}']);
  expect(worker.close).toHaveBeenCalledOnce();
  vi.runAllTimers();
  expect(channel.close).toHaveBeenCalledOnce();
});

it("closes the channel of a guest who does not read", () => {
  channel.unread = 300_000;
  worker.onmessage!({ data: "{}" });
  expect(channel.sent).toEqual([]);
  expect(worker.close).toHaveBeenCalled();
});
