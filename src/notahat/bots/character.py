"""Characters: a temper that has nothing to do with how well someone remembers."""

from msgspec import Struct


class Character(Struct, frozen=True, forbid_unknown_fields=True):
    """A temper."""

    name: str
    suspicion: float = 0.0
    boldness: float = 0.0
    poker_face: float = 0.0
    talkativeness: float = 0.0
