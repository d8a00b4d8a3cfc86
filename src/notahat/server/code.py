"""Four-letter codes for tables, easy to say and hard to misread."""

import secrets

# of letters and digits that look alike on paper (0 O Q, 1 I L, 2 Z, 5 S, 8 B, U V) at most one is used
LETTERS = "ACDEFGHJKMNPQRTVWXY23456789"
LENGTH = 4


def new_code() -> str:
    return "".join(secrets.choice(LETTERS) for _ in range(LENGTH))


def tidy_code(code: str) -> str | None:
    """The code that somebody meant; None if it cannot be one."""
    code = code.strip().upper()
    return code if len(code) == LENGTH and all(letter in LETTERS for letter in code) else None
