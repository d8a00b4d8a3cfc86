"""The states of the gallery. web/README.md says how to add one."""

from collections.abc import Iterator
from functools import cache
from typing import Any, Literal

from msgspec import Struct

from gallery.evening import NAMES, Evening
from notahat.table import commands as do

Screen = Literal["table", "around", "screen", "home"]
SETTINGS: dict[str, Any] = {"asked": True}
PATHS: dict[Screen, str] = {
    "table": "/t/K7QX",
    "around": "/t/K7QX/around",
    "screen": "/t/K7QX/screen",
    "home": "/home",
}
GO_ON = "[data-do=go_on]"
MOVE = "[data-actions] [data-do]"
CLAIM = f"{MOVE}, [data-sentence] .spoken"
PROMPT = "[data-prompt] .button"
NUDGE = "[data-prompt=idle] .button"
VOTED = ("[data-prompt=vote] [aria-pressed]",)
RECEIVER = ".receiver [data-face]"
GIVE = "[data-do=give]"
MENU = "header > .button:last-child"
REPLAY = ("[data-watch]", "[data-actions] .act")  # opens a replay and stops it
IDLE_SECONDS = 45.0  # after 40 s everybody reads for whom the table waits
FORWARD = "[data-actions] .button:last-of-type"


class GalleryState(Struct, frozen=True):
    """One picture: what the server sends, the settings of the browser, and what is tapped before it is looked at.

    `now` is what the person must or may do now: it has to be in sight without scrolling. A tap that starts with `=`
    types text into the focused field. `refused` is the reason of a refusal that follows the state.
    """

    name: str
    evening: Evening
    you: str = "Ada"
    screen: Screen = "table"
    now: str = ""
    taps: tuple[str, ...] = ()
    settings: dict[str, Any] = {}
    offline: bool = False
    refused: str = ""
    phone: bool = False  # it is shown on phones only
    count: int = 1  # of the last messages that the page receives

    def record(self) -> dict[str, Any]:
        """Return all that the page needs."""
        messages = self.evening.messages(self.you, self.count)
        if self.refused:
            messages.append(f'{{"no": "x", "reason": "{self.refused}", "detail": ""}}')
        return {
            "name": self.name,
            "path": PATHS[self.screen],
            "screen": self.screen,
            "messages": messages,
            "story": self.evening.story(),
            "settings": {**SETTINGS, "name": self.you, **self.settings},
            "taps": self.taps,
            "now": self.now,
            "offline": self.offline,
        }


@cache
def states() -> dict[str, GalleryState]:
    """Return all states by name."""
    groups = (
        _home,
        _table,
        _prompts,
        _spoken,
        _away,
        _guests,
        _dialogs,
        _lobby,
        _results,
        _tablet,
        _screen,
        _controller,
    )
    every = [state for group in groups for state in group()]
    assert len({state.name for state in every}) == len(every)
    return {state.name: state for state in every}


def _home() -> Iterator[GalleryState]:
    alone = Evening(1)
    yield GalleryState("home-first", alone, screen="home", settings={"name": ""}, now="[data-learn]")
    known = {"name": NAMES[1], "games": 3}
    yield GalleryState("home-brisk", alone, screen="home", settings=known, now="[data-brisk]")
    known = {**known, "table": "K7QX", "pace": "normal"}
    yield GalleryState("home-returning", alone, screen="home", settings=known, now=".now, [data-day]")
    yield GalleryState("home-room", alone, screen="home", settings=known, taps=("[data-room]",))
    yield GalleryState("home-day", alone, screen="home", settings=known, taps=("[data-day]",), now="[data-unwrap]")


