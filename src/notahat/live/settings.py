"""Settings that all rooms of a host share."""

from msgspec import Struct

from notahat.gifts.hat_file import NameKeys
from notahat.live.determinism import SYSTEM, Determinism
from notahat.table.name import folded_name_keys


class RoomSettings(Struct, frozen=True, kw_only=True):
    """What all rooms of a host have in common. `stagger` delays plans, differently on each node, so that not all of
    them try at once.
    """

    speed: float = 1.0
    stagger: float = 0.0
    determinism: Determinism = SYSTEM
    name_keys: NameKeys = folded_name_keys


DEFAULTS = RoomSettings()
