"""Four-letter table codes, easy to say and hard to misread, and the longer key in a table's link."""

import hashlib
import secrets
from uuid import UUID

# of letters and digits that look alike on paper (0 O Q, 1 I L, 2 Z, 5 S, 8 B, U V) at most one is used
LETTERS = "ACDEFGHJKMNPQRTVWXY23456789"
LENGTH = 4
MAX_LENGTH = 6  # used when shorter codes are taken
KEY_LENGTH = 12  # 57 bits: cannot be guessed


def new_code(length: int = LENGTH) -> str:
    return "".join(secrets.choice(LETTERS) for _ in range(length))


def link_key(table: UUID) -> str:
    """Return the secret part of a table's link. It follows from the table's id, which is never sent to guests."""
    number = int.from_bytes(hashlib.sha256(b"link " + table.bytes).digest())
    letters = []
    for _ in range(KEY_LENGTH):
        number, letter = divmod(number, len(LETTERS))
        letters.append(LETTERS[letter])
    return "".join(letters)


def table_link(code: str, table: UUID) -> str:
    return f"/t/{code}-{link_key(table)}"


def split_code(requested: str) -> tuple[str | None, str]:
    """Return code and key of `K7QX` (no key) or `K7QX-…` (as in a link); None for what cannot be a code."""
    code, _, key = requested[:64].upper().partition("-")
    code = code.strip()
    is_code = LENGTH <= len(code) <= MAX_LENGTH and all(letter in LETTERS for letter in code)
    return code if is_code else None, key.strip()
