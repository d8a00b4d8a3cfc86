"""What happens at a table as sentences in one language, which tell what everybody sees, and the words for gifts."""

import tomllib
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, cached_property
from importlib.resources import files
from random import Random
from types import MappingProxyType
from typing import Any

from notahat.gifts import catalogue, find
from notahat.gifts.find import fold
from notahat.gifts.grammar import lines
from notahat.gifts.word import Word, checked_language, facts, words
from notahat.rules import Accepted, Back, Drawn, Event, FaceDown, FaceUp, Offered, Refused, View, Wrapped
from notahat.rules.round import receivers
from notahat.rules.view import AnswerView, DrawView, GiveView, WrapView

_CONSONANTS, _VOWELS = "bdfgklmnprstvz", "aeiou"


class Vocabulary:
    """Names and lines of all gifts in one language. `own` are name, offer and denial of gifts that people made."""

    def __init__(
        self,
        lang: str,
        renamed: Mapping[str, str] | None = None,
        own: Mapping[str, tuple[str, str, str]] = MappingProxyType({}),
    ) -> None:
        self._lang, self._own = lang, own
        self._renamed = renamed
        if renamed is None:
            self._words: Mapping[str, Word] = words(lang)
        else:
            gender = next(iter(facts(lang).genders), None)
            self._words = {gift: Word(name, gender=gender, sound="consonant") for gift, name in renamed.items()}
        self._gifts = {word.name.casefold(): gift for gift, word in self._words.items()}
        self._gifts |= {name.casefold(): gift for gift, (name, _, _) in own.items()}

    def name(self, gift: str) -> str:
        return self._own[gift][0] if gift in self._own else self._words[gift].name

    def offer(self, gift: str) -> str:
        return self._own[gift][1] if gift in self._own else lines(self._words[gift], self._lang).offer

    def offered(self, text: str) -> str | None:
        """Return the gift that the words of an offer name."""
        return self._offers.get(fold(text))

    @cached_property
    def _offers(self) -> dict[str, str]:
        return {fold(self.offer(gift)): gift for gift in (*self._words, *self._own)}

    def denial(self, gift: str) -> str:
        return self._own[gift][2] if gift in self._own else lines(self._words[gift], self._lang).denial

    def find(self, text: str) -> str | None:
        """Return the gift that a text names. Nonsense words must be exact, others may have small typos."""
        exact = self._gifts.get(text.casefold())
        return find(text, self._lang) if exact is None and self._renamed is None else exact


def nonsense_names(rng: Random) -> dict[str, str]:
    """Return a different nonsense word for every gift of the catalogue."""
    names: dict[str, str] = {}
    used: set[str] = set()
    for gift in catalogue():
        while (name := "".join(rng.choice(_CONSONANTS) + rng.choice(_VOWELS) for _ in range(3))) in used:
            pass
        used.add(name)
        names[gift] = name
    return names


NARRATED = (Drawn, Wrapped, Offered, Accepted, Refused)  # the events that have sentences


def texts(lang: str) -> dict[str, str]:
    """Return the sentences of a language."""
    return {key: text for key, text in _words(lang).items() if isinstance(text, str)}


def terminal_texts(lang: str) -> dict[str, Any]:
    """Return the sentences of the game in a terminal: texts, and lists and plural forms of them."""
    terminal: dict[str, Any] = _words(lang)["terminal"]
    return terminal


@cache
def _words(lang: str) -> dict[str, Any]:
    file = files("notahat.narration").joinpath("words", f"{checked_language(lang)}.toml")
    return tomllib.loads(file.read_text("utf-8"))


