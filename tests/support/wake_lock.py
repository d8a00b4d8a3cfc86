"""A fake Screen Wake Lock API: headless browsers grant no real one."""

from support.browser_guest import BrowserGuest
from support.scripts import call, load


def install(guest: BrowserGuest) -> None:
    """Install the fake from the next page load on; it counts requests and held locks."""
    guest.page.add_init_script(call("fakeWakeLock"))


def screen_stays_on(guest: BrowserGuest) -> None:
    guest.page.wait_for_function("() => wake.held === 1")


def screen_may_sleep(guest: BrowserGuest) -> None:
    guest.page.wait_for_function("() => wake.held === 0")


def hide_and_show(guest: BrowserGuest) -> None:
    """Hide the page, which releases the lock, and show it again: the page must request a new one."""
    asked = guest.page.evaluate("() => wake.asked")
    guest.page.evaluate(load("setHidden"), True)
    screen_may_sleep(guest)
    guest.page.evaluate(load("setHidden"), False)
    guest.page.wait_for_function("before => wake.asked === before + 1 && wake.held === 1", arg=asked)
