"""The static page of a ladder: ratings, and replays of some games."""

from collections.abc import Iterator, Sequence
from html import escape

from notahat.lab.ladder import Rating, Trace
from notahat.rules import Accepted, Drawn, Event, Offered, Penalised, Refused, Wrapped, play
from notahat.rules.notation import read

_STYLE = """
body { max-width: 60rem; margin: 2rem auto; padding: 0 1rem; font: 1rem/1.5 system-ui, sans-serif; }
table { border-collapse: collapse; }
th, td { padding: 0.3rem 0.8rem; text-align: right; border-bottom: 1px solid #bbb; }
th:first-child, td:first-child { text-align: left; }
:root { color-scheme: light dark; }
"""
_HEAD = """<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
"""


def page(ratings: Sequence[Rating], traces: Sequence[Trace], replays: int) -> str:
    """Return the page, with replays of the first games."""
    return "".join(
        (
            _HEAD,
            f"<title>Ladder</title>\n<style>{_STYLE}</style>\n<h1>Ladder</h1>\n",
            f"<p>{len(traces)} games in duplicate deals. Ratings by openskill, with 95 % intervals.</p>\n",
            "<table>\n<tr><th>player<th>rating<th>95 %<th>games<th>win share<th>missed moves\n",
            *(_row(one) for one in ratings),
            "</table>\n<h2>Replays</h2>\n",
            *(_replay(trace) for trace in traces[:replays]),
        )
    )


def _row(one: Rating) -> str:
    interval = f"{one.low:.2f}–{one.high:.2f}"
    figures = (f"{one.rating:.2f}", interval, str(one.games), f"{one.win_share:.3f}", str(one.missed))
    return f"<tr><td>{escape(one.name)}" + "".join(f"<td>{figure}" for figure in figures) + "\n"


def _replay(trace: Trace) -> str:
    result = ", ".join(f"{escape(name)} {score}" for name, score in zip(trace.seats, trace.scores, strict=True))
    lines = "".join(f"<li>{escape(line)}\n" for line in replay_lines(trace))
    title = f"Deal {trace.deal + 1}, seating {trace.rotation + 1}: penalties {result}"
    return f"<details><summary>{title}</summary>\n<ol>\n{lines}</ol></details>\n"


def replay_lines(trace: Trace) -> Iterator[str]:
    """Yield every move of a game as a sentence, hidden gifts included."""
    [game] = read(trace.notation)
    round_ = game.deal()
    for move in game.moves:
        card = getattr(round_.phase, "card", None)
        round_, events = play(round_, move)
        for event in events:
            if line := _line(event, trace.seats, card.gift if card else ""):
                yield line


def _line(event: Event, names: Sequence[str], truth: str) -> str:
    match event:
        case Drawn(giver=giver, gift=gift):
            return f"{names[giver]} draws: {gift}."
        case Wrapped(giver=giver):
            return f"{names[giver]} turns it face down: {truth}."
        case Offered(giver=giver, receiver=receiver, claim=claim):
            really = "" if claim == truth else f" (really: {truth})"
            return f"{names[giver]} gives {names[receiver]}: {claim}{really}."
        case Accepted(receiver=receiver):
            return f"{names[receiver]} accepts."
        case Refused(receiver=receiver, gift=gift):
            return f"{names[receiver]} refuses. It was: {gift}."
        case Penalised(seat=seat):
            return f"{names[seat]} gets a penalty."
        case _:
            return ""
