// How this page says who its guest is: by a cookie that no script can read, or by a token where cookies are refused.

import { readStored, writeStored } from "../app/storage.ts";
import { BASE } from "./base.ts";

const KEY = "notahat guest";
const TOKEN_PROTOCOL = "token.";
const cookies = !isInForeignFrame();
let token = cookies ? "" : readStored(KEY, "");

/** Browsers refuse cookies to a page in a frame of another site, such as a dashboard. */
function isInForeignFrame(): boolean {
  try {
    return typeof top !== "undefined" && top !== null && top.location.origin !== location.origin;
  } catch {
    return true; // a page may not even ask where another site's page is
  }
}

/** What a request for a guest's identity says about this page. */
export const identityRequest = { base: BASE, cookies };
export const tokenHeaders = (): Record<string, string> => (token ? { Authorization: `Bearer ${token}` } : {});
/** The subprotocols of a socket: the only header that a page can set. */
export const socketProtocols = (): string[] => (token ? ["notahat", TOKEN_PROTOCOL + token] : []);

/** Remember the token that the server sends to a page without cookies. */
export function keepToken(sent: string | null): void {
  if (!sent) return;
  token = sent;
  writeStored(KEY, token);
}
