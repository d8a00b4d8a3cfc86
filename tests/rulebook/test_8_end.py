"""Chapter 8: the end. Scores, ties, and matches of several rounds."""

from random import Random

import pytest
from msgspec import structs

from notahat.rules import (
    Draw,
    Judge,
    Match,
    Reason,
    agree,
    cards_needed,
    deal,
    deal_round,
    drop,
    join,
    legal,
    play_match,
)
from notahat.rules.round import lowest
from support.rounds import Variant, cards, dealt, offered, random_move, refusal, refused


def test_r8_1_every_penalty_is_a_point_and_the_lowest_score_wins() -> None:
    round_ = dealt("a< b< c< d< p0< p1< p2< p3< p4<", seats=3, gifts_each=1)
    round_ = refused(offered(round_, round_.shop[0].gift))  # true, refused: seat 1 is wrong
    round_ = refused(offered(round_, "hat"))  # false, refused: seat 1 again
    round_ = refused(offered(round_, "hat"))
    assert round_.scores == (0, 3, 0)
    assert round_.winners == (0, 2)


@pytest.mark.parametrize(
    ("scores", "winners"),
    [((3, 0, 1), (1,)), ((3, 1, 1), (1, 2)), ((3, 2, 2, 2), (1, 2, 3)), ((0, 3), (0,))],
)
def test_r8_1_equal_lowest_scores_share_the_win(scores: tuple[int, ...], winners: tuple[int, ...]) -> None:
    assert lowest(scores) == winners


def test_r8_1_a_variant_may_end_with_another_number_of_penalties() -> None:
    round_ = deal(cards(" ".join(f"g{n}<" for n in range(cards_needed(3, 1, penalties=1)))), seats=3, penalties=1)
    round_ = refused(offered(round_, "hat"))
    assert (round_.over, round_.scores) == (True, (1, 0, 0))
    assert refusal(deal, (), seats=3, penalties=0) is Reason.WRONG_PENALTIES


def play_round(match: Match, seed: int) -> Match:
    variant = Variant(match.seats, match.gifts_each, "classic", True, "both", spoken=False, seed=seed)
    chance = Random(seed)
    match = deal_round(match, variant.shuffled())
    while match.round is not None and not match.round.over:
        match, _ = play_match(match, random_move(legal(match.round), variant, chance))
    return match


def test_r8_2_a_match_of_one_round_is_over_with_it() -> None:
    match = play_round(agree(4), seed=1)
    assert match.over
    assert match.round is not None
    assert match.totals == match.round.scores
    assert match.winners == match.round.winners


@pytest.mark.parametrize("seats", range(2, 9))
def test_r8_2_match_has_one_round_per_player_and_sums_scores(seats: int) -> None:
    match = agree(seats, gifts_each=2, rounds="each", starter=1)
    scores = []
    for number in range(seats):
        assert not match.over
        assert match.winners == ()
        match = play_round(match, seed=number)
        assert match.round is not None
        scores.append(match.round.scores)
    assert match.over
    assert match.totals == tuple(map(sum, zip(*scores, strict=True)))
    assert match.winners == lowest(match.totals)


def test_r8_2_next_starter_is_next_seat_clockwise() -> None:
    match, starters = agree(4, rounds="each", starter=2), []
    for number in range(4):
        dealt_match = deal_round(match, Variant(4, 1, "classic", True, "both", False, number).shuffled())
        assert dealt_match.round is not None
        starters.append(legal(dealt_match.round).seat)
        match = play_round(match, seed=number)
    assert starters == [2, 3, 0, 1]


def test_r8_2_no_round_is_dealt_while_one_runs_or_after_the_last() -> None:
    pack = Variant(4, 1, "classic", True, "both", False, 0).shuffled()
    running = deal_round(agree(4), pack)
    assert refusal(deal_round, running, pack) is Reason.ROUND_RUNNING
    assert refusal(deal_round, play_round(agree(4), seed=0), pack) is Reason.MATCH_OVER


def test_r8_2_invalid_match_options_are_refused() -> None:
    for seats, gifts_each, starter, reason in [
        (9, 1, 0, Reason.TOO_MANY_PLAYERS),
        (2, 1, 0, Reason.TWO_PLAYERS_NEED_TWO_GIFTS),
        (4, 1, 4, Reason.NO_SUCH_SEAT),
    ]:
        assert refusal(agree, seats, gifts_each, starter=starter) is reason


def test_no_move_is_legal_before_the_first_deal() -> None:
    assert refusal(play_match, agree(4), Draw(0)) is Reason.ROUND_OVER


