// How a page reaches a table: over a server's WebSocket, the worker of this page, or the browser of another player.

/** Return whether a table stands in the browser of one of its players. No server uses such codes. */
export const isPeer = (code: string): boolean => code.startsWith("PEER-");

/** One connection to a table: the part of a browser's WebSocket that we use. */
export type Transport = Pick<BaseTransport, "readyState" | "send" | "close" | "onopen" | "onmessage" | "onclose">;

/** What the transports without a WebSocket have in common. */
export abstract class BaseTransport {
  onopen: (() => void) | null = null;
  onmessage: ((message: { data: string }) => void) | null = null;
  onclose: ((closed: { code: number; reason: string }) => void) | null = null;
  readyState: number = WebSocket.CONNECTING;

  abstract send(frame: string): void;
  /** Let go of what the transport uses. It is called once. */
  protected abstract release(): void;

  close(): void {
    this.closed("");
  }
  opened(): void {
    this.readyState = WebSocket.OPEN;
    this.onopen?.();
  }
  closed(reason: string, code = 1000): void {
    if (this.readyState === WebSocket.CLOSED) return;
    this.readyState = WebSocket.CLOSED;
    this.release();
    this.onclose?.({ code, reason });
  }
}
