// Says so if the host has a newer release than this page. Loaded ahead: a release removes this file, too.

import { mount } from "svelte";
import { fetchWithTimeout } from "../net/fetchAsset.ts";
import { href } from "../net/base.ts";
import NewRelease from "../ui/NewRelease.svelte";

const EVERY_MS = 900_000;
const AT_MOST_EVERY_MS = 60_000; // when the tab is shown again

/** Check from time to time, and when the tab is shown again. */
export function watchReleases(): void {
  const script = document.querySelector<HTMLScriptElement>("script[type=module][src]")?.src.split("/").pop();
  if (!script) return;
  let checkedAt = Date.now();
  let found = false; // a slow check may end after the next one
  const check = async (): Promise<void> => {
    checkedAt = Date.now();
    const page = await fetchWithTimeout(href("/index.html"), { cache: "no-store" }).catch(() => null);
    if (!page?.ok || (await page.text().catch(() => script)).includes(script) || found) return;
    found = true;
    clearInterval(timer);
    document.removeEventListener("visibilitychange", onVisible);
    mount(NewRelease, { target: document.body });
  };
  const timer = setInterval(() => void check(), EVERY_MS);
  const onVisible = (): void => {
    if (document.visibilityState === "visible" && Date.now() - checkedAt > AT_MOST_EVERY_MS) void check();
  };
  document.addEventListener("visibilitychange", onVisible);
}
