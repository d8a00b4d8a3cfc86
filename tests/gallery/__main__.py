"""`make gallery` serves the gallery until Ctrl-C, `make gallery-test` checks the layout law over all of it."""

import sys
from contextlib import suppress
from multiprocessing import Pool
from threading import Event

from playwright.sync_api import sync_playwright

from browser import ARGUMENTS, chromium
from gallery.law import Case, Looker, every
from gallery.server import gallery_server

WORKERS = 2
PORT = 8011


def check(batches: list[list[Case]]) -> list[str]:
    """Return the faults of these cases, in a browser of their own. Those of a batch are looked at together."""
    found = []
    with gallery_server() as url, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=ARGUMENTS)
        looker = Looker(browser, url)
        for batch in batches:
            faults = looker.faults(batch)
            sys.stdout.write("".join(f"{fault}\n" for fault in faults))
            sys.stdout.flush()
            found += faults
        browser.close()
    return found


def main(arguments: list[str]) -> int:
    if arguments == ["test"]:
        batches = list(every())
        with Pool(WORKERS) as pool:
            faults = sum(map(len, pool.map(check, [batches[n::WORKERS] for n in range(WORKERS)])))
        sys.stdout.write(f"{len(batches)} states, {faults} faults\n")
        return int(faults > 0)
    with gallery_server(PORT) as url:
        sys.stdout.write(f"The gallery is at {url} (Ctrl-C ends it).\n")
        sys.stdout.flush()
        with suppress(KeyboardInterrupt):
            Event().wait()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
