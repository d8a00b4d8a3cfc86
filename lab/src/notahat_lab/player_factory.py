"""Create players by name: a level, a baseline, or a user's own class."""

import importlib
from collections.abc import Callable

import msgspec

from notahat.bots import CHARACTERS, LEVELS, Bot, Dials, sit_down
from notahat_lab.baseline import BASELINES
from notahat_lab.errors import LabError

DEFAULT_LEVEL = "casual"

PlayerFactory = Callable[[int, int], Bot]  # seat, seed


def player_factory(name: str) -> PlayerFactory:
    """Return the factory for a name.

    Names are `casual`, `casual/berta`, `casual/memory=0.2+trust=1`, `honest@regular` and `my_module:MyBot`. A user's
    own class is called with seat and seed, and must be a `notahat.bots.Bot`. Raise `LabError` if the name is unknown.
    """
    if ":" in name:
        return _custom_factory(name)
    if name.partition("@")[0] in BASELINES:
        baseline, _, level = name.partition("@")
        _check(level or DEFAULT_LEVEL, LEVELS, "level")
        return lambda seat, seed: BASELINES[baseline](level or DEFAULT_LEVEL, seat, seed)
    level, _, temper = name.partition("/")
    _check(level, LEVELS if temper else (*LEVELS, *BASELINES), "level" if temper else "player")
    if "=" in temper:
        dials = _dials(temper)
        return lambda seat, seed: sit_down(level, seat, seed, dials=dials)
    if temper:
        _check(temper, tuple(CHARACTERS), "character")
    return lambda seat, seed: sit_down(level, seat, seed, temper or None)


def _dials(text: str) -> Dials:
    """Read dials such as `memory=0.2+trust=1`."""
    try:
        return msgspec.convert(dict(part.split("=") for part in text.split("+")), Dials, strict=False)
    except ValueError as wrong:
        raise LabError(f"no dials {text!r}: {wrong}") from wrong


def _custom_factory(name: str) -> PlayerFactory:
    module, _, attribute = name.partition(":")
    try:
        factory: PlayerFactory = getattr(importlib.import_module(module), attribute)
    except (ImportError, AttributeError) as missing:
        raise LabError(f"no player {name!r}: {missing}") from missing
    return factory


def _check(name: str, known: tuple[str, ...], what: str) -> None:
    if name not in known:
        raise LabError(f"no {what} {name!r}; there are {', '.join(known)}")
