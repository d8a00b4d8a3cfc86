"""Running games that differ only in face-down gifts, for tests of rule 9.5."""

from random import Random

import msgspec

from notahat.gifts import Deck, catalogue, read_deck
from notahat.rules import Card
from notahat.rules.round import Answering, Giving
from notahat.table import Entry
from notahat.table import commands as do
from notahat.table.events import Dealt, DeckPut, Event
from support.pictures import hat, own, picture
from support.tables import TableDriver

PEOPLE = ("Ada", "Ben", "Cem", "Dora")
GIFTS = sorted(catalogue())


def own_deck() -> do.UploadDeck:
    """Return a deck of own gifts with all kinds of arrows."""
    own_gifts = [own(f"thing {letter}", picture(size=(40 + n, 25))) for n, letter in enumerate("abcdefghijklmnopqr")]
    numbers = [f"#{n}" for n in range(1, len(own_gifts) + 1)]
    sides = {"balanced": [], "left": numbers[:6], "right": numbers[6:12], "any": numbers[12:]}
    return do.UploadDeck(read_deck(hat(own=own_gifts, **sides)))


def claimable(driver: TableDriver) -> list[str]:
    deck = driver.table.deck
    return [*GIFTS, *(gift.key for gift in deck.own)] if deck else GIFTS


def running_game(seed: int, own_gifts: bool) -> TableDriver:
    """Return a game with several face-down cards and a pending answer."""
    randomness = Random(seed)
    driver = TableDriver(seed=seed, edition="special", special_cards=True, show_seconds=0, starter=0).seated(*PEOPLE)
    if own_gifts:
        driver.send("Ada", own_deck())
    driver.started()
    driver.draw_and_wrap()
    for _ in range(9):
        driver.give(randomness.choice(claimable(driver)))
        driver.answer(accepts=True)
        driver.wrap()
    driver.give(randomness.choice(claimable(driver)))
    return driver


def hidden_gifts(driver: TableDriver) -> list[str]:
    round_ = driver.table.round
    assert round_ is not None
    columns = zip(round_.columns, round_.unwrapped, strict=True)
    hidden = [card.gift for column, unwrapped in columns for card in column[unwrapped:]]
    if isinstance(round_.phase, Giving | Answering):
        hidden.append(round_.phase.card.gift)
    return hidden


def with_swapped_gifts(log: list[Entry], hidden: list[str]) -> list[Entry]:
    """Return the log with the hidden gifts rotated among their cards, in the deck and in the deal."""
    other = dict(zip(hidden, [*hidden[1:], hidden[0]], strict=True))

    def swap(cards: tuple[Card, ...]) -> tuple[Card, ...]:
        return tuple(Card(other.get(card.gift, card.gift), card.back) for card in cards)

    def swapped(event: Event) -> Event:
        match event:
            case Dealt():
                return msgspec.structs.replace(event, cards=swap(event.cards))
            case DeckPut(deck=Deck() as deck):
                return DeckPut(msgspec.structs.replace(deck, cards=swap(deck.cards)))
        return event

    return [msgspec.structs.replace(entry, events=tuple(map(swapped, entry.events))) for entry in log]
