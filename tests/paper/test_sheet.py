"""The layout of sheets, and the cards of a printed deck."""

from collections import Counter
from pathlib import Path

import pytest

from notahat import gifts
from notahat.paper import back, printed_deck
from notahat.paper.sheet import AIR, FLIPS, LARGEST, MARGIN, MARK, PAPERS, Flip, Size, grid, parse_size
from notahat.rules import Back

EXAMPLES = Path(gifts.__file__).parent / "examples"
SIZES = [Size(88, 55), Size(72, 45), Size(56, 35), Size(40, 25), Size(63.5, 55)]


@pytest.mark.parametrize("paper", PAPERS)
@pytest.mark.parametrize("card", SIZES)
def test_cards_and_cut_marks_are_in_printable_area(paper: str, card: Size) -> None:
    sheet, laid = PAPERS[paper], grid(paper, card)
    (places,) = laid.fronts(laid.columns * laid.rows)
    reach = MARGIN + MARK + AIR
    assert min(place.x for place in places) >= reach
    assert min(place.y for place in places) >= reach
    assert max(place.x for place in places) + card.width <= sheet.width - reach
    assert max(place.y for place in places) + card.height <= sheet.height - reach
    assert len(set(places)) == len(places)


@pytest.mark.parametrize("paper", PAPERS)
@pytest.mark.parametrize("flip", FLIPS)
@pytest.mark.parametrize("card", SIZES)
def test_flipped_sheet_has_backs_behind_fronts(paper: str, flip: Flip, card: Size) -> None:
    sheet, laid = PAPERS[paper], grid(paper, card)
    for place in next(laid.fronts(7)):
        behind = laid.back(place, flip)
        mirrored = sheet.width - behind.x - card.width if flip == "long" else behind.x
        turned = behind.y if flip == "long" else sheet.height - behind.y - card.height
        assert (mirrored, turned) == pytest.approx(place)


def test_ten_cards_fit_on_a4_and_eight_on_letter() -> None:
    assert [laid.columns * laid.rows for laid in (grid("a4", LARGEST), grid("letter", LARGEST))] == [10, 8]
    assert [len(places) for places in grid("a4", LARGEST).fronts(25)] == [10, 10, 5]


@pytest.mark.parametrize(
    ("text", "card"),
    [("88x55", (88, 55)), ("88", (88, 55)), ("64", (64, 40)), (" 63.5 × 40 mm", (63.5, 40)), ("70X44", (70, 44))],
)
def test_card_size_is_parsed(text: str, card: tuple[float, float]) -> None:
    assert parse_size(text) == card


@pytest.mark.parametrize("text", ["", "x", "88x", "89x55", "88x56", "39x30", "60x20", "1e2", "88x55x2", "-88", "٨٨"])
def test_invalid_card_size_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"card"):
        parse_size(text)


@pytest.mark.parametrize("edition", printed_deck.EDITIONS)
def test_r2_printed_deck_has_gifts_and_arrows_of_edition(edition: str) -> None:
    printed, kept = printed_deck.cards(edition), gifts.deck(edition)
    assert sorted(card.gift for card in printed) == sorted(card.gift for card in kept)
    assert Counter(card.back for card in printed) == Counter(card.back for card in kept)


@pytest.mark.parametrize("edition", printed_deck.EDITIONS)
def test_printed_arrows_reveal_nothing_about_screen_decks(edition: str) -> None:
    """As many arrows agree as by chance."""
    kept = {card.gift: card.back for card in gifts.deck(edition)}
    agree = sum(kept[card.gift] == card.back for card in printed_deck.cards(edition))
    chance = sum(n * n for n in Counter(kept.values()).values()) / len(kept)
    assert abs(agree - chance) <= len(kept) / 10


def test_r7_1_one_colour_is_a_part_of_the_printed_deck() -> None:
    black = printed_deck.cards("special", arrows="black")
    assert set(black) < set(printed_deck.cards("special"))
    assert Counter(card.back for card in black) == {Back.LEFT: 40, Back.ANY: 30}
    assert {card.back for card in printed_deck.cards("special", special_cards=False, arrows="white")} == {Back.RIGHT}


def test_r7_1_unknown_arrows_are_refused_for_printing() -> None:
    with pytest.raises(LookupError, match="no arrows 'red'"):
        printed_deck.cards("special", arrows="red")


def test_own_deck_is_printed_unchanged() -> None:
    kitchen = printed_deck.own(str(EXAMPLES / "kitchen.hat"))
    assert set(printed_deck.variant(kitchen.cards)) == set(kitchen.cards)
    assert [card.back for card in printed_deck.variant(kitchen.cards)] == [Back.LEFT] * 12 + [Back.RIGHT] * 12


@pytest.mark.parametrize("ink_saving", [False, True])
def test_backs_differ_and_need_no_ids(ink_saving: bool) -> None:
    drawn = [back.svg(one, ink_saving) for one in Back]
    assert len(set(drawn)) == len(Back)
    assert not any(word in text for text in drawn for word in ("id=", "url(", "style="))
