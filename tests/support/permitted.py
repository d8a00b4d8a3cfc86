"""Commands that a table permits, for tests that play at random."""

from random import Random

from notahat.gifts import catalogue, read_hat
from notahat.table import EMOTES, May
from notahat.table import commands as do
from notahat.table.commands import Command
from notahat.table.people import faces_taken, free_face
from support.pictures import hat
from support.tables import TableDriver, due_move

GIFTS = sorted(catalogue())
SMALL_DECK = read_hat(hat(balanced=GIFTS[:12]))  # enough for three players (9.3)


def command_for(driver: TableDriver, one: May, rng: Random) -> Command:
    """Return a command that `may` permits."""
    turn = driver.table.round.turn if driver.table.round else 0
    some_seat = rng.choice(one.seats) if one.seats else 0
    claim = None if driver.table.spoken else rng.choice(GIFTS)
    commands: dict[str, Command] = {
        "sit": do.Sit("Somebody"),
        "rename": do.Rename("Somebody else", seat=one.seat),
        "set_face": do.SetFace(free_face(None, str(rng.random()), faces_taken(driver.table)), seat=one.seat),
        "leave": do.Leave(seat=one.seat),
        "emote": do.Emote(rng.choice(EMOTES), seat=one.seat),
        "lock": do.Lock(rng.random() < 0.5),
        "hand_over": do.HandOver(some_seat),
        "set_options": do.SetOptions({"show_seconds": rng.randrange(11)}),
        "put_deck": do.PutDeck(rng.choice((None, SMALL_DECK))),
        "add_bot": do.AddBot("casual"),
        "move_seat": do.MoveSeat(some_seat, rng.choice(one.seats or (0,))),
        "shuffle_seats": do.ShuffleSeats(),
        "remove": do.Remove(some_seat) if one.seats else do.Remove(name=rng.choice(one.names or ("",))),
        "start": do.Start(),
        "sit_in": do.SitIn(some_seat),
        "take_back": do.TakeBack(seat=one.seat),
        "end_match": do.EndMatch(),
        "draw": do.Draw(turn, seat=one.seat),
        "give": do.Give(turn, claim, rng.choice(one.to or (0,)), seat=one.seat),
        "accept": do.Accept(turn, seat=one.seat),
        "refuse": do.Refuse(turn, seat=one.seat),
        "answer_knock": do.AnswerKnock(rng.choice(one.names or ("",)), rng.random() < 0.5),
        "set_pace": do.SetPace(rng.choice(("relaxed", "normal", "brisk"))),
        "let_in": do.LetIn(rng.choice(one.names or ("",))),
        "move_for": do.MoveFor(
            turn, some_seat, rng.choice(one.moves or ()) if one.moves else "draw", rng.choice(one.to or (None,))
        ),
        "deal_again": do.DealAgain(some_seat),
        "judge": do.Judge(turn, rng.choice(one.wrong or ("giver",)), seat=one.seat),
        "pause": do.Pause(),
        "resume": do.Resume(),
        "ready": do.Ready(seat=one.seat),
        "again": do.Again(),
        "play_without": do.PlayWithout(some_seat),
        "nudge": do.Nudge(some_seat),
        "vote": do.Vote(turn, rng.random() < 0.5),
    }
    return commands[one.do]


def run_system(driver: TableDriver, rng: Random) -> bool:
    """Send the system command that is due, if any: pass the host's role, deal, wrap or move for a computer player."""
    table, round_ = driver.table, driver.table.round
    if table.host not in driver.present and table.host_candidates(driver.present):
        driver.send(None, do.PassHost())
        return True
    if table.stage == "between" and table.present_players(driver.present) and table.all_ready(driver.present):
        driver.send(None, do.DealNext())
        return True
    if round_ is None or table.stage != "play" or table.paused:
        return False
    due = table.due
    if due.seat is None or (due.moves != ("wrap",) and not table.seats[due.seat].played_by_bot):
        return False
    driver.send(None, do.PlayFor(round_.turn, due_move(table, rng.choice(GIFTS))))
    return True
