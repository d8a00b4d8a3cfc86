"""Chapter 12: spoken tables. Claims said aloud, and the table as judge."""

import pytest

from notahat.rules import (
    Accept,
    Draw,
    FaceUp,
    Judge,
    Judged,
    Legal,
    Penalised,
    Reason,
    Refuse,
    Refused,
    legal,
    play,
    view,
)
from support.rounds import accepted, after, dealt, offered, refusal, refused

ROUND = dealt("a< b< c< d< piano< book< fork<")
TO_JUDGE = refused(offered(ROUND, None))


def test_r12_1_spoken_move_has_no_claim() -> None:
    assert view(offered(ROUND, None)).phase.claim is None  # type: ignore[union-attr]


def test_r12_2_accepting_is_unchanged() -> None:
    assert accepted(offered(ROUND, None)).columns == accepted(offered(ROUND, "piano")).columns


def test_r12_2_refused_card_is_opened_for_judgement() -> None:
    round_, events = play(offered(ROUND, None), Refuse(1))
    assert events == (Refused(0, 1, None, "piano"),)
    assert view(round_).phase.card == FaceUp("piano")  # type: ignore[union-attr]
    assert legal(round_) == Legal(None, ("judge",))


@pytest.mark.parametrize("judge", range(4))
@pytest.mark.parametrize(("wrong", "blamed"), [("giver", 0), ("receiver", 1)])
def test_r12_2_anyone_seated_marks_who_was_wrong(judge: int, wrong: str, blamed: int) -> None:
    round_, events = play(TO_JUDGE, Judge(judge, wrong))  # type: ignore[arg-type]
    assert events == (Judged(judge, wrong), Penalised(blamed, "piano"))  # type: ignore[arg-type]
    assert legal(round_) == Legal(blamed, ("draw",), (), correctable=True)


@pytest.mark.parametrize("stranger", [-1, 4])
def test_r12_2_only_seated_players_judge(stranger: int) -> None:
    assert refusal(play, TO_JUDGE, Judge(stranger, "giver")) is Reason.NO_SUCH_SEAT


def test_r12_2_only_giver_or_receiver_can_be_wrong() -> None:
    assert refusal(play, TO_JUDGE, Judge(0, "nobody")) is Reason.WRONG_VERDICT  # type: ignore[arg-type]


def test_r12_2_while_the_table_judges_no_other_move_is_legal() -> None:
    assert refusal(play, TO_JUDGE, Draw(0)) is Reason.WRONG_PHASE
    assert refusal(play, TO_JUDGE, Accept(1)) is Reason.WRONG_PHASE


def test_r12_2_judgement_is_correctable_until_next_move() -> None:
    hasty = after(TO_JUDGE, Judge(2, "giver"))
    corrected, events = play(hasty, Judge(3, "receiver"))
    assert events == (Judged(3, "receiver"), Penalised(1, "piano"))
    assert corrected.scores == (0, 1, 0, 0)
    assert legal(corrected).seat == 1
    assert after(corrected, Judge(0, "giver")).scores == (1, 0, 0, 0)
    assert refusal(play, after(corrected, Draw(1)), Judge(0, "giver")) is Reason.WRONG_PHASE


def test_r12_2_judging_twice_alike_is_refused() -> None:
    assert refusal(play, after(TO_JUDGE, Judge(2, "giver")), Judge(3, "giver")) is Reason.ALREADY_JUDGED


def test_r12_2_an_entered_claim_is_never_judged() -> None:
    round_ = refused(offered(ROUND, "hat"))
    assert not legal(round_).correctable
    assert refusal(play, round_, Judge(0, "giver")) is Reason.WRONG_PHASE
