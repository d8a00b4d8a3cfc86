"""A device that says when its screen may not go dark: browsers without a real one lend a lock to nobody."""

from support.browser_guest import Visitor

_LENT = """(() => {
  const wake = window.wake = { asked: 0, held: 0 };
  const request = async () => {
    let on = true;
    const letGo = () => { if (on) wake.held -= 1; on = false; };
    wake.asked += 1;
    wake.held += 1;
    document.addEventListener("visibilitychange", () => document.hidden && letGo());  // as browsers do
    return { release: async () => letGo() };
  };
  Object.defineProperty(navigator, "wakeLock", { value: { request } });
})()"""

_HIDE = """(hidden) => {
  Object.defineProperty(document, "hidden", { value: hidden, configurable: true });
  document.dispatchEvent(new Event("visibilitychange"));
}"""


def lend(visitor: Visitor) -> None:
    """From the next page on, this visitor's browser keeps the screen on for whoever asks, and counts."""
    visitor.page.add_init_script(_LENT)


def stays_on(visitor: Visitor) -> None:
    visitor.page.wait_for_function("() => wake.held === 1")


def may_go_dark(visitor: Visitor) -> None:
    visitor.page.wait_for_function("() => wake.held === 0")


def looks_away_and_back(visitor: Visitor) -> None:
    """Whoever hides a page takes the lock from it, and it is asked for again when it comes back."""
    asked = visitor.page.evaluate("() => wake.asked")
    visitor.page.evaluate(_HIDE, True)
    may_go_dark(visitor)
    visitor.page.evaluate(_HIDE, False)
    visitor.page.wait_for_function("before => wake.asked === before + 1 && wake.held === 1", arg=asked)
