"""Characters and their remarks: data in every language, independent of the level."""

from collections.abc import Sequence

import pytest

from notahat.bots import CHARACTERS, LEVELS, remark, sit_down
from notahat.bots.character import remark_texts
from notahat.bots.remark import OCCASIONS, Remark, occasion_for
from notahat.gifts import LANGUAGES, cards, name
from notahat.rules import Accepted, Ended, Event, Give, Offered, Penalised, Refuse, Refused, Wrapped
from notahat.rules.card import Back
from support.bot_games import play_out


def test_eight_characters_with_tempers_in_bounds() -> None:
    assert len(CHARACTERS) >= 8
    for character in CHARACTERS.values():
        assert character.name
        assert -1.5 <= character.suspicion <= 1.5
        for share in (character.boldness, character.poker_face, character.talkativeness):
            assert 0.0 <= share <= 1.0


def test_all_tempers_differ() -> None:
    tempers = {(one.suspicion, one.boldness, one.poker_face) for one in CHARACTERS.values()}
    assert len(tempers) == len(CHARACTERS)


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


def test_remarks_are_reproducible_and_follow_talkativeness() -> None:
    offer = (Offered(0, 1, "hat"),)
    assert remark("berta", 0, offer, 7, seed=3) == remark("berta", 0, offer, 7, seed=3)
    said = {key: sum(remark(key, 0, offer, turn) is not None for turn in range(400)) for key in ("berta", "edgar")}
    assert 0 < said["edgar"] < said["berta"] < 400


def test_remark_has_a_text_in_known_languages_only() -> None:
    assert Remark("berta", "won", 0).text("en") == "What a lovely evening."
    assert Remark("berta", "won", 5).text("de") == "Was für ein schöner Abend."
    with pytest.raises(LookupError, match="tlh"):
        Remark("berta", "won", 0).text("tlh")


def refusals(character: str) -> float:
    """Return how often a table of one character refuses."""
    offers = refused = 0
    for seed in range(12):
        deck = list(cards("classic"))[seed:] + list(cards("classic"))[:seed]
        bots = [sit_down("casual", seat, seed * 10 + seat, character) for seat in range(4)]
        for answer in play_out(bots, deck, cap=120):
            offers += type(answer.move) is Give
            refused += type(answer.move) is Refuse
    return refused / offers


def test_suspicious_character_refuses_more_often() -> None:
    assert refusals("gustav") > refusals("berta")


@pytest.mark.parametrize("level", LEVELS)
def test_any_character_plays_at_any_level(level: str) -> None:
    for key in CHARACTERS:
        bots = [sit_down(level, seat, seat, key) for seat in range(3)]
        assert play_out(bots, cards("special"), cap=30)
