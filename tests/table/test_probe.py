"""Players of a study are asked after some decisions what they believe a gift to be."""

from notahat.table import May
from notahat.table import commands as do
from support.tables import TableDriver

PEOPLE = ("Ada", "Ben", "Cem")


def studied(probe: float = 1.0, agreed: tuple[str, ...] = PEOPLE, seed: int = 1) -> TableDriver:
    driver = TableDriver(seed=seed, study=True, probe=probe, starter=0).seated(*PEOPLE)
    for name in agreed:
        driver.send(name, do.Study(agree=True))
    return driver.started()


def pass_on(driver: TableDriver) -> None:
    """Draw if that is due, and give."""
    while "accept" not in driver.table.due.moves:
        driver.move()


def test_only_those_who_agreed_are_asked_and_only_alone() -> None:
    driver = studied(agreed=("Ada",))
    pass_on(driver)
    assert driver.offers("Ada", "probe") == [May("probe", turn=2, about="give")]
    assert driver.offers("Ben", "probe") == driver.offers("Cem", "probe") == []
    driver.answer()
    assert driver.offers("Ben", "probe") == driver.offers("Cem", "probe") == []
    assert driver.offers("Ada", "probe")  # acceptance reveals nothing
    driver.send("Ada", do.Study(agree=False))
    assert not driver.offers("Ada", "probe")
    assert driver.refusal("Ada", do.Probe(2, "hat", 4)) == "stale"


def test_question_ends_with_its_answer_and_with_a_refusal() -> None:
    driver = studied()
    pass_on(driver)
    for wrong in (do.Probe(2, "no such gift", 3), do.Probe(2, "hat", 5), do.Probe(2, "hat", 0), do.Probe(2, None, 2)):
        assert driver.refusal("Ada", wrong) in ("unknown_gift", "bad_options")
    assert driver.refusal("Ben", do.Probe(2, "hat", 1)) == "stale"
    assert driver.send("Ada", do.Probe(2, "hat", 3)) == ()
    assert driver.refusal("Ada", do.Probe(2, "hat", 3)) == "stale"
    driver.answer()
    [receiver] = [name for name in PEOPLE if driver.offers(name, "probe")]
    pass_on(driver)
    assert [one.about for one in driver.offers(receiver, "probe")] == ["answer"]  # one question at a time
    driver.answer(accepts=False)
    assert not any(driver.offers(name, "probe") for name in PEOPLE)


def test_programs_and_shared_devices_are_not_asked() -> None:
    driver = TableDriver(study=True, probe=1.0, starter=0)
    driver.send("Ada", do.Sit("Ada", program=True))
    driver.send("Ben", do.Sit("Ben"))
    driver.send("Ben", do.Sit("Cem"))
    for name in ("Ada", "Ben"):
        driver.send(name, do.Study(agree=True))
    driver.started()
    pass_on(driver)
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
