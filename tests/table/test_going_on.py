"""No table can be stuck, whoever leaves: somebody who is here may always do something that goes on."""

from random import Random

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from notahat.gifts import catalogue
from notahat.rules import Draw, Give, Move, Refuse, Wrap, legal
from notahat.table import May, may
from notahat.table import commands as do
from notahat.table.commands import Command
from support.tables import Sitting, guest

PEOPLE = ("Ada", "Ben", "Cem", "Dora", "Eve")
GIFTS = sorted(catalogue())
GOES_ON = {"draw", "give", "accept", "refuse", "judge", "resume", "sit_in", "move_for", "deal_again", "ready", "again"}
OPTIONS = st.fixed_dictionaries(
    {
        "edition": st.sampled_from(["classic", "special"]),
        "rounds": st.sampled_from(["one", "each"]),
        "claims": st.sampled_from(["entered", "spoken"]),
        "patience_seconds": st.sampled_from([0, 10]),
    }
)
MOST_STEPS = 3000


def order(sitting: Sitting, one: May, luck: Random) -> Command:
    turn = sitting.table.round.turn if sitting.table.round else 0
    seat = luck.choice(one.seats) if one.seats else 0
    to = luck.choice(one.to) if one.to else None
    match one.do:
        case "draw":
            return do.Draw(turn, one.seat)
        case "accept" | "refuse":
            return do.Accept(turn, one.seat) if one.do == "accept" else do.Refuse(turn, one.seat)
        case "give":
            return do.Give(turn, None if sitting.table.spoken else luck.choice(GIFTS), to, one.seat)
        case "judge":
            return do.Judge(turn, luck.choice(one.wrong or ("giver",)), one.seat)
        case "resume":
            return do.Resume()
        case "sit_in":
            return do.SitIn(seat)
        case "move_for":
            return do.MoveFor(turn, seat, luck.choice(one.moves or ()), to)
        case "deal_again":
            return do.DealAgain(seat)
        case "ready":
            return do.Ready(one.seat)
        case _:
            return do.Again()


def the_house_moves(sitting: Sitting, luck: Random) -> bool:
    """What happens by itself: the host's role passes on, all are ready, cards wrap, computer players move."""
    table, round_ = sitting.table, sitting.table.round
    if table.host not in sitting.present and table.heirs(sitting.present):
        sitting.does(None, do.PassHost())
        return True
    if table.stage == "between" and table.persons_here(sitting.present) and table.all_ready(sitting.present):
        sitting.does(None, do.DealNext())
        return True
    if round_ is None or table.stage != "play" or table.paused:
        return False
    due = legal(round_)
    if due.moves == ("wrap",) and due.seat is not None:
        sitting.does(None, do.PlayFor(round_.turn, Wrap(due.seat)))
        return True
    if due.seat is None or not table.seats[due.seat].played_by_bot:
        return False
    moves: dict[str, Move] = {"draw": Draw(due.seat), "give": Give(due.seat, luck.choice(GIFTS), *due.receivers[:1])}
    sitting.does(None, do.PlayFor(round_.turn, moves.get(due.moves[0], Refuse(due.seat))))
    return True


def somebody_leaves(sitting: Sitting, luck: Random) -> None:
    """By the menu, by a broken connection, or for a while only. One of them stays."""
    here = [name for name in PEOPLE if name not in sitting.away and sitting.table.held_by(guest(name))]
    if len(here) < 2:
        return
    name = luck.choice(here)
    match luck.randrange(4):
        case 0:
            sitting.does(name, do.Leave())
            sitting.away.add(name)
        case 1 if sitting.stage() == "play" and not sitting.table.paused:
            sitting.does(name, do.Pause())
            sitting.away.add(name)
        case _:
            sitting.away.add(name)


def what_goes_on(sitting: Sitting) -> list[tuple[str, May]]:
    sitting.long_away = set(sitting.away)
    return [
        (name, one)
        for name in PEOPLE
        if name not in sitting.away
        for one in may(sitting.table, guest(name), sitting.present, sitting.absent)
        if one.do in GOES_ON
    ]


@settings(max_examples=80, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(seed=st.integers(0, 2**32), options=OPTIONS, people=st.integers(2, 4), computers=st.integers(0, 2))
def test_whoever_leaves_somebody_who_is_here_can_go_on_to_the_end(
    seed: int, options: dict[str, object], people: int, computers: int
) -> None:
    luck = Random(seed)
    sitting = Sitting(luck=seed, **options).seated(*PEOPLE[:people])  # type: ignore[arg-type]
    for _ in range(0 if sitting.table.spoken else computers):
        sitting.does("Ada", do.AddBot("casual"))
    sitting.started()
    for _ in range(MOST_STEPS):
        if sitting.stage() == "over":
            break
        if luck.random() < 0.05:
            somebody_leaves(sitting, luck)
        if luck.random() < 0.02 and len(sitting.table.seats) + len(sitting.table.waiting) < 8:
            sitting.away.discard("Eve")
            if "sit" in sitting.may("Eve"):
                sitting.does("Eve", do.Sit("Eve"))
        if the_house_moves(sitting, luck):
            continue
        possible = what_goes_on(sitting)
        assert possible, (sitting.stage(), sitting.away, sitting.table)
        kinder = [one for one in possible if one[1].do != "accept"] or possible  # so that rounds come to an end
        name, one = luck.choice(kinder)
        sitting.does(name, order(sitting, one, luck))
    assert sitting.stage() == "over"
    assert "again" in {one.do for _, one in what_goes_on(sitting)}


@settings(max_examples=40, deadline=None)
@given(seed=st.integers(0, 2**32), spoken=st.booleans())
def test_who_leaves_by_the_menu_on_their_own_turn_holds_nobody_up(seed: int, spoken: bool) -> None:
    luck = Random(seed)
    sitting = Sitting(luck=seed, claims="spoken" if spoken else "entered").seated("Ada", "Ben", "Cem").started()
    for _ in range(luck.randrange(12)):
        if sitting.stage() == "play" and not the_house_moves(sitting, luck):
            name, one = luck.choice(what_goes_on(sitting))
            sitting.does(name, order(sitting, one, luck))
    round_ = sitting.table.round
    due = None if round_ is None else legal(round_).seat
    if sitting.stage() != "play" or due is None:
        return
    sitting.does(sitting.name_at(due), do.Leave())
    assert the_house_moves(sitting, luck) or what_goes_on(sitting)