def _table() -> Iterator[GalleryState]:
    for seats in range(2, 9):
        yield GalleryState(f"table-draw-{seats}", Evening(seats).start(), now=MOVE)
        decide = Evening(seats, starter=seats - 1, gifts_each=2).start().penalties(2)
        yield GalleryState(f"table-decide-{seats}", decide.offer(), now=CLAIM)
        if seats > 2:
            yield GalleryState(f"table-vote-{seats}", Evening(seats, starter=1).start().offer(), now=PROMPT)
        reveal = Evening(seats, starter=seats - 1).start().offer().vote().refuse()
        yield GalleryState(f"table-reveal-{seats}", reveal, count=2, now=GO_ON)
    watched = Evening(3).start().offer().vote().refuse()
    yield GalleryState("table-reveal-others-3", watched, you=NAMES[2], count=2, now=GO_ON)
    yield GalleryState("table-give", Evening(4).start().draw(), now=MOVE)
    yield GalleryState("table-two-gifts-8", Evening(8, gifts_each=2).start().draw(), now=MOVE)
    yield GalleryState("table-wait-7", Evening(7, starter=1).start().draw())
    paused = Evening(4).start().draw().do("Ada", do.Pause())
    yield GalleryState("table-paused", paused, now="[data-actions] .button")
    yield GalleryState("table-offline", Evening(4).start().draw(), offline=True)
    yield GalleryState("table-refused-5", Evening(5).start().draw(), refused="contended", now=MOVE)
    news = Evening(8).start().draw().do(NAMES[1], do.Leave())
    yield GalleryState("table-news-8", news, you=NAMES[3], count=2)
    yield GalleryState("table-news-host-3", Evening(3).start().draw().watch("Eve"), count=2, now=MOVE)
    watched = Evening(4, rounds="each").watch("Eve").watch("Zoe").start()
    yield GalleryState("table-watched-4", watched.draw(), now=MOVE)
    yield GalleryState("table-watching-4", watched, you="Eve")
    for seats in (5, 7, 8):
        yield GalleryState(f"table-receivers-{seats}", _special(seats), taps=(GIVE,), now="[data-pick]")
    remarks = Evening(8, starter=1).start().offer().do(NAMES[1], do.Leave())
    for name in ("Ada", "Bo", "Eve"):
        remarks.do(name, do.Emote("clap"))
    yield GalleryState("table-remarks-8", remarks, count=5)
    yield GalleryState("table-wrapped-3", _wrapped(), phone=True)
    yield GalleryState("table-introductions", Evening(1, bots=7).start(), count=2, now=MOVE)
    yield GalleryState("table-solo", Evening(1, bots=3).start().draw(), now=MOVE)


def _wrapped() -> Evening:
    """Return a table where both gifts of Ada are wrapped."""
    evening = Evening(3, gifts_each=2, starter=1, arrows="white").start().offer()
    for _ in range(6):
        evening.accept().wrapped().give()
    return evening


def _special(seats: int) -> Evening:
    """Return a table where Ada holds a card with arrows in all directions."""
    evening = Evening(seats, edition="special", special_cards=True, arrows="both").start().draw()
    for _ in range(200):
        if len(evening.due.receivers) > 1 and evening.due.seat == 0:
            return evening
        evening.give().accept().wrapped()
    raise AssertionError("no card with arrows in all directions")


def _prompts() -> Iterator[GalleryState]:
    yield GalleryState("table-ready", Evening(2, bots=3, starter=3).start(), now=PROMPT)
    yield GalleryState("table-others-look", Evening(2, bots=2, starter=3).start().do("Ada", do.Ready()))
    for seats, giver in ((3, 1), (8, 4)):
        idle = Evening(seats, starter=giver).start().offer().wait(IDLE_SECONDS)
        yield GalleryState(f"table-idle-{seats}", idle, taps=VOTED, now=NUDGE)
    yield GalleryState("table-idle-again-4", _stalled(), now=NUDGE)
    yield GalleryState("table-played-for-4", _stalled().do("Ada", do.SitIn(1)).wait(6), you=NAMES[1], now=PROMPT)
    own = Evening(4).start().draw().wait(IDLE_SECONDS)
    yield GalleryState("table-idle-yourself", own, now=MOVE)
    knock = Evening(4, starter=1).start().draw().knock("Gwendolyn-Charlotte")
    yield GalleryState("table-knock", knock, now=PROMPT)
    waiting = Evening(5, starter=1).start().draw()
    yield GalleryState("table-sound", waiting, settings={"asked": False}, now=PROMPT)
    beside_tv = Evening(4, starter=1).watch("TV", screen=True).start().draw()
    yield GalleryState("table-controller-question", beside_tv, now=PROMPT, phone=True)
    study = Evening(4, probe=1.0).do("Ada", do.Study(agree=True)).start().offer()
    yield GalleryState("table-probe", study, now=PROMPT)
    answer = ("[data-do=probe]", "[data-probe-pick]", "dialog .tiles button:nth-child(14)")
    yield GalleryState("probe-question", study, taps=answer[:1], now="dialog .button")
    yield GalleryState("probe-sure", study, taps=answer, now="dialog .button")


