"""Only rounds may be studied whose players all agreed and have not withdrawn."""

from collections.abc import Sequence

from hypothesis import given, settings
from hypothesis import strategies as st

from notahat.rules import Illegal
from notahat.table import commands as do
from notahat.table.admission import entrance_limit
from notahat.table.story import finished_rounds
from support.tables import TableDriver, guest

PEOPLE = ("Ada", "Ben", "Cem")


def studied(driver: TableDriver) -> list[int]:
    """Return the numbers of the rounds that may be exported now."""
    return [round_.number for round_, agreed in finished_rounds(driver.log) if agreed]


def agreeing(*names: str, rounds: str = "one", spectators: bool = True) -> TableDriver:
    driver = TableDriver(study=True, rounds=rounds, spectators=spectators).seated(*names)
    for name in names:
        driver.send(name, do.Study(agree=True))
    return driver


def test_study_needs_the_operators_setting() -> None:
    driver = TableDriver().seated("Ada", "Ben")
    assert "study" not in driver.may("Ada")
    assert driver.refusal("Ada", do.Study(agree=True)) == "no_study"


def test_study_is_off_by_default_and_agreement_is_private() -> None:
    driver = TableDriver(study=True).seated("Ada", "Ben")

    def offered(name: str) -> list[bool | None]:
        return [one.agree for one in driver.offers(name, "study")]

    assert offered("Ada") == offered("Ben") == [True]
    assert driver.send("Ada", do.Study(agree=True)) == ()
    assert (offered("Ada"), offered("Ben")) == ([False], [True])
    assert driver.send("Ada", do.Study(agree=True)) == ()
    assert driver.send("Ada", do.Study(agree=False)) == ()
    assert offered("Ada") == [True]
    assert driver.refusal("Ada", do.Study(agree=False)) == "no_study"
    assert driver.refusal("Eva", do.Study(agree=True)) == "not_seated"


def test_running_or_abandoned_round_is_not_studied() -> None:
    driver = agreeing(*PEOPLE, rounds="each").started()
    assert studied(driver) == []
    driver.play_round()
    assert studied(driver) == [1]
    driver.send("Ada", do.Start())
    driver.draw_and_wrap()
    driver.send("Ada", do.EndMatch())
    assert studied(driver) == [1]


def test_leaver_can_withdraw_and_removal_withdraws() -> None:
    driver = agreeing(*PEOPLE, spectators=False).started()
    driver.play_round()
    driver.send("Ada", do.Again())
    driver.send("Ben", do.Leave())
    driver.send("Ada", do.Start())
    assert entrance_limit(driver.table, guest("Ben"), "connection") is None
    assert studied(driver) == [1]
    assert driver.may("Ben") & {"study"}
    driver.send("Ben", do.Study(agree=False))
    assert studied(driver) == []
    assert entrance_limit(driver.table, guest("Ben"), "connection") == "no_spectators"

    driver = agreeing(*PEOPLE).started()
    driver.play_round()
    driver.send("Ada", do.Again())
    driver.send("Ada", do.Remove(2))
    assert studied(driver) == []


def test_r12_spoken_table_allows_withdrawal_only() -> None:
    driver = agreeing("Ada", "Ben")
    driver.send("Ada", do.SetOptions({"claims": "spoken"}))
    assert driver.may("Ada") & {"study"}
    driver.send("Ada", do.Study(agree=False))
    assert not driver.may("Ada") & {"study"}


Action = tuple[str, do.Study | do.Sit | do.Leave | do.Remove | None]  # None: a round is played
ACTIONS = st.lists(
    st.one_of(
        st.tuples(st.sampled_from(PEOPLE), st.builds(do.Study, st.booleans())),
        st.tuples(st.just("Ada"), st.one_of(st.none(), st.just(do.Remove(1)))),
        st.tuples(st.sampled_from(PEOPLE), st.just(do.Sit("Zoe"))),
        st.tuples(st.sampled_from(PEOPLE[1:]), st.just(do.Leave())),
    ),
    max_size=12,
)


@settings(max_examples=40)
@given(ACTIONS)
def test_round_is_studied_only_if_all_agreed_before_and_since(
    actions: Sequence[Action],
) -> None:
    """Compares the table with a simple model: since which round each guest agrees."""
    driver = TableDriver(study=True).seated(*PEOPLE)
    since: dict[str, int] = {}
    played: list[set[str]] = []
    for name, command in actions:
        if command is None:
            played += another_round(driver)
        elif is_accepted(driver, name, command):
            match command:
                case do.Study(agree=True):
                    since.setdefault(name, len(played))
                case do.Study() | do.Sit():
                    since.pop(name, None)
                case do.Remove():
                    since = {who: n for who, n in since.items() if guest(who) not in driver.table.removed}
                case do.Leave():
                    pass
    rounds = enumerate(played, start=1)
    assert studied(driver) == [n for n, people in rounds if all(since.get(who, n) < n for who in people)]


def another_round(driver: TableDriver) -> list[set[str]]:
    """Play a round if there are enough players, and return them."""
    if driver.stage() == "over":
        driver.send("Ada", do.Again())
    if len(driver.table.seats) < 2:
        return []
    seated = {seat.guest for seat in driver.table.seats}
    driver.started().play_round()
    return [{who for who in PEOPLE if guest(who) in seated}]


def is_accepted(driver: TableDriver, name: str, command: do.Command) -> bool:
    try:
        driver.send(name, command)
    except Illegal:
        return False
    return True


def test_leaving_before_a_deal_drops_the_agreement() -> None:
    driver = agreeing(*PEOPLE)
    driver.send("Ben", do.Leave())
    assert not driver.may("Ben") & {"study"}
    assert list(driver.table.agreed) == [guest("Ada"), guest("Cem")]
