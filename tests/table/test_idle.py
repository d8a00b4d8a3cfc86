"""Idle players, and what others may do while the table waits for one of them."""

from notahat.rules import Accept, Drawn
from notahat.table import commands as do
from notahat.table import view
from notahat.table.events import Crowd, CrowdVoted, Nudged, TookBack
from notahat.table.shown import PlayedFor
from notahat.table.table import MOST_NUDGES
from support.tables import TableDriver, due_command, due_move, guest

NOT_IDLE = {"nudge", "bot_move"}


def offered(**options: object) -> TableDriver:
    """A round in which Ada offers a gift to her neighbour."""
    driver = TableDriver(**{"starter": 0, **options}).seated("Ada", "Ben", "Cem").started()  # type: ignore[arg-type]
    driver.draw_and_wrap()
    driver.give(None if driver.table.spoken else "hat")
    return driver


def receiver(driver: TableDriver) -> int:
    seat = driver.table.due.seat
    assert seat is not None
    return seat


def test_only_other_players_may_help_and_only_when_idle() -> None:
    driver = offered()
    seat = receiver(driver)
    name, other = driver.name_at(seat), driver.name_at((seat + 1) % 3)
    assert driver.refusal(other, do.Nudge(seat)) == "not_idle"
    assert driver.refusal(other, do.BotMove(driver.turn, seat)) == "not_idle"
    driver.idle_seat = seat
    assert driver.may(other) >= NOT_IDLE
    assert not driver.may(name) & NOT_IDLE
    assert not driver.may("Eva") & NOT_IDLE
    assert driver.refusal(name, do.Nudge(seat)) == "not_seated"
    assert driver.refusal(other, do.BotMove(driver.turn - 1, seat)) == "stale"


def test_nudges_are_limited_until_the_next_move() -> None:
    driver = offered()
    driver.idle_seat = seat = receiver(driver)
    other = (seat + 1) % 3
    for _ in range(MOST_NUDGES):
        assert driver.send(driver.name_at(other), do.Nudge(seat)) == (Nudged(seat, other),)
    assert driver.refusal(driver.name_at(other), do.Nudge(seat)) == "enough_nudges"
    assert driver.may(driver.name_at(other)) & NOT_IDLE == {"bot_move"}
    driver.answer()
    assert driver.table.nudges == 0


def test_only_bystanders_vote_and_only_on_a_claim() -> None:
    driver = offered()
    seat = receiver(driver)
    bystander = next(n for n in (1, 2) if n != seat)
    assert driver.send(driver.name_at(bystander), do.Vote(driver.turn, True)) == ()
    assert driver.send("Eva", do.Vote(driver.turn, False)) == ()
    assert driver.refusal("Ada", do.Vote(driver.turn, True)) == "not_a_bystander"
    assert driver.refusal(driver.name_at(seat), do.Vote(driver.turn, True)) == "not_a_bystander"
    assert driver.refusal("Eva", do.Vote(driver.turn - 1, True)) == "stale"
    driver.answer(accepts=False)
    assert driver.refusal("Eva", do.Vote(driver.turn, True)) == "wrong_phase"


def stalled(times: int, **options: object) -> tuple[TableDriver, int]:
    """A table at which so many moves in a row were made for one present player, whose decision it is again."""
    driver = offered(**options)
    seat = receiver(driver)
    while times:
        if driver.table.due.seat == seat and driver.table.due.moves != ("wrap",):
            _help(driver, seat)
            times -= 1
        else:
            driver.move(accepts=True)
    while driver.table.due.seat != seat or driver.table.due.moves == ("wrap",):
        driver.move(accepts=True)
    return driver, seat


def _help(driver: TableDriver, seat: int) -> None:
    driver.idle_seat, driver.bot_move = seat, due_move(driver.table, accepts=True)
    driver.send(driver.name_at((seat + 1) % 3), do.BotMove(driver.turn, seat))
    driver.idle_seat = None


def test_r14_6_second_stall_lets_others_call_a_stand_in() -> None:
    driver, seat = stalled(1)
    name, other = driver.name_at(seat), driver.name_at((seat + 2) % 3)
    assert driver.refusal(other, do.SitIn(seat)) in ("not_host", "not_away")
    driver, seat = stalled(2)
    assert driver.offers(other, "sit_in")[0].seats == (seat,)
    assert "sit_in" not in driver.may(name)
    assert "sit_in" not in driver.may("Eva")
    assert driver.send(other, do.SitIn(seat)) == (PlayedFor(seat),)
    chair = view(driver.table, driver.present).seats[seat]
    assert (chair.stand_in, chair.away) == (True, False)
    assert "sit_in" not in driver.may(other)


def test_r14_6_player_takes_the_seat_back_by_saying_so() -> None:
    driver, seat = stalled(2)
    name, other = driver.name_at(seat), driver.name_at((seat + 1) % 3)
    assert driver.refusal(name, do.TakeBack()) == "not_away"
    driver.send(other, do.SitIn(seat))
    assert driver.refusal(None, do.ComeBack(guest(name))) == "not_away"  # being connected is not enough
    assert driver.send(name, do.TakeBack(seat=seat)) == (TookBack(seat),)
    assert "sit_in" not in driver.may(other)


def test_r14_6_player_takes_the_seat_back_by_a_move() -> None:
    driver, seat = stalled(2)
    driver.send(driver.name_at((seat + 1) % 3), do.SitIn(seat))
    driver.send(driver.name_at(seat), due_command(driver.table, accepts=True))
    assert (driver.table.seats[seat].stand_in, driver.table.seats[seat].stalls) == (False, 0)


def test_r14_6_moves_because_the_time_was_up_count() -> None:
    driver = offered(patience_seconds=30)
    seat = driver.table.due.seat
    assert seat is not None
    driver.send(None, do.PlayFor(driver.turn, Accept(seat)))
    assert driver.table.seats[seat].stalls == 1


def test_r14_6_absent_player_who_stalled_before_returns_by_connecting() -> None:
    driver, seat = stalled(2)
    name = driver.name_at(seat)
    driver.away = {name}
    driver.send("Ada" if name != "Ada" else "Ben", do.SitIn(seat))
    driver.away.clear()
    assert driver.send(None, do.ComeBack(guest(name))) == (TookBack(seat),)


def test_votes_are_shown_until_the_next_move() -> None:
    driver = offered()
    driver.votes = Crowd(2, 0)
    assert driver.answer(accepts=False)[-1] == CrowdVoted(2, 0)
    assert driver.send(None, do.CountVotes(driver.turn, Crowd(1, 1))) == (CrowdVoted(1, 1),)  # of another node
    assert view(driver.table, driver.present).crowd == Crowd(3, 1)
    assert driver.refusal(None, do.CountVotes(driver.turn - 1, Crowd(1, 0))) == "stale"
    seat = receiver(driver)
    assert isinstance(driver.send(driver.name_at(seat), do.Draw(driver.turn))[0], Drawn)
    assert driver.table.crowd is None
