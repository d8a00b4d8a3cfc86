import { expect, test } from "vitest";
import { soleTerm, type Term } from "../../../src/net/peers/succession.ts";
import { isProved, newTableKey, prove, termText } from "../../../src/net/peers/tableKey.ts";

test("only the key of an invitation proves a term", async () => {
  const [{ key, invitation }, other] = [await newTableKey(), await newTableKey()];
  expect(invitation).toMatch(/^[\w-]{43}$/);
  const term: Term = { generation: 2, ...soleTerm("ben") };
  const text = termText("PEER-AAAAAA", term);
  const proof = await prove(key, text);
  expect(await isProved(invitation, text, proof)).toBe(true);
  expect(await isProved(invitation, termText("PEER-AAAAAA", { ...term, holder: "eve" }), proof)).toBe(false);
  expect(await isProved(invitation, termText("PEER-BBBBBB", term), proof)).toBe(false);
  expect(await isProved(invitation, text, await prove(other.key, text))).toBe(false);
  for (const nothing of ["", ".", "AAAA.AAAA", "?"]) expect(await isProved(invitation, text, nothing)).toBe(false);
});
