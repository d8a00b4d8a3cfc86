"""Plain letters for terminals that know no others: arrows, dots, quotation marks, accents, as near as ASCII gets."""

import codecs
import io
import sys
import unicodedata

PLAIN = "notahat.ascii_fallback"

_SIGNS = {
    "◀": "<",
    "▶": ">",
    "✱": "*",
    "●": "x",
    "○": "o",
    "·": "-",
    "–": "-",
    "—": "-",
    "“": '"',
    "”": '"',
    "„": '"',
    "«": '"',
    "»": '"',
    "‘": "'",
    "’": "'",
    "¡": "",
    "¿": "",
    "±": "+/-",
    "≤": "<=",
    "≥": ">=",
    "ß": "ss",
    "œ": "oe",
    "æ": "ae",
    "ø": "o",
}


def speak_plainly() -> None:
    """From now on, what a stream cannot write is written as plainly as need be, and nothing fails for a letter."""
    codecs.register_error(PLAIN, _plainly)
    for stream, errors in ((sys.stdout, PLAIN), (sys.stderr, PLAIN), (sys.stdin, "replace")):
        if isinstance(stream, io.TextIOWrapper) and not knows_all_letters(stream.encoding):
            stream.reconfigure(errors=errors)


def knows_all_letters(encoding: str | None) -> bool:
    return (encoding or "").lower().startswith("utf")


def _plainly(problem: UnicodeError) -> tuple[str, int]:
    if not isinstance(problem, UnicodeEncodeError):
        raise problem
    return "".join(map(_plain, problem.object[problem.start : problem.end])), problem.end


def _plain(letter: str) -> str:
    if letter in _SIGNS:
        return _SIGNS[letter]
    return unicodedata.normalize("NFKD", letter).encode("ascii", "ignore").decode() or "?"
