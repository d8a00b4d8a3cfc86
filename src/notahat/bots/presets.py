"""Presets of computer players: levels of memory, characters with remarks, and dials that change both."""

import tomllib
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from math import log
from random import Random
from types import MappingProxyType
from typing import Annotated, Any, Literal, get_args

import msgspec
from msgspec import Meta, Struct, convert
from msgspec.structs import asdict, replace

from notahat.gifts import LANGUAGES
from notahat.rules import Accepted, Ended, Event, Offered, Refused

FEW_CARDS = 5  # what a level's numbers are meant for: four players with one gift each, and the card in hand


class Level(Struct, frozen=True, forbid_unknown_fields=True):
    """The numbers of one level; `levels.toml` explains them."""

    attention: float
    noise: float
    threshold: float
    confusion: float
    load: float
    firm: float
    self_doubt: float
    decision_noise: float
    rehearses: int
    trust: float
    reads_others: bool
    fakes_tells: bool

    def with_load(self, cards: int) -> "Level":
        """Return the level at a table of so many cards: each gets a smaller share of the attention (ACT-R's fan)."""
        load = self.load * log(max(1.0, cards / FEW_CARDS))
        return replace(self, threshold=self.threshold + load, confusion=self.confusion - load)


def load_toml(name: str) -> dict[str, Any]:
    """Read a data file of this package."""
    return tomllib.loads(files("notahat.bots").joinpath(name).read_text("utf-8"))


@cache
def levels() -> dict[str, Level]:
    """Return all levels by name, the most forgetful first."""
    return msgspec.convert(load_toml("levels.toml"), dict[str, Level])


def level(name: str) -> Level:
    """Return a level by name. Raise `LookupError` for an unknown name."""
    found = levels().get(name)
    if found is None:
        raise LookupError(f"no level {name!r}; there are {', '.join(levels())}")
    return found


class Character(Struct, frozen=True, forbid_unknown_fields=True):
    """A name and a temper; `characters.toml` explains the numbers."""

    name: str
    suspicion: float = 0.0
    boldness: float = 0.0
    poker_face: float = 0.0
    talkativeness: float = 0.0


NEUTRAL = Character("")  # the laboratory measures levels with it


@cache
def characters() -> Mapping[str, Character]:
    """Return all characters by key."""
    return MappingProxyType(msgspec.convert(load_toml("characters.toml"), dict[str, Character]))


def character(key: str | None) -> Character:
    """Return a character by key, or the neutral one without a key. Raise `LookupError` for an unknown key."""
    if key is None:
        return NEUTRAL
    found = characters().get(key)
    if found is None:
        raise LookupError(f"no character {key!r}; there are {', '.join(characters())}")
    return found


@cache
def remark_texts(lang: str) -> Mapping[str, Mapping[str, tuple[str, ...]]]:
    """Return all remarks in a language, by character and occasion."""
    return msgspec.convert(load_toml(f"remarks/{lang}.toml"), dict[str, dict[str, tuple[str, ...]]])


Dial = Annotated[float, Meta(ge=0.0, le=1.0)]

_MOST_LIES = 0.3  # the boldness of the slyest
_MOST_SUSPICION = 1.5


class Dials(Struct, frozen=True, forbid_unknown_fields=True):
    """Numbers from 0 to 1; None leaves the preset. `honesty` 0 lies in 30 % of claims, `trust` 0 believes few."""

    memory: Dial | None = None
    honesty: Dial | None = None
    trust: Dial | None = None

    def level(self, preset: Level) -> Level:
        """Return the level with this memory, in proportion between two; numbers of things are those of the nearer."""
        if self.memory is None:
            return preset
        presets = tuple(levels().values())
        lower = min(int(self.memory * (len(presets) - 1)), len(presets) - 2)
        share = self.memory * (len(presets) - 1) - lower
        low, high = asdict(presets[lower]), asdict(presets[lower + 1])
        nearer = high if share >= 0.5 else low
        between = {name: low[name] + share * (high[name] - low[name]) for name in low}
        return convert({name: nearer[name] if isinstance(low[name], int) else between[name] for name in low}, Level)

    def character(self, preset: Character) -> Character:
        """Return the character with this honesty and trust."""
        boldness, suspicion = preset.boldness, preset.suspicion
        if self.honesty is not None:
            boldness = _MOST_LIES * (1.0 - self.honesty) ** 2
        if self.trust is not None:
            suspicion = _MOST_SUSPICION * (1.0 - 2.0 * self.trust)
        return replace(preset, boldness=boldness, suspicion=suspicion)


AS_PRESET = Dials()


Occasion = Literal["gave", "thanked", "doubted_rightly", "doubted_wrongly", "caught", "vindicated", "won", "lost"]
_SMALL_TALK = 0.4  # factor for giving and thanking, which happen all the time
OCCASIONS: tuple[Occasion, ...] = get_args(Occasion)


class Remark(Struct, frozen=True):
    """One of a character's texts for an occasion, independent of the language."""

    character: str
    occasion: Occasion
    number: int

    def text(self, lang: str) -> str:
        """Return the text in a language. Raise `LookupError` for an unknown language."""
        if lang not in LANGUAGES:
            raise LookupError(f"no language {lang!r}; there are {', '.join(LANGUAGES)}")
        texts = remark_texts(lang)[self.character][self.occasion]
        return texts[self.number % len(texts)]


def remark(key: str, seat: int, events: Sequence[Event], turn: int, seed: int = 0) -> Remark | None:
    """Return a character's remark about these events, if it makes one; the same seed and turn give the same remark."""
    occasion = occasion_for(seat, events)
    if occasion is None:
        return None
    rng = Random(f"{seed}/{turn}/{seat}")
    talkative = character(key).talkativeness
    if rng.random() >= (talkative * _SMALL_TALK if occasion in ("gave", "thanked") else talkative):
        return None
    return Remark(key, occasion, rng.randrange(1000))


def occasion_for(seat: int, events: Sequence[Event]) -> Occasion | None:
    """Return what the events mean for a seat; later events win, and the end of a round comes last."""
    for event in reversed(events):
        match event:
            case Ended(winners=winners):
                return "won" if seat in winners else "lost"
            case Refused(giver=giver, receiver=receiver, claim=claim, gift=gift):
                if seat == giver:
                    return "vindicated" if claim == gift else "caught"
                if seat == receiver:
                    return "doubted_wrongly" if claim == gift else "doubted_rightly"
            case Offered(giver=giver) if giver == seat:
                return "gave"
            case Accepted(receiver=receiver) if receiver == seat:
                return "thanked"
    return None
