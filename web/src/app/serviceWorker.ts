// The service worker keeps the shell of the app, and hands out what was taken along.

export function keepShell(): Promise<ServiceWorkerRegistration> | undefined {
  return navigator.serviceWorker?.register(`${import.meta.env.BASE_URL}worker.js`);
}

/** Resolves when this page's requests go through the service worker; after a forced reload it must be asked to. */
export async function shellKept(): Promise<void> {
  await keepShell();
  const { active } = await navigator.serviceWorker.ready;
  if (navigator.serviceWorker.controller) return;
  const changed = new Promise((resolve) => navigator.serviceWorker.addEventListener("controllerchange", resolve, { once: true }));
  active?.postMessage("claim");
  await changed;
}
