// Session descriptions of a connection with one data channel, packed for QR codes: only what differs between them.

import { fromBase64Url, toBase64Url } from "../encoding.ts";

/** User, password, fingerprint and candidates of one side; base64url. */
export type Description = string;

type Family = "v4" | "v6" | "mdns";
interface Candidate {
  type: string;
  family: Family;
  address: number[];
  port: number;
}

const MOST_BYTES = 180; // an invitation with an offer has at most 300 characters
const FINGERPRINT_BYTES = 32;
const PREFERENCES: Record<string, number> = { host: 126, srflx: 100, relay: 0 }; // RFC 8445
const TYPES = Object.keys(PREFERENCES);
const FAMILIES: Family[] = ["v4", "v6", "mdns"];
const SIZES: Record<Family, number> = { v4: 4, v6: 16, mdns: 16 };
const MDNS = /^([\da-f]{8})-([\da-f]{4})-([\da-f]{4})-([\da-f]{4})-([\da-f]{12})\.local$/i;
const CREDENTIAL = /^[\w+/-]{4,64}$/;

/** Take what matters from a description that the browser has made. */
export function packDescription(sdp: string): Description {
  const values = (name: string): string[] =>
    [...sdp.matchAll(new RegExp(`^a=${name}:(.*)$`, "gm"))].map(([, found]) => found!);
  const value = (name: string): string => values(name)[0] ?? "";
  const fingerprint = value("fingerprint").replace(/^sha-256 /i, "");
  const bytes = [...packText(value("ice-ufrag")), ...packText(value("ice-pwd")), ...parseHex(fingerprint.split(":"))];
  const candidates = values("candidate").flatMap(parseCandidate);
  for (const { type, family, address, port } of candidates.sort((a, b) => rank(a) - rank(b))) {
    const packed = [TYPES.indexOf(type) * 4 + FAMILIES.indexOf(family), ...address, port >> 8, port & 255];
    if (bytes.length + packed.length <= MOST_BYTES) bytes.push(...packed);
  }
  return toBase64Url(Uint8Array.from(bytes));
}

/** Return a whole description. Throw if it is none: the other side may be hostile. */
export function unpackDescription(packed: Description, type: "offer" | "answer"): string {
  const bytes = [...fromBase64Url(packed)];
  if (bytes.length > MOST_BYTES) throw new Error("too long");
  const [user, password] = [unpackText(bytes), unpackText(bytes)];
  if (!CREDENTIAL.test(user) || !CREDENTIAL.test(password)) throw new Error("no description");
  const fingerprint = take(bytes, FINGERPRINT_BYTES);
  const candidates: string[] = [];
  while (bytes.length > 0) candidates.push(unpackCandidate(bytes, candidates.length));
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
    `a=fingerprint:sha-256 ${fingerprint.map((byte) => hex(byte).toUpperCase()).join(":")}`,
    `a=setup:${type === "offer" ? "active" : "passive"}`, // or all who know the offer would begin before one is chosen
    "a=sctp-port:5000",
    "a=max-message-size:262144",
    ...candidates.map((candidate) => `a=candidate:${candidate}`),
    "",
  ].join("\r\n");
}

const hex = (byte: number): string => byte.toString(16).padStart(2, "0");
const parseHex = (texts: string[]): number[] => texts.map((text) => parseInt(text, 16));
const packText = (text: string): number[] => [text.length, ...new TextEncoder().encode(text)];
const unpackText = (bytes: number[]): string => String.fromCharCode(...take(bytes, take(bytes, 1)[0]!));

/** Remove the first bytes and return them. */
function take(bytes: number[], count: number): number[] {
  if (bytes.length < count) throw new Error("too short");
  return bytes.splice(0, count);
}

/** Addresses that are reached from elsewhere come first, long ones last: not all may fit. */
const rank = ({ type, family }: Candidate): number => (type === "host" ? 1 : 0) + (family === "v6" ? 2 : 0);

/** Parse a candidate; none for TCP, whose active side has no port, and for names that are not random. */
function parseCandidate(line: string): Candidate[] {
  const [, , protocol = "", , text = "", written = "", , type = ""] = line.split(" ");
  if (protocol.toLowerCase() !== "udp" || !TYPES.includes(type)) return [];
  const port = Number(written);
  const uuid = MDNS.exec(text)?.slice(1).join("");
  if (uuid) return [{ type, family: "mdns", address: parseHex(uuid.match(/../g)!), port }];
  if (text.includes(":")) return [{ type, family: "v6", address: parseV6(text), port }];
  return /^[\d.]+$/.test(text) ? [{ type, family: "v4", address: text.split(".").map(Number), port }] : [];
}

function parseV6(address: string): number[] {
  const [head = "", tail] = address.split("%")[0]!.split("::");
  const groups = (text: string): string[] => (text === "" ? [] : text.split(":"));
  const [before, after] = [groups(head), groups(tail ?? "")];
  const zeros = Array<string>(Math.max(0, 8 - before.length - after.length)).fill("0");
  return parseHex([...before, ...zeros, ...after]).flatMap((group) => [group >> 8, group & 255]);
}

function unpackCandidate(bytes: number[], index: number): string {
  const kind = take(bytes, 1)[0]!;
  const [type, family] = [TYPES[kind >> 2], FAMILIES[kind & 3]];
  if (type === undefined || family === undefined) throw new Error("no candidate");
  const address = addressText(take(bytes, SIZES[family]), family);
  const [high = 0, low = 0] = take(bytes, 2);
  const priority = PREFERENCES[type]! * 2 ** 24 + (65535 - index) * 256 + 255;
  const related = type === "host" ? "" : " raddr 0.0.0.0 rport 0";
  return `${index + 1} 1 udp ${priority} ${address} ${high * 256 + low} typ ${type}${related}`;
}

function addressText(bytes: number[], family: Family): string {
  if (family === "v4") return bytes.join(".");
  const text = bytes.map(hex).join("");
  if (family === "v6") return text.match(/.{4}/g)!.join(":");
  return `${text.slice(0, 8)}-${text.slice(8, 12)}-${text.slice(12, 16)}-${text.slice(16, 20)}-${text.slice(20)}.local`;
}
