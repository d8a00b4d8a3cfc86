// Requests to the server, and to the tables of this device.

import { homeUrl, href, SITE } from "./base.ts";
import { fetchWithTimeout } from "./fetchAsset.ts";
import { identityRequest, keepToken, tokenHeaders } from "./guestToken.ts";
import type { LocalRequest } from "./local/messages.ts";
import { canConnectDevices, invitationHash, isHeldHere, peerTable } from "./peers/peerTables.svelte.ts";
import { invitationOf, keepLinks, serverOrigin } from "./serverLinks.svelte.ts";
import { isPeer } from "./transport.ts";
import type { House, KnockAnswer, Options, Story, Summary, TableLink, Ticket, Token } from "../made/wire.ts";

const GUESTS = "/api/guests";

export class Declined extends Error {
  constructor(readonly reason: string, readonly detail = "") {
    super(reason);
  }
}

/** Return whether a table is on this device. No server uses such codes. */
export const isLocal = (code: string): boolean => code.startsWith("POCKET-");

/** Return whether a table stands on a server, not in the browser of a player. */
export const isRemote = (code: string): boolean => !isLocal(code) && !isPeer(code);

export async function requestLocal<T>(request: LocalRequest): Promise<T> {
  const { sendRequest } = await import("./local/localBackend.ts");
  const device = "code" in request && request.code ? peerTable(request.code)?.device : undefined;
  const answer = await sendRequest(request, device).catch(() => {
    throw new Declined("no_pocket");
  });
  return orDeclined(answer);
}

/** Send a request to the browser in which a table stands: this one or another. */
export async function requestTable<T>(request: LocalRequest & { code: string }): Promise<T> {
  if (!isPeer(request.code) || isHeldHere(request.code)) return requestLocal(request);
  return orDeclined(await (await import("./peers/peerDevice.ts")).requestPeer(request.code, request));
}

function orDeclined<T>(answer: unknown): T {
  const { reason, detail } = answer as { reason?: string; detail?: string };
  if (reason !== undefined) throw new Declined(reason, detail);
  return answer as T;
}

async function request<T>(method: string, path: string, body?: unknown): Promise<T> {
  if (SITE) throw new Declined("needs_server");
  const init: RequestInit = { method, headers: { "Content-Type": "application/json", ...tokenHeaders() } };
  if (body !== undefined) init.body = JSON.stringify(body);
  const idempotent = method === "GET" || path === GUESTS; // only these may be sent twice, so only these get a timeout
  const response = await (idempotent ? fetchWithTimeout : fetch)(href(path), init).catch(() => {
    throw new Declined("offline");
  });
  const answer: unknown = await response.json().catch(() => ({ reason: "offline" }));
  const { reason = "offline", detail } = answer as { reason?: string; detail?: string };
  if (!response.ok) throw new Declined(reason, detail);
  return answer as T;
}

/** Send a request as the guest of this browser, who is created on the first visit. */
export async function requestAsGuest<T>(method: string, path: string, body?: unknown): Promise<T> {
  await ensureGuest();
  return request<T>(method, path, body);
}

/** Make this browser a guest, unless it is one. */
export async function ensureGuest(): Promise<void> {
  keepToken((await request<Token>("POST", GUESTS, identityRequest)).token);
}
export const openTable = (options: Partial<Options>, screen = false, day: string | null = null): Promise<TableLink> =>
  requestAsGuest("POST", "/api/tables", { options, screen, day });
/** Open a table on this device, and install the game before unless it is. */
export async function openLocalTable(options: Partial<Options>, day = ""): Promise<TableLink> {
  await ensureInstalled();
  return requestLocal({ what: "open", options: JSON.stringify(options), day });
}
/** Open a table on the server, or on this device: on a site, and if the server is offline and the game installed. */
export async function openTableOrLocal(options: Partial<Options>, day?: string): Promise<TableLink> {
  return (await openOnServer(options, day)) ?? openLocalTable(options, day);
}
/** Open a table for friends on other devices: on the server, or in this browser on a site or if the server has gone. */
export async function openFriendsTable(options: Partial<Options>): Promise<TableLink> {
  if (!canConnectDevices()) return openTableOrLocal(options);
  return (await openOnServer(options)) ?? openPeerTable(options);
}
/** Return null on a site, and if the server is offline and the game installed. */
async function openOnServer(options: Partial<Options>, day?: string): Promise<TableLink | null> {
  if (SITE) return null;
  try {
    return await openTable(options, false, day);
  } catch (error) {
    if (error instanceof Declined && error.reason === "offline" && (await isInstalled())) return null;
    throw error;
  }
}
/** Open a table in this browser for friends on other devices. */
export async function openPeerTable(options: Partial<Options>): Promise<TableLink> {
  await ensureInstalled();
  const code = await (await import("./peers/peerDevice.ts")).newHostedTable();
  await requestLocal({ what: "open", options: JSON.stringify(options), day: "", code });
  return { code, link: invitationPath(code) };
}
/** Return whether the game is installed for offline play. */
export const isInstalled = async (): Promise<boolean> =>
  (await (await import("./local/manifest.ts")).installedManifest()) !== null;
/** Install the game for offline play, unless it is. Failures are shown only if the user `asked` for it. */
export async function ensureInstalled(asked = true): Promise<void> {
  if (!(await isInstalled())) await (await import("./local/installer.svelte.ts")).offlineInstall.install(asked);
}
/** Return the log of a table of this device. */
export const fetchLog = (code: string): Promise<unknown[]> => requestLocal({ what: "log", code });
export const fetchHouse = (): Promise<House> => request("GET", "/api/house");
export async function fetchSummary(code: string): Promise<Summary> {
  if (!isRemote(code)) return requestTable({ what: "summary", code });
  const summary = await request<Summary>("GET", `/api/tables/${encodeURIComponent(code)}`);
  keepLinks(summary.code, summary.invitation, summary.home);
  return summary;
}
/** Knock at a running table, or ask whether a player has let this guest in. */
export const knock = (code: string, name: string): Promise<KnockAnswer> =>
  requestAsGuest("POST", `/api/tables/${encodeURIComponent(code)}/knock`, { name });
/** Return the path to share with guests: it works even after the short code has expired. */
export const invitationPath = (code: string): string =>
  isPeer(code) ? `/${invitationHash(code)}` : invitationOf(code) || `/t/${code}`;
/** Return the absolute URL of one of our paths, for other devices. */
export const shareUrl = (path: string): string => (serverOrigin() ?? homeUrl().slice(0, -1)) + path;
export const fetchStory = (code: string, round: number): Promise<Story> =>
  !isRemote(code)
    ? requestTable({ what: "story", code, round })
    : requestAsGuest("GET", `/api/tables/${code}/rounds/${round}`);
export const createTicket = (): Promise<Ticket> => requestAsGuest("POST", "/api/tickets");
export async function redeemTicket(ticket: string, instead: boolean): Promise<void> {
  keepToken((await request<Token>("POST", "/api/tickets/use", { ticket, instead, ...identityRequest })).token);
}
