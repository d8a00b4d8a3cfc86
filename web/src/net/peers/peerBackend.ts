// Opens connections to tables in the browsers of players: this one or another.

import { Declined } from "../api.ts";
import { LocalSocket } from "../local/localBackend.ts";
import { peerDevice } from "./peerDevice.ts";
import { PeerSocket } from "./peerSocket.ts";
import { canConnectDevices } from "./peerTables.ts";

/** A socket that closes with a reason as soon as it has listeners. */
class RefusedSocket {
  onopen: (() => void) | null = null;
  onmessage: ((message: { data: string }) => void) | null = null;
  onclose: ((closed: { code: number; reason: string }) => void) | null = null;
  readonly readyState: number = WebSocket.CLOSED;

  constructor(reason: string) {
    setTimeout(() => this.onclose?.({ code: 1008, reason }));
  }
  send(): void {}
  close(): void {}
}

/** Open a connection. The browser that holds a table connects to its own worker, except for a big screen. */
export async function openPeerSocket(code: string, screen: boolean): Promise<LocalSocket | PeerSocket | RefusedSocket> {
  if (!canConnectDevices()) return new RefusedSocket("peer_unsupported");
  const device = await peerDevice(code, screen).catch((error: unknown) => (error instanceof Declined ? error.reason : "other"));
  if (typeof device === "string") return new RefusedSocket(device);
  await device.settled();
  return device.isHolder ? new LocalSocket(code, { guest: device.id, screen: false }) : new PeerSocket(device);
}
