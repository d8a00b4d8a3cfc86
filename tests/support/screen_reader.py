"""What a screen reader says: what stands in the live region, each time that changes."""

from support.browser_guest import Visitor

_LISTEN = """() => {
  globalThis.heard = [];
  new MutationObserver(() => {
    const said = document.querySelector("[data-live]")?.textContent;
    if (said && said !== globalThis.heard.at(-1)) globalThis.heard.push(said);
  }).observe(document.body, { subtree: true, childList: true, characterData: true });
}"""


def listen(visitor: Visitor) -> None:
    """From now on, on this page."""
    visitor.page.evaluate(_LISTEN)


def heard_in_this_order(visitor: Visitor, *words: str) -> None:
    heard = visitor.page.evaluate("globalThis.heard")
    spoken = " ".join(heard)
    at = 0
    for word in words:
        assert word in spoken[at:], f"{word!r} is missing, or comes too early, in {heard}"
        at = spoken.index(word, at) + len(word)
