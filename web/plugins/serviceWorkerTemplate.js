// The shell of the app, kept for when there is no network. VERSION, BASE and FILES are put in front of this by the build.
/* global VERSION, BASE, FILES */
const SHELL = [BASE, `${BASE}icon.svg`, `${BASE}manifest.webmanifest`];
const OURS = `notahat ${BASE} `; // a host may have other apps beside this one
const KEPT = new Set([OURS + VERSION, `${OURS}pocket`]); // what was taken along stays when the shell changes
const PATIENCE = 6000; // a network that is there and answers nothing is none
const OLD = /^[0-9a-f]{12}$/; // as the first releases called theirs

self.addEventListener("install", (event) => {
  event.waitUntil(caches.open(OURS + VERSION).then((cache) => cache.addAll([...SHELL, ...FILES])).then(() => self.skipWaiting()));
});

self.addEventListener("activate", (event) => {
  event.waitUntil(
    caches
      .keys()
      .then((names) => names.filter((name) => (name.startsWith(OURS) && !KEPT.has(name)) || OLD.test(name)))
      .then((names) => Promise.all(names.map((name) => caches.delete(name))))
      .then(() => self.clients.claim()),
  );
});

self.addEventListener("message", ({ data }) => data === "claim" && self.clients.claim());

/** A plain web host knows no tables; the shell does. */
const shell = () => caches.match(BASE);

self.addEventListener("fetch", (event) => {
  const { pathname, origin } = new URL(event.request.url);
  if (event.request.method !== "GET" || origin !== self.location.origin || pathname.startsWith("/api/")) return;
  if (event.request.mode === "navigate") {
    event.respondWith(fetch(event.request, { signal: AbortSignal.timeout(PATIENCE) }).then((page) => (page.ok ? page : shell()), shell));
  } else {
    event.respondWith(caches.match(event.request).then((kept) => kept ?? fetch(event.request)));
  }
});
