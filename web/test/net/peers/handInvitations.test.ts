import { beforeEach, describe, expect, it, vi } from "vitest";
import type { DeviceLinks } from "../../../src/net/peers/deviceLinks.ts";
import { HandInvitations } from "../../../src/net/peers/handInvitations.ts";

vi.mock("../../../src/net/peers/peerTables.ts", () => ({ invitationUrl: () => "https://site/#PEER-ABCDEF.secret", handAnswers: new Map() }));

const OFFER = "offer123".padEnd(100, "o");
const answer = (guest: string): string => `https://site/#ANSWER.offer123.${guest.padEnd(100, "a")}`;
let accepted: string[];
let damaged = false;

function invitations(isHolder = true): HandInvitations {
  const accept = async (text: string): Promise<void> => {
    if (damaged) throw new Error("damaged");
    accepted.push(text);
  };
  return new HandInvitations("PEER-ABCDEF", { offerByHand: async () => ({ offer: OFFER, accept, cancel: () => undefined }) } as unknown as DeviceLinks, () => isHolder);
}

beforeEach(() => {
  [accepted, damaged] = [[], false];
  vi.stubGlobal("BroadcastChannel", vi.fn());
  return () => vi.unstubAllGlobals();
});

describe("an invitation by hand", () => {
  it("connects one guest, also if the answer comes twice", async () => {
    const made = invitations();
    await made.create(() => undefined);
    expect(made.isOpen).toBe(true);
    expect(await made.accept(answer("ben"))).toBe("accepted");
    expect(await made.accept(answer("ben"))).toBe("accepted");
    expect(accepted).toHaveLength(1);
    expect(made.isOpen).toBe(false);
  });

  it("is used for a second guest, at once", async () => {
    const made = invitations();
    await made.create(() => undefined);
    const both = [made.accept(answer("ben")), made.accept(answer("cem"))];
    expect(await Promise.all(both)).toEqual(["accepted", "used"]);
    expect(accepted).toHaveLength(1);
  });

  it("stays valid after a damaged answer", async () => {
    const made = invitations();
    await made.create(() => undefined);
    damaged = true;
    expect(await made.accept(answer("ben"))).toBe("unreadable");
    damaged = false;
    expect(await made.accept(answer("ben"))).toBe("accepted");
  });

  it("says why an answer does not belong here", async () => {
    expect(await invitations().accept(answer("ben"))).toBe("unknown");
    expect(await invitations(false).accept(answer("ben"))).toBe("moved");
    expect(await invitations().accept("https://site/")).toBe("unreadable");
  });
});
