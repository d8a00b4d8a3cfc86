"""Measure how long moves and rounds take for a player in a browser, and write the figures into docs/browsers.md.

A scripted person plays with three computer players. Server and page run several times faster than normal, and the
figures are scaled back.
"""

import re
import time
from itertools import groupby, pairwise
from pathlib import Path
from typing import NamedTuple

from playwright.sync_api import Page

from local_server import local_browser, local_server

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "browsers.md"
PACE = 4.0
ROUNDS = 6
THINKING_SECONDS = 4.0  # before each draw, claim or answer
REFUSE_EVERY = 4  # answers
# sample the page fifty times a second: the beat, whether the player can move, whether thumbs are offered
RECORD = """() => {
  window.samples = [];
  setInterval(() => {
    const room = document.querySelector("[data-beat]");
    if (!room) return;
    const has = (selector) => document.querySelector(selector) !== null;
    const acts = has("[data-actions] [data-do]:not([data-do=go_on]), dialog[open]");
    window.samples.push([performance.now(), room.dataset.beat, acts, has("[data-thumbs]")]);
  }, 20);
}"""
OFFERED = """() => {
  const things = ["draw", "give", "accept", "ready"];
  const offered = things.find((what) => document.querySelector(`[data-do=${what}]`));
  return offered ?? (document.querySelector("main .go") ? "over" : "");
}"""


class Sample(NamedTuple):
    """What the page showed at one time (ms)."""

    at: float
    beat: str
    acts: bool
    thumbs: bool


def play(page: Page, url: str) -> list[Sample]:
    """Play one round and return its samples."""
    page.goto(url)
    page.locator(".now").click()
    page.locator("[data-seat]").first.wait_for()
    page.evaluate(RECORD)
    answers = 0
    while (offered := page.evaluate(OFFERED)) != "over":
        if offered in ("draw", "give", "accept"):
            time.sleep(THINKING_SECONDS / PACE)
        if offered == "accept":
            answers += 1
            offered = "accept" if answers % REFUSE_EVERY else "refuse"
        if offered == "give":
            give(page)
        elif offered in ("draw", "accept", "refuse", "ready"):
            page.locator(f"[data-do={offered}]").click()
        page.wait_for_timeout(20)
    return [Sample(*sample) for sample in page.evaluate("() => window.samples")]


def give(page: Page) -> None:
    page.locator("[data-do=give]").click()
    field = page.get_by_role("combobox")
    field.or_(page.locator("[data-pick]").first).first.wait_for()
    if page.locator("[data-pick]").count():
        page.locator("[data-pick]").first.click()
    field.fill("umbrella")
    field.press("Enter")
    page.locator("[data-do=say_now]").click()


def figures(rounds: list[list[Sample]]) -> list[str]:
    passes = [gap for samples in rounds for gap in _pass_durations(samples)]
    whole = sum(samples[-1].at - samples[0].at for samples in rounds)
    own = [stretch for samples in rounds for stretch in _stretches(samples, thumbs=False)]
    both = [stretch for samples in rounds for stretch in _stretches(samples, thumbs=True)]
    pass_on = f"{_seconds(sum(passes) / len(passes))}, at most {_seconds(max(passes))}"
    return [
        f"| a gift passed on, from one to the next | {pass_on} |",
        f"| a round | {_seconds(whole / len(rounds))} |",
        f"| share of the time in which one can do something | {_share(own, whole)} |",
        f"| the same, thumbs counted | {_share(both, whole)} |",
        f"| longest wait until one can do something | {_seconds(_longest(own))} |",
        f"| the same, thumbs counted | {_seconds(_longest(both))} |",
    ]


def _pass_durations(samples: list[Sample]) -> list[float]:
    """Return the times from the start of one gift's movement to the start of the next."""
    starts = [now.at for before, now in pairwise(samples) if now.beat == "travels" and before.beat != "travels"]
    return [later - earlier for earlier, later in pairwise(starts)]


def _stretches(samples: list[Sample], thumbs: bool) -> list[tuple[bool, float]]:
    """Return the alternating stretches in which the player could act, or could not: whether, and for how long."""
    runs = [list(run) for _, run in groupby(samples, key=lambda one: one.acts or (thumbs and one.thumbs))]
    ends = [*(run[0].at for run in runs[1:]), samples[-1].at]
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
    assert len(parts) == 2, "docs/browsers.md has no place for the figures"
    PAGE.write_text(f"{parts[0]}{table}\n{parts[1]}", "utf-8")


def main() -> None:
    with local_server(PACE) as server, local_browser() as browser:
        rounds = []
        for _ in range(ROUNDS):
            page = browser.new_context(viewport={"width": 390, "height": 844}, locale="en-GB").new_page()
            rounds.append(play(page, server.url))
            page.context.close()
    lines = figures(rounds)
    write(lines, len(rounds))
    print("\n".join(lines))


if __name__ == "__main__":
    main()