def _stalled() -> Evening:
    """Return a table that waits again for a player for whom it has made two moves."""
    evening = Evening(4, starter=1).start()
    while evening.due.seat == 1:
        evening.wait(IDLE_SECONDS).do("Ada", do.BotMove(evening.turn, 1)).wrapped()
    while evening.due.seat != 1:
        evening.accept().wrapped().give()
    return evening.wait(IDLE_SECONDS)


def _spoken() -> Iterator[GalleryState]:
    def table(starter: int = 0) -> Evening:
        return Evening(5, claims="spoken", starter=starter).start()

    yield GalleryState("spoken-pass", table().draw(), now=MOVE)
    yield GalleryState("spoken-decide", table(4).offer(None), now=MOVE)
    yield GalleryState("spoken-wait", table(1).offer(None))
    yield GalleryState("spoken-judge", table(4).offer(None).refuse(), now="[data-do=judge]")
    yield GalleryState("spoken-correct", table(4).offer(None).refuse().judge(), now="[data-actions] .button")
    yield GalleryState("spoken-idle", table(1).offer(None).wait(IDLE_SECONDS), now=PROMPT)
    paused = table().draw().do("Ada", do.Pause())
    yield GalleryState("spoken-paused", paused, now="[data-actions] .button")
    yield GalleryState("spoken-late", table().draw().watch("Eve"), you="Eve", now=PROMPT)
    away = table(1).offer(None).away(NAMES[2])
    yield GalleryState("spoken-away", away, now=PROMPT)
    yield GalleryState("spoken-away-ways", away, taps=("[data-absent] .act",), now="dialog .button")


def _away() -> Iterator[GalleryState]:
    for seats, giver in ((3, 1), (5, 3), (8, 4)):
        receiver = Evening(seats, starter=giver).start().offer().away(NAMES[giver + 1])
        yield GalleryState(f"away-receiver-{seats}", receiver, now=PROMPT)
    yield GalleryState(
        "away-put-off-5", Evening(5, starter=1).start().offer().away(NAMES[2]), taps=("[data-do=wait]",), now=PROMPT
    )
    yield GalleryState("away-giver-4", Evening(4, starter=1).start().draw().away(NAMES[1]), now=PROMPT)
    yield GalleryState("away-gone-4", Evening(4, starter=1).start().offer().do(NAMES[2], do.Leave()).wait(30))
    stand_in = Evening(6, starter=1).start().draw().away(NAMES[3]).do("Ada", do.SitIn(3))
    yield GalleryState("away-stand-in-6", stand_in)


def _guests() -> Iterator[GalleryState]:
    """Guests without a seat, and guests who are not the host."""
    late = Evening(4).start().draw().watch("Eve")
    yield GalleryState("late-join-4", late, you="Eve", now=PROMPT)
    late, join = _second_round().watch("Eve"), ("[data-do=join]", "dialog [data-points]")
    yield GalleryState("late-name-4", late, you="Eve", taps=join, now="dialog .button.act")
    waiting = Evening(4).start().draw().watch("Eve").do("Eve", do.Sit("Eve"))
    yield GalleryState("late-waiting-4", waiting, you="Eve")
    yield GalleryState("late-locked-3", Evening(3).start().draw().do("Ada", do.Lock(True)).watch("Eve"), you="Eve")
    long = Evening(8).do("Ada", do.Rename("Maximilian-Wolfgang")).start().draw()
    yield GalleryState("late-full-8", long.watch("Zoe"), you="Zoe")
    away = Evening(5, starter=1).start().offer().away(NAMES[2])
    yield GalleryState("guest-away-5", away, you=NAMES[3], now=PROMPT)
    paused = Evening(5).start().draw().do("Ada", do.Pause())
    yield GalleryState("guest-paused-5", paused, you=NAMES[3], now="[data-actions] .button")
    yield GalleryState("guest-decide-4", Evening(4).start().offer(), you=NAMES[1], now=MOVE)


