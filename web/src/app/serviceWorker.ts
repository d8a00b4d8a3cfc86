// The service worker caches the app, and serves the installed game.

import { href } from "../net/base.ts";

export function registerServiceWorker(): Promise<ServiceWorkerRegistration> | undefined {
  return navigator.serviceWorker?.register(href("/worker.js"));
}

/** Resolve when the service worker controls this page. After a forced reload it has to claim it. */
export async function ensureServiceWorker(): Promise<void> {
  await registerServiceWorker();
  const { serviceWorker } = navigator;
  const { active } = await serviceWorker.ready;
  if (serviceWorker.controller) return;
  const changed = new Promise((resolve) => serviceWorker.addEventListener("controllerchange", resolve, { once: true }));
  active?.postMessage("claim");
  await changed;
}
