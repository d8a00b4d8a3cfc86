"""Four-letter codes for tables, easy to say and hard to misread, and the longer key that a link carries."""

import hashlib
import secrets
from uuid import UUID

# of letters and digits that look alike on paper (0 O Q, 1 I L, 2 Z, 5 S, 8 B, U V) at most one is used
LETTERS = "ACDEFGHJKMNPQRTVWXY23456789"
LENGTH = 4
LONGEST = 6  # where all shorter ones are taken
KEY_LENGTH = 12  # 57 bits: nobody guesses it, however often they ask


def new_code(length: int = LENGTH) -> str:
    return "".join(secrets.choice(LETTERS) for _ in range(length))


def tidy_code(code: str) -> str | None:
    """The code that somebody meant; None if it cannot be one."""
    code = code.strip().upper()
    return code if LENGTH <= len(code) <= LONGEST and all(letter in LETTERS for letter in code) else None


def key_of(table: UUID) -> str:
    """What a link to a table carries besides the code. It follows from the table's id, which nobody is ever told."""
    number = int.from_bytes(hashlib.sha256(b"link " + table.bytes).digest())
    letters = []
    for _ in range(KEY_LENGTH):
        number, letter = divmod(number, len(LETTERS))
        letters.append(LETTERS[letter])
    return "".join(letters)


def link_to(code: str, table: UUID) -> str:
    return f"/t/{code}-{key_of(table)}"


def split(asked: str) -> tuple[str | None, str]:
    """The code and the key, if there is one, that somebody asks with: `K7QX`, or `K7QX-…` as in a link."""
    code, _, key = asked[:64].partition("-")
    return tidy_code(code), key.strip().upper()
