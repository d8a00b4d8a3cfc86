"""Own decks: who may put them on the table, and what is dealt, claimed and stored."""

import msgspec

from notahat.gifts import Deck, Own, Word, read_deck, read_hat
from notahat.rules import Back, Card
from notahat.table import commands as do
from notahat.table import fold, view
from notahat.table.events import DeckPut, decode, encode
from notahat.table.table import MOST_DECKS, SNAPSHOT_SCHEMA, decode_table, encode_table
from support.pictures import GIFTS, hat, own
from support.tables import TableDriver


def hat_file_with_cup() -> bytes:
    return hat(balanced=[*GIFTS, "#1"], own=[own(look_alikes=["cup"])])


def bring_deck() -> do.UploadDeck:
    return do.UploadDeck(read_deck(hat_file_with_cup()))


def with_own_deck(*names: str, rounds: str = "one") -> TableDriver:
    driver = TableDriver(starter=0, rounds=rounds).seated(*(names or ("Ada", "Ben", "Cem")))
    driver.send("Ada", bring_deck())
    return driver


def own_key(driver: TableDriver) -> str:
    assert driver.table.deck is not None
    return driver.table.deck.own[0].key


def test_own_deck_is_dealt_until_it_is_taken_away() -> None:
    driver = with_own_deck().started()
    assert {card.gift for card in dealt(driver)} == {*GIFTS, own_key(driver)}
    driver.play_round()
    driver.send("Ada", do.Again())
    driver.send("Ada", do.PutDeck(None))
    driver.started()
    assert len(dealt(driver)) == 110


def test_r4_3_own_and_catalogue_gifts_can_be_claimed() -> None:
    driver = with_own_deck().started()
    driver.draw_and_wrap()
    unknown = do.Give(driver.turn, "own_0000000000000000")
    assert driver.refusal("Ada", unknown) == "unknown_gift"
    driver.give(own_key(driver))
    driver.answer(accepts=False)
    if driver.stage() == "play":
        driver.draw_and_wrap()
        driver.give("elephant")  # not in this table's deck


def test_r9_3_too_small_deck_prevents_start() -> None:
    driver = with_own_deck("Ada", "Ben", "Cem", "Dora")  # 4 · 1 + 2 · 4 + 1 = 13, and there are 11
    seen = view(driver.table, driver.present).deck
    assert msgspec.to_builtins(seen) == {"name": "At home", "cards": 11, "version": 6, "missing": 2}
    assert driver.refusal("Ada", do.Start()) == "too_few_cards"
    assert "start" not in driver.may("Ada")
    driver.send("Dora", do.Leave())
    assert "start" in driver.may("Ada")


def test_r9_3_guest_without_enough_cards_cannot_join() -> None:
    driver = with_own_deck(rounds="each").started()
    assert driver.refusal("Dora", do.Sit("Dora")) == "too_few_cards"
    driver.play_round()
    for name in ("Ada", "Ben", "Cem"):
        driver.send(name, do.Ready())
    assert driver.stage() == "play"


def test_table_never_validates_pictures() -> None:
    """Validation is slow, so it must not be repeated after a conflict or when a log is read."""
    driver = TableDriver().seated("Ada", "Ben")
    assert driver.refusal("Ada", do.PutDeck(read_hat(hat_file_with_cup()))) == "deck_picture"
    cup = Own("own_0", {"en": Word("teacup")}, (), "image/png", b"not a picture")
    deck = Deck("At home", "en", tuple(Card(gift, Back.LEFT) for gift in (*GIFTS, cup.key)), (cup,))
    for _ in range(2):
        driver.send("Ada", do.UploadDeck(deck))
        assert driver.log[-1].events == (DeckPut(deck),)
    assert fold(None, map(decode, map(encode, driver.log))) == driver.table


def test_pictures_are_only_in_the_log_and_once() -> None:
    driver = with_own_deck().started()
    log = [encode(entry) for entry in driver.log]
    assert sum(b"UklGR" in entry for entry in log) == 1  # the start of every WebP file
    assert b"UklGR" not in encode_table(driver.table)
    assert b"UklGR" not in msgspec.json.encode(view(driver.table, driver.present))
    assert decode_table(SNAPSHOT_SCHEMA, encode_table(driver.table)) == driver.table
    assert fold(None, map(decode, log)) == driver.table


def test_number_of_decks_per_table_is_limited() -> None:
    driver = TableDriver().seated("Ada", "Ben")
    for _ in range(MOST_DECKS):
        driver.send("Ada", bring_deck())
    assert driver.refusal("Ada", bring_deck()) == "enough_decks"
    driver.send("Ada", do.PutDeck(None))  # always allowed


def dealt(driver: TableDriver) -> tuple[Card, ...]:
    return driver.log[-1].events[-1].cards  # type: ignore[union-attr]
