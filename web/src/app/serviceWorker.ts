// The service worker caches the app, and serves the installed game.

import { href } from "../net/base.ts";

export function registerServiceWorker(): Promise<ServiceWorkerRegistration> | undefined {
  return navigator.serviceWorker?.register(href("/worker.js"));
}

/** Resolve when the service worker controls this page. After a forced reload it has to claim it. */
export async function ensureServiceWorker(): Promise<void> {
  await registerServiceWorker();
  const { active } = await navigator.serviceWorker.ready;
  if (navigator.serviceWorker.controller) return;
  const changed = new Promise((resolve) =>
    navigator.serviceWorker.addEventListener("controllerchange", resolve, { once: true }),
  );
  active?.postMessage("claim");
  await changed;
}