def _second_round() -> Evening:
    """Return a match in which somebody has penalties of an earlier round."""
    evening = Evening(4, rounds="each").start().finish()
    for name in NAMES[:4]:
        evening.do(name, do.Ready())
    return evening.draw()


def _dialogs() -> Iterator[GalleryState]:
    give = Evening(4).start().draw()
    yield GalleryState("picker", give, taps=(GIVE,), now="dialog .tiles button")
    yield GalleryState("picker-found", give, taps=(GIVE, "dialog input", "=b"), now="dialog [role=option]")
    hurry = Evening(4, patience_seconds=30).start().draw().wait(26).do(NAMES[1], do.Emote("clap"))
    yield GalleryState("picker-hurry", hurry, taps=(GIVE,), now="dialog [data-clock] .figures")
    nothing = (GIVE, "dialog input", "=xq")
    yield GalleryState(
        "picker-nothing", give, taps=nothing, now="dialog .kinds .button:first-child, dialog .tiles button:first-child"
    )
    taken = (GIVE, "dialog .tiles button:nth-child(14)")
    yield GalleryState("table-take-back", give, taps=taken, settings={"takeBack": True}, now=f"{MOVE}, {RECEIVER}")
    yield GalleryState("menu-host", give, taps=(MENU,), now="dialog .button")
    totals = ("[data-do=totals]", "dialog [data-totals]")
    yield GalleryState("menu-guest", _second_round(), you=NAMES[1], taps=totals, now="dialog .button")
    yield GalleryState("rules", give, taps=("[data-do=rules]",), now="dialog .button")
    yield GalleryState("emotes", give, taps=(".emotes .button",), now=".emotes .list .button")


def _lobby() -> Iterator[GalleryState]:
    for people in (1, 2, 4, 8):
        yield GalleryState(f"lobby-host-{people}", Evening(people), now=".start" if people > 2 else "")
    yield GalleryState("lobby-guest-3", Evening(3), you=NAMES[1])
    yield GalleryState("lobby-bots-6", Evening(2, bots=4), now=".start")
    yield GalleryState("lobby-visitor-3", Evening(3).watch("Eve"), you="Eve", now="form .button")
    yield GalleryState("lobby-study-2", Evening(2, probe=0.1))
    locked = Evening(4).do("Ada", do.Lock(True)).watch("TV", screen=True)
    yield GalleryState("lobby-locked-4", locked, now=".start")
    yield GalleryState("screen-locked-4", locked, you="TV", screen="screen", now="[data-locked]")
    yield GalleryState("lobby-options-3", Evening(3), taps=("details:has(select) summary",))
    yield GalleryState("lobby-empty-chair-2", Evening(2), taps=("[data-empty]",), now="dialog .button")


