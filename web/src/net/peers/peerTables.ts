// Tables that stand in the browser of one of the players: their codes, invitations and what this browser knows of them.

import { SvelteMap } from "svelte/reactivity";
import { BASE } from "../base.ts";
import { readStored, writeStored } from "../../app/storage.ts";
import type { Description } from "./description.ts";
import { isPeer } from "./peerCode.ts";

export { isPeer };

export interface PeerTable {
  invitation: string; // the secret of the rendezvous and the hash of the table's key
  token: string; // who this browser is at the table
  device?: string; // the hash of the token
  key?: JsonWebKey; // of holder and successors
  hosted: boolean; // the table stands in this browser
}

const STORED = "notahat.peers";
const MOST = 20;
const INVITATION = /^#(PEER-[A-Z2-9]{6})\.([\w-]{43})(?:\.([\w-]{80,240}))?$/;
const LETTERS = "ACDEFGHJKLMNPQRTVWXY23456789"; // none that are mistaken for each other (game/tableCode.ts)
const offers = new Map<string, Description>(); // by table code
const tables = new SvelteMap(Object.entries(readStored<Record<string, PeerTable>>(STORED, {})));

/** Return whether a table for other devices stands in this browser. */
export const isHosted = (code: string): boolean => tables.get(code)?.hosted ?? false;
export const peerTable = (code: string): PeerTable | undefined => tables.get(code);
export const invitationHash = (code: string): string => `#${code}.${tables.get(code)?.invitation ?? ""}`;
/** Return the URL of the first page with a fragment. */
export const urlWithHash = (hash: string): string => location.origin + BASE + hash;
export const invitationUrl = (code: string): string => urlWithHash(invitationHash(code));

/** Return the table's code of an invitation, and remember the invitation; null if it is none. */
export function acceptInvitation(hash: string): string | null {
  const [, code, invitation, offer] = INVITATION.exec(hash) ?? [];
  if (code === undefined || invitation === undefined) return null;
  const known = tables.get(code);
  if (known?.invitation !== invitation && !known?.hosted) rememberTable(code, { invitation, token: randomText(), hosted: false });
  if (offer !== undefined) keepOffer(code, offer);
  return code;
}
export const keepOffer = (code: string, offer: Description): void => void offers.set(code, offer);
/** Return the offer of a connection that came with an invitation by hand. */
export const offerOf = (code: string): Description | undefined => offers.get(code);

/** Remember a table, and forget the oldest. */
export function rememberTable(code: string, table: PeerTable): void {
  tables.delete(code);
  tables.set(code, table);
  for (const old of [...tables.keys()].slice(0, -MOST)) tables.delete(old);
  writeStored(STORED, Object.fromEntries(tables));
}

export const newPeerCode = (): string => "PEER-" + [...crypto.getRandomValues(new Uint8Array(6))].map((byte) => LETTERS[byte % LETTERS.length]).join("");
export const randomText = (): string => [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");

/** Return whether this browser can connect to other devices. Some are built without WebRTC, and it can be switched off. */
export const canConnectDevices = (): boolean => "RTCPeerConnection" in window;

/** Return the address of the rendezvous that this site uses; "" if there is none. */
export const rendezvousUrl = (): string => document.querySelector<HTMLMetaElement>("meta[name=rendezvous]")?.content ?? "";

/** Return whether browsers find each other at a rendezvous that the builder of this site has named. */
export const meetsOnline = (): boolean => rendezvousUrl() !== "";

/** Return the device that has a token. Nobody can make the token from it. */
export async function deviceOf(token: string): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(`notahat guest ${token}`)));
  return [...digest.subarray(0, 16)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
