"""How long things take at a table, as somebody at it sees them: a few rounds in a real browser, against the clock.

A person who takes their time plays with three computer players; server and page go several times as fast as normal,
and times are told as if they had not. Writes the figures into docs/browsers.md.
"""

import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import groupby, pairwise
from pathlib import Path
from typing import NamedTuple

from playwright.sync_api import Page, sync_playwright

from browser import ARGUMENTS, chromium

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "browsers.md"
PACE = 4.0
ROUNDS = 6
THINKS = 4.0  # seconds that a person takes to draw, to name a gift or to answer
DOUBTS_EVERY = 4  # and of so many gifts refuses one
# what is on screen, fifty times a second: the beat, whether one is to move, whether one is asked for a thumb
WATCH = """() => {
  window.seen = [];
  setInterval(() => {
    const room = document.querySelector("[data-beat]");
    if (!room) return;
    const there = (what) => document.querySelector(what) !== null;
    const acts = there("[data-actions] [data-do]:not([data-do=go_on]), dialog[open]");
    window.seen.push([performance.now(), room.dataset.beat, acts, there("[data-thumbs]")]);
  }, 20);
}"""
OFFERED = """() => {
  const things = ["draw", "give", "accept", "ready"];
  const offered = things.find((what) => document.querySelector(`[data-do=${what}]`));
  return offered ?? (document.querySelector("main .go") ? "over" : "");
}"""


class Moment(NamedTuple):
    """A fiftieth of a second."""

    at: float
    beat: str
    acts: bool
    thumbs: bool


@contextmanager
def server() -> Iterator[str]:
    with tempfile.TemporaryDirectory() as data:
        options = ["--no-browser", "--port", "0", "--pace", str(PACE), "--data", data]
        process = subprocess.Popen(
            [sys.executable, "-m", "notahat", "serve", *options],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        assert process.stdout is not None
        try:
            yield process.stdout.readline().rpartition(" ")[2].strip()
        finally:
            process.terminate()
            process.wait()


def play(page: Page, url: str) -> list[Moment]:
    """One round from the first look to the last gift."""
    page.goto(url)
    page.locator(".now").click()
    page.locator("[data-seat]").first.wait_for()
    page.evaluate(WATCH)
    answers = 0
    while (offered := page.evaluate(OFFERED)) != "over":
        if offered in ("draw", "give", "accept"):
            time.sleep(THINKS / PACE)
        if offered == "accept":
            answers += 1
            offered = "accept" if answers % DOUBTS_EVERY else "refuse"
        if offered == "give":
            give(page)
        elif offered in ("draw", "accept", "refuse", "ready"):
            page.locator(f"[data-do={offered}]").click()
        page.wait_for_timeout(20)
    return [Moment(*moment) for moment in page.evaluate("() => window.seen")]


def give(page: Page) -> None:
    page.locator("[data-do=give]").click()
    field = page.get_by_role("combobox")
    field.or_(page.locator("[data-pick]").first).first.wait_for()
    if page.locator("[data-pick]").count():
        page.locator("[data-pick]").first.click()
    field.fill("umbrella")
    field.press("Enter")
    page.locator("[data-do=say_now]").click()


def figures(rounds: list[list[Moment]]) -> list[str]:
    passes = [gap for seen in rounds for gap in _between(seen)]
    whole = sum(seen[-1].at - seen[0].at for seen in rounds)
    own = [stretch for seen in rounds for stretch in _stretches(seen, thumbs=False)]
    both = [stretch for seen in rounds for stretch in _stretches(seen, thumbs=True)]
    pass_on = f"{_seconds(sum(passes) / len(passes))}, at most {_seconds(max(passes))}"
    return [
        f"| a gift passed on, from one to the next | {pass_on} |",
        f"| a round | {_seconds(whole / len(rounds))} |",
        f"| share of the time in which one can do something | {_share(own, whole)} |",
        f"| the same, thumbs counted | {_share(both, whole)} |",
        f"| longest wait until one can do something | {_seconds(_longest(own))} |",
        f"| the same, thumbs counted | {_seconds(_longest(both))} |",
    ]


def _between(seen: list[Moment]) -> list[float]:
    """From the moment a gift begins to travel until the next one does."""
    starts = [now.at for before, now in pairwise(seen) if now.beat == "travels" and before.beat != "travels"]
    return [later - earlier for earlier, later in pairwise(starts)]


def _stretches(seen: list[Moment], thumbs: bool) -> list[tuple[bool, float]]:
    """How long one could do something, or could not, in turn."""
    runs = [list(run) for _, run in groupby(seen, key=lambda one: one.acts or (thumbs and one.thumbs))]
    ends = [*(run[0].at for run in runs[1:]), seen[-1].at]
    return [(run[0].acts or (thumbs and run[0].thumbs), end - run[0].at) for run, end in zip(runs, ends, strict=True)]


def _share(stretches: list[tuple[bool, float]], whole: float) -> str:
    return f"{sum(length for able, length in stretches if able) / whole:.0%}".replace("%", " %")


def _longest(stretches: list[tuple[bool, float]]) -> float:
    return max(length for able, length in stretches if not able)


def _seconds(ms: float) -> str:
    return f"{ms * PACE / 1000:.1f} s"


def write(lines: list[str], rounds: int) -> None:
    table = "\n".join(
        [f"| measured over {rounds} rounds with three computer players, normal pace | |", "|---|---|", *lines]
    )
    text = PAGE.read_text("utf-8")
    parts = re.split(r"(?<=<!-- figures -->\n).*?(?=<!-- /figures -->)", text, flags=re.S)
    assert len(parts) == 2, "docs/browsers.md has a place for the figures"
    PAGE.write_text(f"{parts[0]}{table}\n{parts[1]}", "utf-8")


def main() -> None:
    with server() as url, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium(), args=ARGUMENTS)
        rounds = []
        for _ in range(ROUNDS):
            page = browser.new_context(viewport={"width": 390, "height": 844}, locale="en-GB").new_page()
            rounds.append(play(page, url))
            page.context.close()
        browser.close()
    lines = figures(rounds)
    write(lines, len(rounds))
    print("\n".join(lines))


if __name__ == "__main__":
    main()