def _results() -> Iterator[GalleryState]:
    for people in (2, 4, 8):
        yield GalleryState(f"results-over-{people}", Evening(people).start().finish(), now="[data-again]")
    wins = {"wins": {"casual": 2, "regular": 2}}
    yield GalleryState("results-solo", Evening(1, bots=3).start().finish(), settings=wins, now="[data-home]")
    ranked = Evening(4).start()  # one wins, one loses
    for passes in (2, 1, 1):
        ranked.offer().refuse()
        for _ in range(passes):
            ranked.offer().accept().wrapped()
    yield GalleryState("results-ranked-4", ranked.finish(), now="[data-again]")
    shared = Evening(8, starter=7).start().finish()  # all but one win
    for name in NAMES[1:3]:
        shared.do(name, do.Emote("clap"))
    again = Evening(8, starter=7).start().finish()
    for name in NAMES[:4]:
        again.do(name, do.Again(deal=True))
    yield GalleryState("results-again-8", again, now="[data-again]")
    yield GalleryState("results-shared-8", shared, now="[data-again], [data-bubble]", count=3)
    yield GalleryState("results-between-5", Evening(5, rounds="each").start().finish(), now=".go .button.act")
    yield GalleryState("results-guest-4", Evening(4).start().finish(), you=NAMES[1], now=".go .button")
    yield GalleryState("results-spoken-4", Evening(4, claims="spoken").start().finish(None), now=".go .button")
    yield GalleryState("results-visitor-3", Evening(3).start().finish().watch("Eve"), you="Eve")
    yield GalleryState("replay-5", Evening(5).start().finish(), taps=REPLAY, now="[data-actions] .act")
    for people in (2, 8):
        whole = Evening(people).start().finish()
        yield GalleryState(f"replay-{people}", whole, taps=REPLAY, now="[data-actions] .act")
    aloud = Evening(3, claims="spoken").start().finish(None).do("Ada", do.Ready())
    yield GalleryState("results-final-3", aloud, now="[data-again]")
    long = Evening(4, gifts_each=2, starter=1).start().finish()
    yield GalleryState("replay-offer-4", long, taps=(*REPLAY, FORWARD, FORWARD, FORWARD), now="[data-actions] .act")


def _tablet() -> Iterator[GalleryState]:
    def table(seats: int) -> Evening:
        return Evening(seats, around=True, claims="spoken")

    for seats in (2, 4, 6, 8):
        yield GalleryState(f"tablet-draw-{seats}", table(seats).start(), screen="around", now="[data-do=draw]")
        decide = table(seats).start().offer(None)
        yield GalleryState(f"tablet-decide-{seats}", decide, screen="around", now="[data-do=accept]")
    undo: dict[str, Any] = {"taps": ("[data-do=refuse]",), "settings": {"takeBack": True}, "now": "[data-bubble]"}
    yield GalleryState("tablet-undo-6", Evening(6, around=True).start().offer(), screen="around", **undo)
    judge = table(6).start().offer(None).refuse()
    yield GalleryState("tablet-judge-6", judge, screen="around", now="[data-do=judge]")
    correct = table(6).start().offer(None).refuse().judge()
    go_on = ("[data-do=go_on]",)
    yield GalleryState("tablet-correct-6", correct, screen="around", taps=go_on, now="[data-do=draw]")
    for people in (1, 4, 7, 8):
        now = ".start" if people > 1 else ""
        yield GalleryState(f"tablet-lobby-{people}", table(people), screen="around", now=now)
    yield GalleryState("tablet-lobby-small-4", table(4), screen="around", now="form .field", phone=True)
    rules = ("details:has(select) summary",)
    yield GalleryState("tablet-lobby-rules-4", table(4), screen="around", taps=rules, now="[data-chair]")
    entered = Evening(5, around=True).start().draw()
    yield GalleryState("tablet-entered-5", entered, screen="around", now=GIVE)
    paused = Evening(5, around=True).start().draw().do("Ada", do.Pause())
    yield GalleryState("tablet-paused-5", paused, screen="around", now="[data-do=resume]")
    for seats in (3, 6, 8):
        idle = Evening(seats, around=True).start().offer().wait(IDLE_SECONDS)
        yield GalleryState(f"tablet-idle-{seats}", idle, screen="around", now="[data-actions] [data-do]")
    spoken = table(4).start().offer(None).wait(IDLE_SECONDS)
    yield GalleryState("tablet-idle-spoken-4", spoken, screen="around", now="[data-actions] [data-do]")
    gone = table(6).start().offer(None).do(NAMES[1], do.Leave(seat=1)).wait(30)
    yield GalleryState("tablet-gone-6", gone, screen="around", now="[data-absent] .button")
    yield GalleryState("tablet-results-6", table(6).start().finish(None), screen="around", now=".go .button")
    between = Evening(4, around=True, rounds="each").start().finish()
    yield GalleryState("tablet-between-4", between, screen="around", now=".go .button")


