// The service worker: caches the app for offline use. The build prepends VERSION, and BUILT, the folder of the app
// ("./" if it is this script's own), and FILES in it.
/* global VERSION, BUILT, FILES */
const BASE = new URL(BUILT, self.location).pathname;
const SHELL = [BASE, `${BASE}icon.svg`, `${BASE}manifest.webmanifest`];
const FOLDERS = [`${BASE}assets/`, `${BASE}pocket/`]; // the browser loads everything else itself
const PREFIX = `notahat ${BASE} `; // a host may have other apps
const CACHES = new Set([PREFIX + VERSION, `${PREFIX}pocket`]); // an installed game outlives releases of the app
const TIMEOUT = 6000;
const OLD = /^[0-9a-f]{12}$/; // caches of the first releases

self.addEventListener("install", (event) => {
  event.waitUntil(
    caches
      .open(PREFIX + VERSION)
      .then((cache) => cache.addAll([...SHELL, ...FILES.map((file) => BASE + file)]))
      .then(() => self.skipWaiting()),
  );
});

self.addEventListener("activate", (event) => {
  event.waitUntil(
    caches
      .keys()
      .then((names) => names.filter((name) => (name.startsWith(PREFIX) && !CACHES.has(name)) || OLD.test(name)))
      .then((names) => Promise.all(names.map((name) => caches.delete(name))))
      .then(() => self.clients.claim()),
  );
});

self.addEventListener("message", ({ data }) => data === "claim" && self.clients.claim());

/** A tap on a notification leads to its table, in the tab where it is open. */
self.addEventListener("notificationclick", (event) => {
  const { data: url } = event.notification;
  event.notification.close();
  event.waitUntil(
    self.clients.matchAll({ type: "window", includeUncontrolled: true }).then((tabs) => {
      const tab = tabs.find((one) => one.url === url);
      return tab ? tab.focus() : self.clients.openWindow(url);
    }),
  );
});

/** The app shows pages that a static host does not know, such as tables. Its own links start from BASE at any depth. */
async function cachedApp() {
  const page = await caches.match(BASE);
  return page && new Response((await page.text()).replaceAll('="./', `="${BASE}`), { headers: page.headers });
}

/** Keep a deck that was shared with the installed app until the editor opens it. */
async function receiveDeck(request) {
  const deck = (await request.formData()).get("deck");
  if (deck instanceof File) await (await caches.open(PREFIX + VERSION)).put(`${BASE}shared.hat`, new Response(deck));
  return Response.redirect(`${BASE}decks?shared`, 303);
}

self.addEventListener("fetch", (event) => {
  const { pathname, origin } = new URL(event.request.url);
  if (event.request.method === "POST" && origin === self.location.origin && pathname === `${BASE}decks`)
    return event.respondWith(receiveDeck(event.request));
  if (event.request.method !== "GET" || origin !== self.location.origin || pathname.startsWith(`${BASE}api/`)) return;
  if (event.request.mode === "navigate") {
    event.respondWith(
      fetch(event.request, { signal: AbortSignal.timeout(TIMEOUT) }).then(
        (page) => (page.ok ? page : cachedApp()),
        cachedApp,
      ),
    );
  } else if (SHELL.includes(pathname) || FOLDERS.some((folder) => pathname.startsWith(folder))) {
    event.respondWith(caches.match(event.request).then((cached) => cached ?? fetch(event.request)));
  }
});
