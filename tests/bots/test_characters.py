"""Characters are data, independent of level, and say nothing that the table does not know."""

from collections.abc import Sequence

import pytest

from notahat.bots import CHARACTERS, LEVELS, remark, sit_down
from notahat.bots.character import lines
from notahat.bots.remark import OCCASIONS, Remark, occasion_for
from notahat.gifts import LANGUAGES, cards, name
from notahat.lab.game import play_out
from notahat.rules import Accepted, Ended, Event, Give, Offered, Penalised, Refuse, Refused, Wrapped
from notahat.rules.card import Back


def test_there_are_at_least_eight_and_their_tempers_are_in_bounds() -> None:
    assert len(CHARACTERS) >= 8
    for character in CHARACTERS.values():
        assert character.name
        assert -1.5 <= character.suspicion <= 1.5
        for share in (character.boldness, character.poker_face, character.talkativeness):
            assert 0.0 <= share <= 1.0


def test_no_two_tempers_are_alike() -> None:
    tempers = {(one.suspicion, one.boldness, one.poker_face) for one in CHARACTERS.values()}
    assert len(tempers) == len(CHARACTERS)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_character_has_words_for_every_occasion_in_every_language(lang: str) -> None:
    spoken = lines(lang)
    assert list(spoken) == list(CHARACTERS)
    for said in spoken.values():
        assert list(said) == list(OCCASIONS)
        assert all(line.strip() == line and line for words in said.values() for line in words)


@pytest.mark.parametrize("lang", LANGUAGES)
def test_no_remark_names_a_gift_of_the_deck(lang: str) -> None:
    named = {name(card.gift, lang).casefold() for card in cards("classic") + cards("special")}
    for said in lines(lang).values():
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
def test_a_remark_fits_what_just_happened(events: Sequence[Event], seat: int, occasion: str | None) -> None:
    assert occasion_for(seat, events) == occasion


def test_a_remark_is_the_same_for_the_same_turn_and_more_often_from_the_talkative() -> None:
    offer = (Offered(0, 1, "hat"),)
    assert remark("berta", 0, offer, 7, seed=3) == remark("berta", 0, offer, 7, seed=3)
    said = {key: sum(remark(key, 0, offer, turn) is not None for turn in range(400)) for key in ("berta", "edgar")}
    assert 0 < said["edgar"] < said["berta"] < 400


def test_a_remark_has_words_in_every_language_and_only_in_those() -> None:
    assert Remark("berta", "won", 0).text("en") == "What a lovely evening."
    assert Remark("berta", "won", 5).text("de") == "Was für ein schöner Abend."
    with pytest.raises(LookupError, match="tlh"):
        Remark("berta", "won", 0).text("tlh")


def refusals(character: str) -> float:
    """How often a table of one character refuses."""
    offers = refused = 0
    for seed in range(12):
        deck = list(cards("classic"))[seed:] + list(cards("classic"))[:seed]
        bots = [sit_down("casual", seat, seed * 10 + seat, character) for seat in range(4)]
        for act in play_out(bots, deck, cap=60).acts:
            offers += type(act.move) is Give
            refused += type(act.move) is Refuse
    return refused / offers


def test_a_suspicious_character_refuses_more_often_than_a_trusting_one() -> None:
    assert refusals("gustav") > refusals("berta")


@pytest.mark.parametrize("level", LEVELS)
def test_any_character_sits_at_any_level(level: str) -> None:
    for key in CHARACTERS:
        bots = [sit_down(level, seat, seat, key) for seat in range(3)]
        assert play_out(bots, cards("special"), cap=15).acts
