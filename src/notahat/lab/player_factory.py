"""Who sits down in the laboratory, by name: a level, a baseline, or a class of one's own."""

import importlib
from collections.abc import Callable

from notahat.bots import CHARACTERS, LEVELS, Bot, sit_down
from notahat.lab.baseline import BASELINES
from notahat.lab.errors import Unusable

USUAL_LEVEL = "casual"

Chair = Callable[[int, int], Bot]  # seat, seed


def chair(name: str) -> Chair:
    """How to seat a player of this name: `casual`, `casual/berta`, `honest@regular` or `my_module:MyBot`.

    A class of one's own is called with seat and seed, and is a `notahat.bots.Bot`.
    """
    if ":" in name:
        return _own(name)
    if name.partition("@")[0] in BASELINES:
        baseline, _, level = name.partition("@")
        _check(level or USUAL_LEVEL, LEVELS, "level")
        return lambda seat, seed: BASELINES[baseline](level or USUAL_LEVEL, seat, seed)
    level, _, character = name.partition("/")
    if character:
        _check(level, LEVELS, "level")
        _check(character, tuple(CHARACTERS), "character")
    else:
        _check(level, (*LEVELS, *BASELINES), "player")
    return lambda seat, seed: sit_down(level, seat, seed, character or None)


def _own(name: str) -> Chair:
    module, _, attribute = name.partition(":")
    try:
        made = getattr(importlib.import_module(module), attribute)
    except (ImportError, AttributeError) as missing:
        raise Unusable(f"no player {name!r}: {missing}") from missing

    def sit(seat: int, seed: int) -> Bot:
        bot: Bot = made(seat, seed)
        return bot

    return sit


def _check(name: str, known: tuple[str, ...], what: str) -> None:
    if name not in known:
        raise Unusable(f"no {what} {name!r}; there are {', '.join(known)}")
