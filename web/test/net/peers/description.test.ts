import { expect, test } from "vitest";
import { packDescription, unpackDescription } from "../../../src/net/peers/description.ts";

const SDP = [
  "v=0",
  "o=- 4611731400430051336 2 IN IP4 127.0.0.1",
  "s=-",
  "t=0 0",
  "a=group:BUNDLE 0",
  "a=msid-semantic: WMS",
  "m=application 53412 UDP/DTLS/SCTP webrtc-datachannel",
  "c=IN IP4 0.0.0.0",
  "a=candidate:1467250027 1 udp 2122260223 192.168.0.196 46243 typ host generation 0 network-id 1",
  "a=ice-ufrag:xnKa",
  "a=ice-pwd:ZsOJCzBUXcrEUrQnfwF1VAzb",
  "a=fingerprint:sha-256 " + Array.from({ length: 32 }, (_, n) => n.toString(16).padStart(2, "0").toUpperCase()).join(":"),
  "a=setup:actpass",
  "a=mid:0",
  "",
].join("\r\n");

test("a description keeps what matters and is short", () => {
  const packed = packDescription(SDP);
  expect(JSON.stringify(packed).length).toBeLessThan(300);
  const rebuilt = unpackDescription(packed, "offer");
  for (const line of SDP.split("\r\n").filter((one) => /^a=(ice|fingerprint|candidate|setup|mid)/.test(one))) expect(rebuilt).toContain(line);
  expect(packDescription(rebuilt)).toEqual(packed);
});

test("a hostile description adds no lines", () => {
  const packed = packDescription(SDP);
  expect(() => unpackDescription({ ...packed, user: "x\r\na=candidate:1" }, "offer")).toThrow();
  expect(() => unpackDescription({ ...packed, candidates: Array<string>(9).fill("x") }, "offer")).toThrow();
});
