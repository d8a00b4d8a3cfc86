// Tables that stand in the browser of one of the players: codes, invitations, and what this browser knows of them.

import { homeUrl } from "../base.ts";
import { toHex } from "../encoding.ts";
import { readStored, writeStored } from "../../app/storage.ts";
import type { Description } from "./description.ts";

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
const offers: Record<string, Description> = {}; // by table code
let tables = $state.raw(readStored<Record<string, PeerTable>>(STORED, {}));

/** Return whether a table for other devices stands in this browser. */
export const isHeldHere = (code: string): boolean => tables[code]?.hosted ?? false;
export const peerTable = (code: string): PeerTable | undefined => tables[code];
export const invitationHash = (code: string): string => `#${code}.${tables[code]?.invitation ?? ""}`;
/** Return the URL of the first page with a fragment. */
export const urlWithHash = (hash: string): string => homeUrl() + hash;
export const invitationUrl = (code: string): string => urlWithHash(invitationHash(code));

/** Return the table's code of an invitation, and remember the invitation; null if it is none. */
export function acceptInvitation(hash: string): string | null {
  const [, code, invitation, offer] = INVITATION.exec(hash) ?? [];
  if (code === undefined || invitation === undefined) return null;
  const known = tables[code];
  if (known?.invitation !== invitation && !known?.hosted)
    rememberTable(code, { invitation, token: randomText(), hosted: false });
  if (offer !== undefined) keepOffer(code, offer);
  return code;
}
export const keepOffer = (code: string, offer: Description): void => void (offers[code] = offer);
/** Return the offer of a connection that came with an invitation by hand. */
export const offerOf = (code: string): Description | undefined => offers[code];

/** Remember a table, and forget the oldest. */
export function rememberTable(code: string, table: PeerTable): void {
  const others = Object.entries(tables).filter(([other]) => other !== code);
  tables = Object.fromEntries([...others.slice(1 - MOST), [code, table]]);
  writeStored(STORED, tables);
}

export const newPeerCode = (): string =>
  "PEER-" + [...crypto.getRandomValues(new Uint8Array(6))].map((byte) => LETTERS[byte % LETTERS.length]).join("");
/** Return a new token or address: 32 hexadecimal digits. */
export const randomText = (): string => toHex(crypto.getRandomValues(new Uint8Array(16)));

/** Return whether this browser can connect to other devices: it may have no WebRTC, or it is switched off. */
export const canConnectDevices = (): boolean => "RTCPeerConnection" in window;

/** Return the address of the rendezvous that this site uses; "" if there is none. */
export const rendezvousUrl = (): string =>
  document.querySelector<HTMLMetaElement>("meta[name=rendezvous]")?.content ?? "";

/** Return whether browsers find each other at a rendezvous that the builder of this site has named. */
export const meetsOnline = (): boolean => rendezvousUrl() !== "";

interface PeerStatus {
  waits: boolean; // out of reach of most devices: nothing is acknowledged
  devices: { device: string; seats: number[]; successor: boolean }[]; // that could hold the table; the holder knows
  handOver(device: string): void;
  takeOver: (() => void) | null; // move the table to this device, which has held it before
  holder: number[]; // seats of the device that holds the table
}
/** The answer that a person must carry to the holder, or why there is none. */
export type HandAnswer = { hash: string } | { failed: "damaged" | "unreachable" };

let status = $state.raw<Record<string, PeerStatus>>({});
let answers = $state.raw<Record<string, HandAnswer | undefined>>({});
export const peerStatus = (code: string): PeerStatus | undefined => status[code];
export const handAnswer = (code: string): HandAnswer | undefined => answers[code];
export const showStatus = (code: string, shown: PeerStatus): void => void (status = { ...status, [code]: shown });
export const showAnswer = (code: string, shown?: HandAnswer): void => void (answers = { ...answers, [code]: shown });
