"""Idle players, and what others may do while the table waits for one of them."""

from notahat.rules import Accept, Accepted, Drawn
from notahat.table import commands as do
from notahat.table import view
from notahat.table.events import Crowd, CrowdVoted, Helped, Nudged
from notahat.table.table import MOST_NUDGES
from support.tables import TableDriver

NOT_IDLE = {"nudge", "bot_move"}


def offered(**options: object) -> TableDriver:
    """A round in which Ada offers a gift to her neighbour."""
    driver = TableDriver(**{"starter": 0, **options}).seated("Ada", "Ben", "Cem").started()  # type: ignore[arg-type]
    driver.draw_and_wrap()
    driver.give(None if driver.table.spoken else "hat")
    return driver


def receiver(driver: TableDriver) -> int:
    seat = driver.table.awaited_seat(driver.present)
    assert seat is not None
    return seat


def test_new_tables_are_gentle_and_old_logs_endless() -> None:
    assert offered().table.options.nudge_seconds == 20
    assert offered(nudge_seconds=0).table.awaited_seat(offered().present) is None
    assert offered(patience_seconds=30).table.awaited_seat(offered().present) is None


def test_idle_person_is_awaited_by_other_people_only() -> None:
    driver = offered()
    seat = receiver(driver)
    others = {name for name in ("Ada", "Ben", "Cem") if name != driver.name_at(seat)}
    driver.away = others
    assert driver.table.awaited_seat(driver.present) is None
    driver.away = {driver.name_at(seat)}
    assert driver.table.awaited_seat(driver.present) is None
    driver.away = set()
    driver.send("Ada", do.Pause())
    assert driver.table.awaited_seat(driver.present) is None


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


def test_computer_player_makes_one_move_and_the_seat_stays() -> None:
    driver = offered()
    driver.idle_seat = seat = receiver(driver)
    driver.bot_move = Accept(seat)
    other = (seat + 1) % 3
    events = driver.send(driver.name_at(other), do.BotMove(driver.turn, seat))
    assert events[0] == Helped(seat, other)
    assert any(isinstance(event, Accepted) for event in events)
    assert not driver.table.seats[seat].played_by_bot


def test_spoken_table_can_nudge_but_not_move() -> None:
    driver = offered(claims="spoken")
    driver.idle_seat = seat = receiver(driver)
    other = driver.name_at((seat + 1) % 3)
    assert driver.may(other) & NOT_IDLE == {"nudge"}
    assert driver.refusal(other, do.BotMove(driver.turn, seat)) == "no_bots_at_spoken_tables"


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
