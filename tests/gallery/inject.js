// Runs before the app in a page of the gallery: answers requests with the recorded state, and taps what it says.
(() => {
  const { state, lang, text, theme } = globalThis.GALLERY;
  const kept = new Map([["notahat", JSON.stringify({ ...state.settings, lang, theme })]]);
  const storage = {
    getItem: (key) => kept.get(key) ?? null,
    setItem: (key, value) => kept.set(key, value),
    removeItem: (key) => kept.delete(key),
  };
  Object.defineProperty(globalThis, "localStorage", { value: storage });
  Object.defineProperty(globalThis, "sessionStorage", { value: storage });
  if (text !== 1) document.documentElement.style.fontSize = `${text * 100}%`;

  // The clock stands still: notices, prompts, countdowns and claims that can be taken back stay, however slow the
  // machine is. Only the short timers of scenes run.
  const LONGEST_MS = 1000;
  const now = Date.now();
  Date.now = () => now;
  performance.now = () => 0;
  const setTimeout = globalThis.setTimeout.bind(globalThis);
  globalThis.setTimeout = (run, ms = 0, ...values) => (ms >= LONGEST_MS ? 0 : setTimeout(run, ms, ...values));
  globalThis.setInterval = () => 0;

  const view = JSON.parse(state.messages[0]).view;
  const summary = { ...view, you: null, invitation: "/t/K7QX-7HGFD2" };
  const json = (body, status = 200) =>
    new Response(JSON.stringify(body), { status, headers: { "Content-Type": "application/json" } });
  const fetch = globalThis.fetch.bind(globalThis);
  let opened = false;
  let delivered = state.screen === "home"; // it has no socket
  globalThis.fetch = async (request, init) => {
    const { pathname } = new URL(request.url ?? request, location.href);
    if (!pathname.startsWith("/api/")) return fetch(request, init);
    if (state.offline && opened) throw new TypeError("offline");
    if (pathname === "/api/guests") return json({});
    if (/\/rounds\/\d+$/.test(pathname)) return json(state.story);
    return json(summary);
  };
  globalThis.WebSocket = class {
    static OPEN = 1;
    readyState = 1;
    constructor() {
      setTimeout(() => {
        opened = true;
        this.onopen();
        this.receive(0);
      });
    }
    /** Receive the messages one after the other, so that each is shown. */
    receive(n) {
      this.onmessage({ data: state.messages[n] });
      if (n + 1 < state.messages.length) return void setTimeout(() => this.receive(n + 1), 50);
      delivered = true;
      if (state.offline) this.onclose({ reason: "" });
    }
    send() {}
    close() {}
  };

  let tapped = null; // another frame may have the focus
  const tap = (selector) => {
    if (selector.startsWith("=")) {
      tapped.value = selector.slice(1);
      return tapped.dispatchEvent(new Event("input", { bubbles: true }));
    }
    const element = document.querySelector(selector);
    if (!element || element.disabled) return false;
    tapped = element;
    element.focus();
    element.click();
    return true;
  };
  const taps = [...state.taps];
  const isShown = () => document.querySelector("#app h1, #app h2, #app [data-seat], #app [data-over]") !== null;
  const MOVES = "main[data-beat]:not([data-beat=present], [data-beat=stamp])"; // a stamped gift stays
  const moves = () => document.querySelector(MOVES) !== null;
  let tries = 4000; // of 15 ms or more: what is awaited may have to be loaded
  const step = () => {
    tries -= 1;
    const waits =
      !isShown() ||
      !delivered ||
      (taps.length > 0 ? !tap(taps[0]) : moves() || (state.now && !document.querySelector(state.now)));
    if (waits && tries > 0) return void setTimeout(step, 15);
    if (taps.shift() !== undefined) return void requestAnimationFrame(() => setTimeout(step, 30));
    document.documentElement.dataset.gallery = state.name; // ready to be looked at
  };
  step();
})();
