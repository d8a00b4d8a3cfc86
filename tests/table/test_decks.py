"""A deck of one's own on the table: who may put it there, what is dealt and claimed, and how it is forgotten."""

import msgspec

from notahat.gifts import Deck, Own, Word, read_deck, read_hat
from notahat.rules import Back, Card
from notahat.table import commands as do
from notahat.table import fold, view
from notahat.table.events import DeckPut, decode, encode
from notahat.table.snapshot import SNAPSHOT_SCHEMA, decode_table, encode_table
from notahat.table.story import story
from notahat.table.table import MOST_DECKS
from support.pictures import GIFTS, hat, own
from support.tables import Sitting


def with_a_cup() -> bytes:
    return hat(balanced=[*GIFTS, "#1"], own=[own(look_alikes=["cup"])])


def the_deck() -> do.BringDeck:
    return do.BringDeck(read_deck(with_a_cup()))


def at_home(*names: str, rounds: str = "one") -> Sitting:
    sitting = Sitting(starter=0, rounds=rounds).seated(*(names or ("Ada", "Ben", "Cem")))
    sitting.does("Ada", the_deck())
    return sitting


def own_key(sitting: Sitting) -> str:
    assert sitting.table.deck is not None
    return sitting.table.deck.own[0].key


def test_only_the_host_puts_a_deck_on_the_table_and_only_in_the_lobby() -> None:
    sitting = Sitting().seated("Ada", "Ben", "Cem")
    assert sitting.refusal("Ben", the_deck()) == "not_host"
    assert "put_deck" in sitting.may("Ada")
    assert "put_deck" not in sitting.may("Ben")
    sitting.started()
    assert sitting.refusal("Ada", the_deck()) == "match_running"


def test_the_round_is_dealt_from_the_deck_and_from_the_edition_when_it_is_taken_away() -> None:
    sitting = at_home().started()
    assert {card.gift for card in dealt(sitting)} == {*GIFTS, own_key(sitting)}
    sitting.play_round()
    sitting.does("Ada", do.Again())
    sitting.does("Ada", do.PutDeck(None))
    sitting.started()
    assert len(dealt(sitting)) == 110


def test_r4_3_own_gifts_and_all_of_the_catalogue_can_be_claimed() -> None:
    sitting = at_home().started()
    sitting.draw_and_wrap()
    stranger = do.Give(sitting.turn, "own_0000000000000000")
    assert sitting.refusal("Ada", stranger) == "unknown_gift"
    sitting.give(own_key(sitting))
    sitting.answer(accepts=False)
    if sitting.stage() == "play":
        sitting.draw_and_wrap()
        sitting.give("elephant")  # in no deck of this table


def test_own_gifts_cannot_be_claimed_at_other_tables() -> None:
    key = own_key(at_home())
    sitting = Sitting(starter=0).seated("Ada", "Ben", "Cem").started()
    sitting.draw_and_wrap()
    assert sitting.refusal("Ada", do.Give(sitting.turn, key)) == "unknown_gift"


def test_r9_3_a_deck_too_small_for_so_many_is_told_before_the_start() -> None:
    sitting = at_home("Ada", "Ben", "Cem", "Dora")  # 4 · 1 + 2 · 4 + 1 = 13, and there are 11
    seen = view(sitting.table, sitting.present).deck
    assert msgspec.to_builtins(seen) == {"name": "At home", "cards": 11, "version": 6, "missing": 2}
    assert sitting.refusal("Ada", do.Start()) == "too_few_cards"
    assert "start" not in sitting.may("Ada")
    sitting.does("Dora", do.Leave())
    assert "start" in sitting.may("Ada")


def test_r9_3_nobody_joins_a_match_for_whom_there_are_no_cards() -> None:
    sitting = at_home(rounds="each").started()
    assert sitting.refusal("Dora", do.Sit("Dora")) == "too_few_cards"
    sitting.play_round()
    for name in ("Ada", "Ben", "Cem"):
        sitting.does(name, do.Ready())
    assert sitting.stage() == "play"


def test_r7_1_one_colour_takes_the_other_out_of_an_own_deck_too() -> None:
    sitting = Sitting(arrows="black").seated("Ada", "Ben")
    sitting.does("Ada", do.PutDeck(read_hat(hat(balanced=[], left=GIFTS, right=["cup", "pear"], any=["apple"]))))
    sitting.started()
    assert {card.gift for card in dealt(sitting)} == {*GIFTS, "apple"}


def test_a_refused_deck_leaves_nothing_behind() -> None:
    sitting = Sitting().seated("Ada", "Ben")
    log = tuple(sitting.log)
    assert sitting.refusal("Ada", do.PutDeck(read_hat(hat(balanced=GIFTS[:5])))) == "deck_too_small"
    assert tuple(sitting.log) == log


def test_pictures_are_never_looked_at_where_a_table_decides() -> None:
    """It takes a while: so it is done before, and not again for an order that comes second or a log that is read."""
    sitting = Sitting().seated("Ada", "Ben")
    assert sitting.refusal("Ada", do.PutDeck(read_hat(with_a_cup()))) == "deck_picture"
    cup = Own("own_0", {"en": Word("teacup")}, (), "image/png", b"looked at by whoever brings it")
    deck = Deck("At home", "en", tuple(Card(gift, Back.LEFT) for gift in (*GIFTS, cup.key)), (cup,))
    for _ in range(2):
        sitting.does("Ada", do.BringDeck(deck))
        assert sitting.log[-1].events == (DeckPut(deck),)
    assert fold(None, map(decode, map(encode, sitting.log))) == sitting.table


def test_pictures_are_in_the_log_once_and_nowhere_else() -> None:
    sitting = at_home().started()
    log = [encode(entry) for entry in sitting.log]
    assert sum(b"UklGR" in entry for entry in log) == 1  # so begins every WebP file
    assert b"UklGR" not in encode_table(sitting.table)
    assert b"UklGR" not in msgspec.json.encode(view(sitting.table, sitting.present))
    assert decode_table(SNAPSHOT_SCHEMA, encode_table(sitting.table)) == sitting.table
    assert fold(None, map(decode, log)) == sitting.table


def test_a_table_takes_so_many_decks_and_no_more() -> None:
    sitting = Sitting().seated("Ada", "Ben")
    for _ in range(MOST_DECKS):
        sitting.does("Ada", the_deck())
    assert sitting.refusal("Ada", the_deck()) == "enough_decks"
    sitting.does("Ada", do.PutDeck(None))  # that may always be


def test_a_story_says_which_deck_it_was() -> None:
    sitting = at_home().started()
    sitting.play_round()
    told = story(sitting.log, 1)
    assert told is not None
    entry = sitting.log[int(told.deck or 0) - 1]
    assert isinstance(entry.events[0], DeckPut)


def dealt(sitting: Sitting) -> tuple[Card, ...]:
    return sitting.log[-1].events[-1].cards  # type: ignore[union-attr]
