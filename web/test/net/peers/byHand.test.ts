import { beforeEach, describe, expect, it, vi } from "vitest";
import { ByHand } from "../../../src/net/peers/byHand.ts";
import type { Links } from "../../../src/net/peers/links.ts";

vi.mock("../../../src/net/peers/peerTables.svelte.ts", () => ({ invitationUrl: () => "https://site/#PEER-ABC.key" }));

const OFFER = "offer123".padEnd(100, "o");
const answer = (guest: string): string => `https://site/#ANSWER.offer123.${guest.padEnd(100, "a")}`;
let accepted: string[];
let damaged = false;

function byHand(isHolder = true): ByHand {
  const links = {
    offerByHand: async () => ({ link: {}, offer: OFFER }),
    acceptByHand: async (_link: unknown, text: string) => {
      if (damaged) throw new Error("damaged");
      accepted.push(text);
    },
  };
  return new ByHand("PEER-ABCDEF", links as unknown as Links, { isHolder: () => isHolder, isMain: true });
}

beforeEach(() => {
  [accepted, damaged] = [[], false];
  vi.stubGlobal("BroadcastChannel", vi.fn());
});

describe("an invitation by hand", () => {
  it("connects one guest, also if the answer comes twice", async () => {
    const made = byHand();
    await made.invite(() => undefined);
    expect(made.isInviting).toBe(true);
    expect(await made.accept(answer("ben"))).toBe("accepted");
    expect(await made.accept(answer("ben"))).toBe("accepted");
    expect(accepted).toHaveLength(1);
    expect(made.isInviting).toBe(false);
  });

  it("is used for a second guest, at once", async () => {
    const made = byHand();
    await made.invite(() => undefined);
    const both = [made.accept(answer("ben")), made.accept(answer("cem"))];
    expect(await Promise.all(both)).toEqual(["accepted", "used"]);
    expect(accepted).toHaveLength(1);
  });

  it("stays valid after a damaged answer", async () => {
    const made = byHand();
    await made.invite(() => undefined);
    damaged = true;
    expect(await made.accept(answer("ben"))).toBe("unreadable");
    damaged = false;
    expect(await made.accept(answer("ben"))).toBe("accepted");
  });

  it("says why an answer does not belong here", async () => {
    expect(await byHand().accept(answer("ben"))).toBe("unknown");
    expect(await byHand(false).accept(answer("ben"))).toBe("moved");
    expect(await byHand().accept("https://site/")).toBe("unreadable");
  });
});
