"""ASCII replacements for characters that a terminal's encoding does not have."""

import codecs
import io
import sys
import unicodedata

ERROR_HANDLER = "notahat.ascii_fallback"

_SIGNS = dict(zip("◀▶✱●○·–—", "<>*xo---", strict=True)) | {"¡": "", "¿": "", "±": "+/-", "≤": "<=", "≥": ">="}
_QUOTES = dict.fromkeys("“”„«»", '"') | dict.fromkeys("‘’", "'")
_REPLACEMENTS = _SIGNS | _QUOTES | {"ß": "ss", "œ": "oe", "æ": "ae", "ø": "o"}


def use_ascii_fallback() -> None:
    """Make standard output and error replace characters that they cannot encode."""
    codecs.register_error(ERROR_HANDLER, _replace)
    for stream, errors in ((sys.stdout, ERROR_HANDLER), (sys.stderr, ERROR_HANDLER), (sys.stdin, "replace")):
        if isinstance(stream, io.TextIOWrapper) and not is_unicode(stream.encoding):
            stream.reconfigure(errors=errors)


def is_unicode(encoding: str | None) -> bool:
    return (encoding or "").lower().startswith("utf")


def _replace(problem: UnicodeError) -> tuple[str, int]:
    if not isinstance(problem, UnicodeEncodeError):
        raise problem
    letters = problem.object[problem.start : problem.end]
    plain = {one: unicodedata.normalize("NFKD", one).encode("ascii", "ignore").decode() or "?" for one in letters}
    return "".join((plain | _REPLACEMENTS)[letter] for letter in letters), problem.end
