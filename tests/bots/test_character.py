"""Characters and their remarks: data in every language, independent of the level."""

from collections.abc import Sequence

import pytest

from notahat.bots import CHARACTERS
from notahat.bots.presets import OCCASIONS, occasion_for, remark_texts
from notahat.gifts import LANGUAGES, cards, name
from notahat.rules import Accepted, Ended, Event, Offered, Penalised, Refused, Wrapped
from notahat.rules.card import Back


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_character_has_texts_for_every_occasion(lang: str) -> None:
    spoken = remark_texts(lang)
    assert list(spoken) == list(CHARACTERS)
    for said in spoken.values():
        assert list(said) == list(OCCASIONS)
        assert all(line.strip() == line and line for words in said.values() for line in words)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_no_remark_names_a_gift_of_the_deck(lang: str) -> None:
    named = {name(card.gift, lang).casefold() for card in cards("classic") + cards("special")}
    for said in remark_texts(lang).values():
        for words in said.values():
            for line in words:
                assert not named & {word.strip(".,!?¡¿").casefold() for word in line.split()}


TRUE, FALSE = Refused(0, 1, "hat", "hat"), Refused(0, 1, "hat", "egg")


@pytest.mark.parametrize(
    ("events", "seat", "occasion"),
    [
        ((Offered(0, 1, "hat"),), 0, "gave"),
        ((Offered(0, 1, "hat"),), 1, None),
        ((Accepted(0, 1),), 1, "thanked"),
        ((Accepted(0, 1),), 0, None),
        ((FALSE, Penalised(0, "egg")), 0, "caught"),
        ((FALSE, Penalised(0, "egg")), 1, "doubted_rightly"),
        ((TRUE, Penalised(1, "hat")), 0, "vindicated"),
        ((TRUE, Penalised(1, "hat")), 1, "doubted_wrongly"),
        ((TRUE, Penalised(1, "hat")), 2, None),
        ((TRUE, Penalised(1, "hat"), Ended((0, 3, 0), (0, 2))), 2, "won"),
        ((TRUE, Penalised(1, "hat"), Ended((0, 3, 0), (0, 2))), 1, "lost"),
        ((Wrapped(0, Back.LEFT),), 0, None),
        ((), 0, None),
    ],
)
def test_remark_fits_the_last_event(events: Sequence[Event], seat: int, occasion: str | None) -> None:
    assert occasion_for(seat, events) == occasion
