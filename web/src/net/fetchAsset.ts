// Files of this build over an unreliable network: timeout, retry, and one page reload if a release has removed them.

import { BASE } from "./base.ts";

const TIMEOUT = 8000;
const FIRST_WAIT = 500;
const LONGEST_WAIT = 4000;
const RELOADED_AT = "notahat renewed";
const RELOAD_INTERVAL = 600_000; // a page that misses a file again soon after its reload shows an error instead

/** Fetch with a timeout until the headers arrive. The body may take longer: a deck with pictures is large.
 * (`AbortSignal.any` is newer than the oldest browsers.) */
export async function fetchWithTimeout(url: string, init: RequestInit = {}, timeout = TIMEOUT): Promise<Response> {
  const controller = new AbortController();
  const abort = (): void => controller.abort();
  const timer = setTimeout(abort, timeout);
  init.signal?.addEventListener("abort", abort);
  if (init.signal?.aborted) abort();
  try {
    return await fetch(url, { ...init, signal: controller.signal });
  } finally {
    clearTimeout(timer);
    init.signal?.removeEventListener("abort", abort);
  }
}

/** Fetch a JSON file of this build, with retries until it arrives. `onMiss` is called after each failure. */
export async function fetchAsset<T>(url: string, onMiss?: () => void): Promise<T> {
  for (let wait = FIRST_WAIT; ; wait = Math.min(wait * 2, LONGEST_WAIT)) {
    const response = await fetchWithTimeout(url).catch(() => null);
    const file: unknown = response?.ok ? await response.json().catch(() => null) : null;
    if (file !== null) return file as T;
    onMiss?.();
    if (response?.status === 404 && wait === FIRST_WAIT) await reloadPage();
    await new Promise((resolve) => setTimeout(resolve, wait));
  }
}

/** Await a dynamic import. If it fails, reload the page, or throw if that is no use. */
export async function loadChunk<P extends Promise<unknown>>(chunk: P): Promise<Awaited<P>> {
  try {
    return await chunk;
  } catch (error) {
    await reloadPage();
    throw error;
  }
}

/** A release removes the files of open tabs, and a reload finds the new ones. Return without it if the page was
 * reloaded recently or the server does not answer: the user would see less than before. */
async function reloadPage(): Promise<void> {
  try {
    if (Date.now() - Number(sessionStorage.getItem(RELOADED_AT)) < RELOAD_INTERVAL) return;
    const { ok } = await fetchWithTimeout(BASE, { method: "HEAD", cache: "no-store" });
    if (!ok) return;
    sessionStorage.setItem(RELOADED_AT, String(Date.now()));
  } catch {
    return;
  }
  location.reload();
  await new Promise(() => undefined); // never resolves: the page goes away
}
