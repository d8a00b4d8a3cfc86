"""Scripted text players. They are functions from a message to a reply and read nothing else, in English.

`transcript_reader` needs the whole transcript. `note_taker` keeps what it knows in its notebook, as far as it fits.
They show what the game measures: docs/text.md compares them by the size of the notebook.
"""

import re
from collections.abc import Callable
from functools import cache

from msgspec import Struct, field

from notahat.narration.narrator import texts
from notahat_lab.text.reply import NAMES

Agent = Callable[[str], str]

_FIELDS = {"who": r"(?P<who>\w+)", "to": r"(?P<to>\w+)", "gift": r"(?P<gift>.+?)", "words": r"(?P<words>.+?)"}
_OFFER = re.compile(r"I have (?:a|some) nice (?P<gift>.+) for you\.")
_NOTE = re.compile(r"(\w+)=([^;]*);")
_HAND = "hand"


class Known(Struct):
    """Which gift is where, as far as a text tells it: None is a gift that nobody noted."""

    columns: dict[str, list[str | None]] = field(default_factory=dict)
    hand: str | None = None


def transcript_reader(message: str) -> str:
    """Know everything that the transcript tells; claim the truth and refuse only what is wrong."""
    known = Known()
    _follow(known, message)
    return _decide(known, message)


def note_taker(message: str) -> str:
    """Know what the notebook and the last events tell, and write as much of it into the notebook as fits."""
    size, notebook = _notebook(message)
    known = _read_notes(notebook)
    _follow(known, message)
    return f"{_decide(known, message)}\nnotebook: {_notes(known, _self(message), size)}"


def _follow(known: Known, message: str) -> None:
    """Take in the events of a message; columns that the notebook does not have begin with unknown gifts."""
    for name, wrapped in _columns_now(message).items():
        known.columns.setdefault(name, [None] * wrapped)
    for line in message.splitlines():
        for key, pattern in _patterns().items():
            if found := pattern.fullmatch(line):
                _apply(known, key, found.groupdict())
                break


def _apply(known: Known, key: str, said: dict[str, str]) -> None:
    match key:
        case "dealt":
            for name, gifts in re.findall(r"(\w+): ([^;.]+)", said["gifts"]):
                known.columns[name] = list(gifts.split(", "))
        case "drew":
            known.hand = said["gift"]
        case "offers":
            known.hand = known.hand or _claimed(said["words"])  # an unknown gift is believed to be what it is called
        case "accepts":
            known.columns[said["who"]].append(known.hand)
            known.hand = None
        case "takes_open":
            known.hand = said["gift"]
            del known.columns[said["who"]][0]
        case "takes_wrapped":
            known.hand = known.columns[said["who"]].pop(0)
        case "refuses":
            known.hand = None
        case _:
            pass


def _claimed(words: str) -> str | None:
    claim = _OFFER.search(words)
    return claim["gift"] if claim else None


def _decide(known: Known, message: str) -> str:
    question = message.rpartition("\n")[2]
    claim = _claimed(question)
    if claim is not None:
        return "accept" if known.hand == claim else "refuse"
    name = known.hand or _any_gift(message)
    scores = {who: len(penalties) for who, penalties in _penalties_now(message).items() if who != _self(message)}
    return f"give {name} to {min(scores, key=lambda who: scores[who])}" if "to anybody." in question else f"give {name}"


def _notes(known: Known, you: str, size: int) -> str:
    """Return what is known, the nearest first: the hand, the own column, then clockwise. Drop what does not fit."""
    order = sorted(known.columns, key=lambda name: (NAMES.index(name) - NAMES.index(you)) % len(NAMES))
    notes = ""
    for place, gift in ((_HAND, known.hand), *((name, gift) for name in order for gift in known.columns[name])):
        entry = f"{place}={gift or ''};"
        if len(notes) + len(entry) <= size:
            notes += entry
    return notes


def _read_notes(notebook: str) -> Known:
    known = Known()
    for place, gift in _NOTE.findall(notebook):
        if place == _HAND:
            known.hand = gift or None
        else:
            known.columns.setdefault(place, []).append(gift or None)
    return known


def _notebook(message: str) -> tuple[int, str]:
    heading = re.search(r"^Your notebook \(\d+ of (\d+) characters\):\n(.*)$", message, re.MULTILINE)
    return (int(heading[1]), heading[2]) if heading else (0, "")


def _self(message: str) -> str:
    found = re.search(r"You are (\w+)\.", message)
    return found[1] if found else NAMES[0]


def _table_lines(message: str) -> list[tuple[str, str]]:
    part = message.partition(texts("en")["now"])[2]
    return [(who, rest) for who, rest in re.findall(r"^(\w+): (.+)$", part, re.MULTILINE) if who in NAMES]


def _columns_now(message: str) -> dict[str, int]:
    """Return how many gifts lie in front of everybody."""
    return {
        who: rest.partition(";")[0].count("wrapped, ") + rest.count("(open)") for who, rest in _table_lines(message)
    }


def _penalties_now(message: str) -> dict[str, list[str]]:
    return {
        who: rest.partition("; penalties: ")[2].split(", ") if "; penalties: " in rest else []
        for who, rest in _table_lines(message)
    }


def _any_gift(message: str) -> str:
    """Return the gift that was named last: as good a guess as any without a memory."""
    named = _OFFER.findall(message)
    shop = re.search(r"^The shop shows: (.+)\.$", message, re.MULTILINE)
    return str(named[-1]) if named else shop[1] if shop else "hat"


@cache
def _patterns() -> dict[str, re.Pattern[str]]:
    """Return the sentences that move gifts as patterns."""
    keys = ("dealt", "drew", "offers", "accepts", "takes_open", "takes_wrapped", "refuses")
    fields = {**_FIELDS, "gifts": r"(?P<gifts>.+)", "wrong": r"(?P<wrong>\w+)"}
    return {
        key: re.compile(re.sub(r"\\\{(\w+)\\\}", lambda at: fields[at[1]], re.escape(texts("en")[key]))) for key in keys
    }


AGENTS: dict[str, Agent] = {"transcript-reader": transcript_reader, "note-taker": note_taker}
