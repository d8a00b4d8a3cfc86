"""Measure how long moves and rounds take for a player in a browser, and write the figures into docs/browsers.md.

A scripted person plays with three computer players. Server and page run several times faster than normal, and the
figures are scaled back.
"""

import re
import sys
import time
from collections.abc import Callable
from itertools import groupby, pairwise
from math import ceil
from pathlib import Path
from typing import NamedTuple

from playwright.sync_api import Page

from local_server import local_browser, local_server

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "browsers.md"
PACE = 2.0  # delays of a busy machine count so many times
ROUNDS = 20
MEAN_PASS, WAIT, SHARE = 5.0, 30.0, 0.5  # targets: seconds, seconds, and a part of the time
THINKING_SECONDS = 4.0  # before each draw, claim or answer
REFUSE_EVERY = 4  # answers
# sample the page fifty times a second: the beat, whether the player must move, whether a vote or "go on" is offered
RECORD = """() => {
  window.samples = [];
  setInterval(() => {
    const room = document.querySelector("[data-beat]");
    if (!room) return;
    const has = (selector) => document.querySelector(selector) !== null;
    const acts = has("[data-actions] [data-do]:not([data-do=go_on]), dialog[open]");
    window.samples.push([performance.now(), room.dataset.beat, acts, has("[data-thumbs], [data-do=go_on]")]);
  }, 20);
}"""
OFFERED = """() => {
  const things = ["draw", "give", "accept", "ready"];
  const offered = things.find((what) => document.querySelector(`[data-do=${what}]`));
  return offered ?? (document.querySelector("main .go") ? "over" : "");
}"""

CLICK = "(selector) => document.querySelector(selector)?.click()"


class Sample(NamedTuple):
    """What the page showed at one time (ms): `acts` is an own decision, `joins` a vote or a reveal to go on from."""

    at: float
    beat: str
    acts: bool
    joins: bool


class Figures(NamedTuple):
    """The figures of some rounds, in seconds at full speed. Waits are the longest of each round, sorted."""

    passes: list[float]
    rounds: list[float]
    waits: list[float]
    share: float

    @property
    def mean_pass(self) -> float:
        return sum(self.passes) / len(self.passes)

    @property
    def wait(self) -> float:
        """Return the 95th percentile of the rounds' longest waits."""
        return self.waits[ceil(0.95 * len(self.waits)) - 1]


def play(page: Page, url: str) -> list[Sample]:
    """Play one round and return its samples."""
    page.goto(url)
    page.locator(".now").click()
    page.locator("[data-seat]").first.wait_for()
    page.evaluate(RECORD)
    answers = 0
    while (offered := page.evaluate(OFFERED)) != "over":
        page.evaluate("() => document.querySelector('[data-ask=sound] [data-answer=no]')?.click()")  # asked once
        if offered in ("draw", "give", "accept"):
            time.sleep(THINKING_SECONDS / PACE)
        if offered == "accept":
            answers += 1
            offered = "accept" if answers % REFUSE_EVERY else "refuse"
        if offered == "give":
            give(page)
        elif offered in ("draw", "accept", "refuse", "ready"):
            page.evaluate(CLICK, f"[data-do={offered}]")  # the table may go on by itself
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


def figures(rounds: list[list[Sample]]) -> Figures:
    whole = [samples[-1].at - samples[0].at for samples in rounds]
    busy = sum(length for samples in rounds for able, length in _stretches(samples, _has_something_to_do) if able)
    waits = [max(length for able, length in _stretches(samples, _must_decide) if not able) for samples in rounds]
    return Figures(
        passes=[_seconds(gap) for samples in rounds for gap in _pass_durations(samples)],
        rounds=[_seconds(length) for length in whole],
        waits=sorted(map(_seconds, waits)),
        share=busy / sum(whole),
    )


def _pass_durations(samples: list[Sample]) -> list[float]:
    """Return the times from one gift's way to the next, if only computer players decided and accepted in between."""
    starts = [n for n, (before, now) in enumerate(pairwise(samples), 1) if now.beat == "travels" != before.beat]
    between = ((samples[a].at, samples[b].at, samples[a:b]) for a, b in pairwise(starts))
    return [b - a for a, b, shown in between if not any(one.acts or one.beat == "stamp" for one in shown)]


def _must_decide(sample: Sample) -> bool:
    return sample.acts


def _has_something_to_do(sample: Sample) -> bool:
    return sample.acts or sample.joins


def _stretches(samples: list[Sample], able: Callable[[Sample], bool]) -> list[tuple[bool, float]]:
    """Return the alternating stretches in which the player was able to do something, or not: whether, and how long."""
    runs = [list(run) for _, run in groupby(samples, key=able)]
    ends = [*(run[0].at for run in runs[1:]), samples[-1].at]
    return [(able(run[0]), end - run[0].at) for run, end in zip(runs, ends, strict=True)]


def _seconds(ms: float) -> float:
    return ms * PACE / 1000


def write(measured: Figures) -> None:
    rows = [
        f"| alone with three casual computer players, brisk pace, {len(measured.rounds)} rounds | measured | target |",
        "|---|---|---|",
        f"| a gift passed on by computer players, mean | {measured.mean_pass:.1f} s | ≤ {MEAN_PASS:.0f} s |",
        f"| longest wait between own decisions, 95th percentile | {measured.wait:.0f} s | ≤ {WAIT:.0f} s |",
        f"| share of the time with something to do | {measured.share:.0%} | ≥ {SHARE:.0%} |".replace("%", " %"),
        f"| a round, mean | {sum(measured.rounds) / len(measured.rounds):.0f} s | |",
    ]
    text = PAGE.read_text("utf-8")
    parts = re.split(r"(?<=<!-- figures -->\n).*?(?=<!-- /figures -->)", text, flags=re.S)
    assert len(parts) == 2, "docs/browsers.md has no place for the figures"
    PAGE.write_text("\n".join([parts[0] + rows[0], *rows[1:], parts[1]]), "utf-8")
    print("\n".join(rows))


def main() -> None:
    with local_server(PACE) as server, local_browser() as browser:
        rounds = []
        for number in range(ROUNDS):
            print(f"round {number + 1} of {ROUNDS}", file=sys.stderr)
            page = browser.new_context(viewport={"width": 390, "height": 844}, locale="en-GB").new_page()
            rounds.append(play(page, server.url))
            page.context.close()
    measured = figures(rounds)
    write(measured)
    if measured.mean_pass > MEAN_PASS or measured.wait > WAIT or measured.share < SHARE:
        sys.exit("the targets are not met")


if __name__ == "__main__":
    main()
