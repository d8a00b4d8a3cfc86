// Session descriptions of a connection with one data channel: only what differs between two of them is passed on.

import { fromBase64Url, toBase64Url } from "./base64url.ts";

export interface Description {
  user: string;
  password: string;
  fingerprint: string; // SHA-256 of the certificate, base64url
  candidates: string[];
}

const MOST_CANDIDATES = 8;
const LINE = /^[\x20-\x7e]{1,200}$/;

/** Take what matters from a description that the browser has made. */
export function packDescription(sdp: string): Description {
  const lines = sdp.split(/\r?\n/);
  const values = (name: string): string[] => lines.filter((line) => line.startsWith(`a=${name}:`)).map((line) => line.slice(name.length + 3));
  const hex = (values("fingerprint")[0] ?? "").replace(/^sha-256 /i, "").split(":");
  return {
    user: values("ice-ufrag")[0] ?? "",
    password: values("ice-pwd")[0] ?? "",
    fingerprint: toBase64Url(Uint8Array.from(hex, (byte) => parseInt(byte, 16))),
    candidates: values("candidate").slice(0, MOST_CANDIDATES),
  };
}

/** Return a whole description. Throw if a part is no text of one line: the other side may be hostile. */
export function unpackDescription({ user, password, fingerprint, candidates }: Description, type: "offer" | "answer"): string {
  if (![user, password, fingerprint, ...candidates].every((text) => typeof text === "string" && LINE.test(text))) throw new Error("no description");
  if (candidates.length > MOST_CANDIDATES) throw new Error("too many candidates");
  const hex = [...fromBase64Url(fingerprint)].map((byte) => byte.toString(16).padStart(2, "0").toUpperCase()).join(":");
  return [
    "v=0",
    "o=- 1 1 IN IP4 127.0.0.1",
    "s=-",
    "t=0 0",
    "a=group:BUNDLE 0",
    "m=application 9 UDP/DTLS/SCTP webrtc-datachannel",
    "c=IN IP4 0.0.0.0",
    "a=mid:0",
    `a=ice-ufrag:${user}`,
    `a=ice-pwd:${password}`,
    `a=fingerprint:sha-256 ${hex}`,
    `a=setup:${type === "offer" ? "actpass" : "active"}`,
    "a=sctp-port:5000",
    "a=max-message-size:262144",
    ...candidates.map((candidate) => `a=candidate:${candidate}`),
    "",
  ].join("\r\n");
}