def _screen() -> Iterator[GalleryState]:
    def table(seats: int, starter: int = 0) -> Evening:
        return Evening(seats, starter=starter, gifts_each=1 + (seats == 2)).watch("TV", screen=True)

    for seats in (2, 3, 5, 8):
        offer = table(seats).start().penalties(1).offer()
        yield GalleryState(f"screen-offer-{seats}", offer, you="TV", screen="screen")
        reveal = table(seats).start().offer().vote().refuse()
        yield GalleryState(f"screen-reveal-{seats}", reveal, you="TV", screen="screen", count=2)
    yield GalleryState("screen-away-6", table(6, 4).start().offer().away(NAMES[5]), you="TV", screen="screen")
    idle = table(5, 3).start().draw().wait(IDLE_SECONDS)
    yield GalleryState("screen-idle-5", idle, you="TV", screen="screen")
    emote = table(5).start().draw().do(NAMES[1], do.Emote("clap")).do(NAMES[4], do.Emote("clap"))
    yield GalleryState("screen-emotes-5", emote, you="TV", screen="screen", count=3)
    met = Evening(1, bots=4).watch("TV", screen=True).start()
    yield GalleryState("screen-introductions-5", met, you="TV", screen="screen", count=2, now="[data-bubble]")
    yield GalleryState("screen-lobby-3", table(3), you="TV", screen="screen")
    yield GalleryState("screen-menu-3", table(3), you="TV", screen="screen", taps=("[data-do=menu]",))
    yield GalleryState("screen-paused-4", table(4).start().draw().do("Ada", do.Pause()), you="TV", screen="screen")
    yield GalleryState("screen-offline-3", table(3).start().draw(), you="TV", screen="screen", offline=True)
    judged = Evening(6, claims="spoken").watch("TV", screen=True).start().offer(None).refuse()
    yield GalleryState("screen-judge-6", judged, you="TV", screen="screen")
    between = Evening(4, rounds="each").watch("TV", screen=True).start()
    for _ in range(10):  # the journey of a gift is long
        between.offer().accept().wrapped()
    yield GalleryState("screen-between-4", between.finish(), you="TV", screen="screen")
    again = "[data-do=deal_again]"
    yield GalleryState("screen-results-2", table(2).start().finish(), you="TV", screen="screen", now=again)
    for seats in (5, 8):  # with the journey of a gift and all awards
        travelled = table(seats).start().offer().accept().wrapped().offer().accept().wrapped().finish()
        for name in NAMES[:4]:
            travelled.do(name, do.Again(deal=True))
        yield GalleryState(f"screen-results-{seats}", travelled, you="TV", screen="screen")


def _controller() -> Iterator[GalleryState]:
    on = {"controller": {"code": "K7QX", "on": True}}

    def table(starter: int = 0) -> Evening:
        return Evening(4, starter=starter).watch("TV", screen=True).start()

    yield GalleryState("controller-draw", table(), settings=on, now=MOVE)
    yield GalleryState("controller-wait", table(1).draw(), settings=on)
    yield GalleryState("controller-vote", table(1).offer(), settings=on, now=PROMPT)
    yield GalleryState("controller-decide", table(3).offer(), settings=on, now=CLAIM)
    yield GalleryState("controller-idle", table(1).offer().wait(IDLE_SECONDS), settings=on, taps=VOTED, now=NUDGE)
    yield GalleryState(
        "controller-paused", table().draw().do("Ada", do.Pause()), settings=on, now="[data-actions] .button"
    )
    yield GalleryState("controller-offline", table().draw(), settings=on, offline=True)
    aloud = Evening(4, claims="spoken", starter=3).watch("TV", screen=True).start().offer(None).refuse()
    yield GalleryState("controller-judge", aloud, settings=on, now="[data-do=judge]")
    yield GalleryState("controller-away", table(1).offer().away(NAMES[2]), settings=on, now=PROMPT)
