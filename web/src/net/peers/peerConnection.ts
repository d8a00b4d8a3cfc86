// WebRTC connections between two browsers, made of one description each way.

import { packDescription, unpackDescription, type Description } from "./description.ts";

const GATHER_TIMEOUT = 2000;
const LOST_AFTER = 3000; // a short interruption ends by itself

/** What a guest sends to the host's box. */
export interface Offer {
  description: Description;
  reply: string; // the box for the answer
}

const iceServers = (): RTCIceServer[] =>
  (document.querySelector<HTMLMetaElement>("meta[name=ice]")?.content ?? "").split(/\s+/).filter(Boolean).map((entry) => {
    const [urls = "", username, credential] = entry.split(",");
    return { urls, ...(username && credential ? { username, credential } : {}) };
  });

export const newConnection = (): RTCPeerConnection => new RTCPeerConnection({ iceServers: iceServers() });

/** Make the local description with all its candidates, and return what the other side needs of it. */
export async function describe(peer: RTCPeerConnection): Promise<Description> {
  await peer.setLocalDescription();
  if (peer.iceGatheringState !== "complete")
    await new Promise<void>((resolve) => {
      peer.addEventListener("icegatheringstatechange", () => peer.iceGatheringState === "complete" && resolve());
      setTimeout(resolve, GATHER_TIMEOUT); // an address that does not answer
    });
  return packDescription(peer.localDescription!.sdp);
}

export const setRemote = (peer: RTCPeerConnection, type: "offer" | "answer", description: Description): Promise<void> =>
  peer.setRemoteDescription({ type, sdp: unpackDescription(description, type) });

/** Call once when the connection is lost. */
export function whenLost(peer: RTCPeerConnection, lost: () => void): void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  peer.addEventListener("connectionstatechange", () => {
    clearTimeout(timer);
    if (peer.connectionState === "disconnected") timer = setTimeout(lost, LOST_AFTER);
    else if (peer.connectionState === "failed" || peer.connectionState === "closed") lost();
  });
}
