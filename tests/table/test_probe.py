"""Players of a study are asked after some decisions what they believe a gift to be."""

from notahat.rules import legal
from notahat.table import May, may
from notahat.table import commands as do
from support.tables import TableDriver, guest

PEOPLE = ("Ada", "Ben", "Cem")


def studied(probe: float = 1.0, agreed: tuple[str, ...] = PEOPLE, seed: int = 1) -> TableDriver:
    driver = TableDriver(seed=seed, study=True, probe=probe, starter=0).seated(*PEOPLE)
    for name in agreed:
        driver.send(name, do.Study(agree=True))
    return driver.started()


def asked(driver: TableDriver, name: str) -> list[May]:
    return [one for one in may(driver.table, guest(name), driver.present) if one.do == "probe"]


def pass_on(driver: TableDriver) -> None:
    """Draw if that is due, and give."""
    assert driver.table.round is not None
    if legal(driver.table.round).moves == ("draw",):
        driver.draw_and_wrap()
    driver.wrap()
    driver.give()


def test_only_those_who_agreed_are_asked_and_only_alone() -> None:
    driver = studied(agreed=("Ada",))
    driver.draw_and_wrap()
    driver.give()
    assert asked(driver, "Ada") == [May("probe", turn=2, about="give")]
    assert asked(driver, "Ben") == asked(driver, "Cem") == []
    driver.answer()
    assert asked(driver, "Ben") == asked(driver, "Cem") == []
    assert asked(driver, "Ada")  # acceptance reveals nothing
    driver.send("Ada", do.Study(agree=False))
    assert not asked(driver, "Ada")
    assert driver.refusal("Ada", do.Probe(2, "hat", 4)) == "stale"


def test_question_ends_with_its_answer_and_with_a_refusal() -> None:
    driver = studied()
    driver.draw_and_wrap()
    driver.give()
    for wrong in (do.Probe(2, "no such gift", 3), do.Probe(2, "hat", 5), do.Probe(2, "hat", 0), do.Probe(2, None, 2)):
        assert driver.refusal("Ada", wrong) in ("unknown_gift", "bad_options")
    assert driver.refusal("Ben", do.Probe(2, "hat", 1)) == "stale"
    assert driver.send("Ada", do.Probe(2, "hat", 3)) == ()
    assert driver.refusal("Ada", do.Probe(2, "hat", 3)) == "stale"
    driver.answer()
    [receiver] = [name for name in PEOPLE if asked(driver, name)]
    pass_on(driver)
    assert [one.about for one in asked(driver, receiver)] == ["answer"]  # one question at a time
    driver.answer(accepts=False)
    assert not any(asked(driver, name) for name in PEOPLE)


def test_programs_and_shared_devices_are_not_asked() -> None:
    driver = TableDriver(study=True, probe=1.0, starter=0)
    driver.send("Ada", do.Sit("Ada", program=True))
    driver.send("Ben", do.Sit("Ben"))
    driver.send("Ben", do.Sit("Cem"))
    for name in ("Ada", "Ben"):
        driver.send(name, do.Study(agree=True))
    driver.started()
    driver.draw_and_wrap()
    driver.give()
    assert driver.table.asked == ()
    seat = driver.table.round.phase.receiver  # type: ignore[union-attr]
    driver.send("Ben", do.Accept(driver.turn, seat=seat))
    assert driver.table.asked == ()


def test_share_of_questions_follows_the_setting() -> None:
    gives = questions = 0
    for seed in range(60):
        driver = studied(probe=0.3, seed=seed * 100)
        while driver.stage() == "play" and driver.turn < 20:
            pass_on(driver)
            gives += 1
            for one in driver.table.asked:
                questions += one.about == "give"
                driver.send(PEOPLE[one.seat], do.Probe(one.turn))
            driver.answer()
    assert 0.2 < questions / gives < 0.4