class Narrator:
    """Tells one game: `see` returns new sentences, `rules`, `table` and `question` the parts of a message."""

    def __init__(self, lang: str, names: Sequence[str], vocabulary: Vocabulary) -> None:
        self._texts = texts(lang)
        self._names = tuple(names)
        self.vocabulary = vocabulary

    def say(self, key: str, **values: object) -> str:
        return self._texts[key].format(**values)

    def rules(self, seat: int) -> str:
        """Return the rules as one player reads them."""
        names, ends = self._names, {"first": self._names[0], "last": self._names[-1]}
        return self.say("rules", players=len(names), you=names[seat], names=", ".join(names), **ends).strip()

    def see(self, view: View, events: Sequence[Event], *, brief: bool = False) -> Iterator[str]:
        """Yield a sentence for each event, or for the deal without events; `brief` leaves out the wrapping."""
        if not events:
            columns = (
                ", ".join(self._card(card, seat) for card in held.column) for seat, held in enumerate(view.seats)
            )
            held = (self.say("held", who=self._names[seat], gifts=gifts) for seat, gifts in enumerate(columns))
            yield self.say("dealt", gifts="; ".join(held))
            return
        for event in events:
            if not (brief and isinstance(event, Wrapped)):
                yield from self._event(event)
        phase = view.phase
        if isinstance(phase, WrapView) and not phase.from_shop:
            yield self.say("takes_open", who=self._names[phase.giver], gift=self.vocabulary.name(phase.card.gift))
        elif isinstance(phase, GiveView) and isinstance(events[0], Accepted) and not brief:
            yield self.say("takes_wrapped", who=self._names[phase.giver], to=self._to(phase.card.back, phase.giver))

    def table(self, view: View) -> str:
        """Return what lies on the table now."""
        lines = [self.say("now")]
        for seat, held in enumerate(view.seats):
            parts = [", ".join(self._card(card, seat, open_word=True) for card in held.column)]
            if held.penalties:
                parts.append(self.say("penalties", gifts=", ".join(map(self.vocabulary.name, held.penalties))))
            lines.append(self.say("held", who=self._names[seat], gifts="; ".join(parts)))
        if view.shop.top is not None:
            lines.append(self.say("shop", gift=self.vocabulary.name(view.shop.top)))
        return "\n".join(lines)

    def question(self, view: View) -> str:
        """Return what the acting player is asked. Legal moves are not listed."""
        phase = view.phase
        if isinstance(phase, DrawView):
            return self.say("ask_draw")
        if isinstance(phase, AnswerView) and phase.claim is not None:
            return self.say("ask_answer", who=self._names[phase.giver], words=self.vocabulary.offer(phase.claim))
        if isinstance(phase, GiveView) and len(phase.receivers) == 1:
            return self.say("ask_give", to=self._names[phase.receivers[0]])
        return self.say("ask_give_any")

    def result(self, view: View) -> str:
        scores = ", ".join(f"{name} {score}" for name, score in zip(self._names, view.scores, strict=True))
        return self.say("over", scores=scores, winners=", ".join(self._names[seat] for seat in view.winners))

    def _event(self, event: Event) -> Iterator[str]:
        names, gift_name = self._names, self.vocabulary.name
        match event:
            case Drawn(giver=giver, gift=gift):
                yield self.say("drew", who=names[giver], gift=gift_name(gift))
            case Wrapped(giver=giver, back=back):
                yield self.say("wraps", who=names[giver], to=self._to(back, giver))
            case Offered(giver=giver, receiver=receiver, claim=str(claim)):
                yield self.say("offers", who=names[giver], to=names[receiver], words=self.vocabulary.offer(claim))
            case Accepted(receiver=receiver):
                yield self.say("accepts", who=names[receiver])
            case Refused(giver=giver, receiver=receiver, claim=str(claim), gift=gift):
                yield self.say(
                    "refuses",
                    who=names[receiver],
                    words=self.vocabulary.denial(claim),
                    gift=gift_name(gift),
                    wrong=names[receiver if claim == gift else giver],
                )

    def _card(self, card: FaceUp | FaceDown, seat: int, *, open_word: bool = False) -> str:
        if isinstance(card, FaceUp):
            name = self.vocabulary.name(card.gift)
            return self.say("open", gift=name) if open_word else name
        return self.say("wrapped", to=self._to(card.back, seat))

    def _to(self, back: Back, seat: int) -> str:
        to = receivers(back, seat, len(self._names))
        return self._names[to[0]] if len(to) == 1 else self.say("anybody")
