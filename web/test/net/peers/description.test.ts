import { describe, expect, test } from "vitest";
import { packDescription, unpackDescription } from "../../../src/net/peers/description.ts";

const hex = (n: number): string => n.toString(16).padStart(2, "0").toUpperCase();
const FINGERPRINT = Array.from({ length: 32 }, (_, n) => hex(n)).join(":");
const sdp = (...candidates: string[]): string =>
  [
    "v=0",
    "o=- 4611731400430051336 2 IN IP4 127.0.0.1",
    "s=-",
    "t=0 0",
    "a=group:BUNDLE 0",
    "a=msid-semantic: WMS",
    "m=application 53412 UDP/DTLS/SCTP webrtc-datachannel",
    "c=IN IP4 0.0.0.0",
    ...candidates.map((one) => `a=candidate:${one}`),
    "a=ice-ufrag:xn/a",
    "a=ice-pwd:ZsOJCzBUXcrEUrQnfwF1VAzb",
    `a=fingerprint:sha-256 ${FINGERPRINT}`,
    "a=setup:actpass",
    "a=mid:0",
    "",
  ].join("\r\n");

const V4 = "1467250027 1 udp 2122260223 192.168.0.196 46243 typ host generation 0 network-id 1";
const V6 = "1467250027 1 udp 2122260223 2001:db8::5:1 46243 typ host generation 0";
const MDNS = "1 1 UDP 2113937151 1f7b85e9-0db3-440f-8641-cd0d0b7a8bab.local 58478 typ host";
const PUBLIC = "2 1 udp 1677729535 198.51.100.7 61000 typ srflx raddr 0.0.0.0 rport 0";
const TCP = "3 1 tcp 1518280447 192.168.0.196 9 typ host tcptype active";

const addresses = (text: string): string[] => [...text.matchAll(/ udp \d+ (\S+ \d+ typ \w+)/g)].map(([, one]) => one!);

test("a description keeps what matters", () => {
  const rebuilt = unpackDescription(packDescription(sdp(V4)), "offer");
  for (const [line] of sdp().matchAll(/^a=(ice|fingerprint|mid).*/gm)) expect(rebuilt).toContain(line);
  expect(addresses(rebuilt)).toEqual(["192.168.0.196 46243 typ host"]);
  expect(packDescription(rebuilt)).toBe(packDescription(sdp(V4)));
});

test("addresses of all kinds survive, TCP does not", () => {
  const rebuilt = unpackDescription(packDescription(sdp(V6, MDNS, TCP, PUBLIC)), "answer");
  expect(addresses(rebuilt)).toEqual([
    "198.51.100.7 61000 typ srflx",
    "1f7b85e9-0db3-440f-8641-cd0d0b7a8bab.local 58478 typ host",
    "2001:0db8:0000:0000:0000:0000:0005:0001 46243 typ host",
  ]);
});

test("the side that offers begins: two friends may have its invitation", () => {
  const packed = packDescription(sdp(V4));
  expect(unpackDescription(packed, "offer")).toContain("a=setup:active");
  expect(unpackDescription(packed, "answer")).toContain("a=setup:passive");
});

test("many candidates fit into 240 characters, public ones first", () => {
  const packed = packDescription(sdp(...Array<string>(20).fill(V6), PUBLIC));
  expect(packed.length).toBeLessThanOrEqual(240);
  expect(addresses(unpackDescription(packed, "offer"))[0]).toContain("srflx");
});

describe("a hostile description", () => {
  const bytes = Buffer.from(packDescription(sdp(V4)), "base64url");
  const changed = (at: number, ...to: number[]): string =>
    Buffer.from(bytes.map((byte, n) => to[n - at] ?? byte)).toString("base64url");

  test.each([
    ["adds no lines", changed(1, 13, 10)],
    ["has no empty user", changed(0, 0)],
    ["is not cut", Buffer.from(bytes.subarray(0, -1)).toString("base64url")],
    ["has no unknown candidate", changed(62, 255)],
    ["is not endless", Buffer.alloc(400, 65).toString("base64url")],
    ["is base64url", "!!"],
  ])("%s", (_, packed) => expect(() => unpackDescription(packed, "offer")).toThrow());
});