def test_r12_2_correction_reopens_finished_round() -> None:
    match = deal_round(agree(4), Variant(4, 1, "classic", True, "both", True, 0).shuffled())
    while match.round is not None and not match.round.over:
        match = structs.replace(match, round=refused(offered(match.round, None)))
        match, _ = play_match(match, Judge(0, "giver"))
    assert match.over
    match, _ = play_match(match, Judge(1, "receiver"))
    assert not match.over
    assert match.totals == (0, 0, 0, 0)
    assert match.round is not None
    assert sum(match.round.scores) == 3


def next_starters(match: Match, rounds: int) -> list[int]:
    starters = []
    for number in range(rounds):
        starters.append(match.next_starter)
        match = play_round(match, seed=number)
    return starters


def test_r8_3_latecomer_starts_with_highest_total() -> None:
    match = play_round(agree(3, rounds="each"), seed=1)
    joined = join(match, 2, gifts_each=1)
    assert joined.totals == (*match.totals, max(match.totals), max(match.totals))
    after = play_round(joined, seed=2)
    assert after.round is not None
    assert after.totals == tuple(a + b for a, b in zip(joined.totals, after.round.scores, strict=True))


def test_r8_3_number_of_rounds_stays_after_a_join() -> None:
    match = join(play_round(agree(3, rounds="each"), seed=1), 1, gifts_each=1)
    match = play_round(play_round(match, seed=2), seed=3)
    assert match.over
    assert match.of == 3


@pytest.mark.parametrize("starter", range(3))
def test_r8_3_next_seat_starts_after_a_join(starter: int) -> None:
    match = play_round(agree(3, rounds="each", starter=starter), seed=1)
    joined = join(match, 1, gifts_each=1)
    assert next_starters(joined, 2) == [starter + 1, (starter + 2) % 4]


def test_r8_3_joining_is_refused_in_round_after_match_or_if_full() -> None:
    pack = Variant(8, 1, "classic", True, "both", False, 0).shuffled()
    running = deal_round(agree(3, rounds="each"), pack)
    full = play_round(agree(8, rounds="each"), seed=0)
    for match, reason in [
        (running, Reason.ROUND_RUNNING),
        (play_round(agree(3), seed=0), Reason.MATCH_OVER),
        (full, Reason.TOO_MANY_PLAYERS),
    ]:
        assert refusal(join, match, 1, gifts_each=1) is reason


def test_r8_3_third_player_allows_one_gift_each() -> None:
    match = join(play_round(agree(2, gifts_each=2, rounds="each"), seed=1), 1, gifts_each=1)
    dealt_match = deal_round(match, Variant(3, 1, "classic", True, "both", False, 0).shuffled())
    assert dealt_match.round is not None
    assert [len(column) for column in dealt_match.round.columns] == [1, 1, 1]


def test_r8_4_abandoned_round_does_not_count() -> None:
    match = play_round(agree(4, rounds="each"), seed=1)
    running = deal_round(match, Variant(4, 1, "classic", True, "both", False, 5).shuffled())
    assert running.round is not None
    running = structs.replace(running, round=refused(offered(running.round, "hat")))
    dropped = drop(running, 1, gifts_each=1)
    assert dropped.totals == (match.totals[0], match.totals[2], match.totals[3])
    assert dropped.round is None
    assert dropped.of == 4
    assert play_round(dropped, seed=3).seats == 3


@pytest.mark.parametrize(("out", "starts"), [(0, 1), (1, 1), (2, 2), (3, 2)])
def test_r8_4_same_starter_starts_again_or_next_seat(out: int, starts: int) -> None:
    match = play_round(agree(4, rounds="each", starter=1), seed=1)  # seat 2 starts the second round
    running = deal_round(match, Variant(4, 1, "classic", True, "both", False, 5).shuffled())
    assert drop(running, out, gifts_each=1).next_starter == starts


def test_r8_4_two_remaining_players_need_two_gifts() -> None:
    running = deal_round(agree(3), Variant(3, 1, "classic", True, "both", False, 5).shuffled())
    assert refusal(drop, running, 0, gifts_each=1) is Reason.TWO_PLAYERS_NEED_TWO_GIFTS
    two = drop(running, 0, gifts_each=2)
    assert refusal(drop, two, 0, gifts_each=2) is Reason.TOO_FEW_PLAYERS


def test_r8_4_latecomers_points_leave_with_them() -> None:
    match = join(play_round(agree(3, rounds="each"), seed=1), 1, gifts_each=1)
    assert drop(match, 0, gifts_each=1).totals == match.totals[1:]
    assert drop(match, 3, gifts_each=1).totals == match.totals[:3]


def test_r8_4_invalid_drop_is_refused() -> None:
    for match, seat, reason in [
        (play_round(agree(3), seed=0), 0, Reason.MATCH_OVER),
        (agree(3, rounds="each"), 3, Reason.NO_SUCH_SEAT),
    ]:
        assert refusal(drop, match, seat, gifts_each=1) is reason
