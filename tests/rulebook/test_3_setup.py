"""Chapter 3: set-up. How many may play, what is dealt, and who begins."""

import pickle

import pytest

from notahat.rules import Back, Card, FaceUp, Illegal, Reason, cards_needed, deal, legal, view
from support.rounds import dealt, refusal


def pack(size: int) -> list[Card]:
    return [Card(f"g{n}", Back.LEFT) for n in range(size)]


@pytest.mark.parametrize(
    ("seats", "gifts_each", "reason"),
    [
        (1, 2, Reason.TOO_FEW_PLAYERS),
        (0, 1, Reason.TOO_FEW_PLAYERS),
        (9, 1, Reason.TOO_MANY_PLAYERS),
        (2, 1, Reason.TWO_PLAYERS_NEED_TWO_GIFTS),
        (4, 0, Reason.WRONG_GIFTS_EACH),
        (4, 3, Reason.WRONG_GIFTS_EACH),
    ],
)
def test_r3_1_invalid_numbers_of_players_and_gifts(seats: int, gifts_each: int, reason: Reason) -> None:
    assert refusal(deal, pack(110), seats=seats, gifts_each=gifts_each) is reason


@pytest.mark.parametrize("seats", range(3, 9))
def test_r3_2_each_player_gets_one_open_card(seats: int) -> None:
    round_ = deal(pack(110), seats=seats)
    assert [seat.column for seat in view(round_).seats] == [(FaceUp(f"g{n}"),) for n in range(seats)]
    assert view(round_).shop.top == f"g{seats}"
    assert view(round_).shop.left == 110 - seats


@pytest.mark.parametrize("starter", range(4))
def test_r3_3_the_named_starter_begins_with_a_draw(starter: int) -> None:
    now = legal(dealt("", starter=starter))
    assert (now.seat, now.moves, now.receivers) == (starter, ("draw",), ())


@pytest.mark.parametrize("starter", [-1, 4])
def test_r3_3_the_starter_must_sit_at_the_table(starter: int) -> None:
    assert refusal(deal, pack(110), seats=4, starter=starter) is Reason.NO_SUCH_SEAT


@pytest.mark.parametrize(("seats", "gifts_each"), [(2, 2), (3, 1), (4, 1), (8, 1), (8, 2)])
def test_r9_3_small_deck_is_refused_with_missing_number(seats: int, gifts_each: int) -> None:
    needed = cards_needed(seats, gifts_each)
    assert deal(pack(needed), seats=seats, gifts_each=gifts_each).turn == 0
    with pytest.raises(Illegal, match="3 more cards are needed") as refused:
        deal(pack(needed - 3), seats=seats, gifts_each=gifts_each)
    assert refused.value.reason is Reason.TOO_FEW_CARDS


def test_r9_3_no_table_needs_more_than_33_cards() -> None:
    assert max(cards_needed(seats, each) for seats in range(2, 9) for each in (1, 2)) == 33


def test_illegal_can_be_pickled() -> None:
    with pytest.raises(Illegal) as refused:
        deal([Card("hat", Back.LEFT)], seats=1)
    copy = pickle.loads(pickle.dumps(refused.value))  # noqa: S301 - our own
    assert type(copy) is Illegal
    assert (copy.reason, copy.detail, str(copy)) == (Reason.TOO_FEW_PLAYERS, refused.value.detail, str(refused.value))


def test_r3_2_a_back_may_be_given_by_its_value() -> None:
    cards = [Card(f"gift_{n}", "left") for n in range(20)]  # type: ignore[arg-type] # what people type
    assert deal(cards, seats=3).columns[0][0].back is Back.LEFT
    cards[0] = Card("hat", "up")  # type: ignore[arg-type]
    assert refusal(deal, cards, seats=3) is Reason.UNREADABLE
