import msgspec

from notahat import rules
from notahat.rules.notation import read
from notahat.table import commands as do
from notahat.table import view
from notahat.table.story import Award, Story, is_story_public, story
from support.tables import TableDriver


def story_of(driver: TableDriver, number: int = 1) -> Story:
    found = story(driver.log, number)
    assert found is not None
    return found


def another_gift(gift: str) -> str:
    return "hat" if gift != "hat" else "kite"


def accepted_claim(claim_true: bool) -> TableDriver:
    """Ada draws and makes a true or a false claim; her neighbour accepts and must give next."""
    driver = TableDriver(starter=0, arrows="black").seated("Ada", "Ben", "Cem").started()
    driver.draw_and_wrap()
    gift = driver.passed_gift
    driver.give(gift if claim_true else another_gift(gift))
    driver.answer(accepts=True)
    driver.wrap()
    return driver


def test_running_round_has_no_story() -> None:
    driver = accepted_claim(claim_true=True)
    assert not is_story_public(driver.table, 1)
    driver.send("Ada", do.EndMatch())
    assert is_story_public(driver.table, 1)
    assert not is_story_public(driver.table, 2)
    assert story(driver.log, 2) is None


def test_story_has_time_and_true_gift_of_each_move() -> None:
    driver = accepted_claim(claim_true=False)
    driver.send("Ada", do.EndMatch())
    steps = story_of(driver).steps
    assert [type(step.events[0]) for step in steps] == [
        rules.Drawn,
        rules.Wrapped,
        rules.Offered,
        rules.Accepted,
        rules.Wrapped,
    ]
    assert [step.by for step in steps] == ["person", "itself", "person", "person", "itself"]
    assert [step.at for step in steps] == [1.0, 2.0, 3.0, 4.0, 5.0]
    assert {step.took for step in steps} == {1.0}
    drawn = steps[0].events[0]
    assert isinstance(drawn, rules.Drawn)
    assert [step.gift for step in steps[:4]] == [None, drawn.gift, drawn.gift, drawn.gift]
    assert steps[-1].view == rules.view(driver.table.round)  # type: ignore[arg-type]


def test_accepted_lie_earns_boldest_lie_and_most_trusting() -> None:
    driver = accepted_claim(claim_true=False)
    driver.send("Ada", do.EndMatch())
    one = story_of(driver)
    drawn = one.steps[0].events[0]
    assert isinstance(drawn, rules.Drawn)
    lie = Award("boldest_lie", (0,), claim=another_gift(drawn.gift), gift=drawn.gift)
    assert lie in one.awards
    assert Award("most_trusting", (1,), count=1) in one.awards


def test_true_claim_for_wrapped_gift_counts_as_memory() -> None:
    driver = accepted_claim(claim_true=True)
    for _ in range(3):  # once around the table: then the first receiver gives the card that they accepted face down
        driver.give(driver.passed_gift)
        driver.answer(accepts=True)
        driver.wrap()
    giver = driver.table.round.phase.giver  # type: ignore[union-attr]
    driver.give(driver.passed_gift)
    driver.send("Ada", do.EndMatch())
    assert Award("best_memory", (giver,), count=1) in story_of(driver).awards


def test_all_refusals_are_suspicion_only_right_ones_memory() -> None:
    driver = TableDriver(starter=0, arrows="black").seated("Ada", "Ben", "Cem").started()
    driver.draw_and_wrap()
    driver.give(driver.passed_gift)
    driver.answer(accepts=False)
    driver.send("Ada", do.EndMatch())
    awards = story_of(driver).awards
    assert Award("most_suspicious", (1,), count=1) in awards
    assert not [award for award in awards if award.award == "best_memory"]


def test_story_has_true_columns_and_replayable_notation() -> None:
    driver = TableDriver(starter=0).seated("Ada", "Ben", "Cem").started()
    driver.play_round()
    story = story_of(driver)
    assert driver.table.round is not None
    last = tuple(tuple(card.gift for card in column) for column in driver.table.round.columns)
    assert story.steps[-1].columns == last
    (game,) = read(story.notation)
    assert game.replay() == driver.table.round


def test_match_awards_count_all_rounds() -> None:
    driver = TableDriver(rounds="each", starter=0, arrows="black").seated("Ada", "Ben", "Cem").started()
    driver.play_round()
    driver.send("Ada", do.Start())
    driver.play_round()
    first, second = story_of(driver, 1), story_of(driver, 2)
    assert first.match_awards is msgspec.UNSET
    assert isinstance(second.match_awards, tuple)
    refusals = [event.receiver for one in (first, second) for event in _refusals(one)]
    most = max(refusals.count(seat) for seat in range(3))
    suspicious = tuple(seat for seat in range(3) if refusals.count(seat) == most)
    assert Award("most_suspicious", suspicious, count=most) in second.match_awards


def _refusals(one: Story) -> list[rules.Refused]:
    return [event for step in one.steps for event in step.events if isinstance(event, rules.Refused)]


def test_program_is_shown_in_view_news_and_story() -> None:
    driver = TableDriver(rounds="each").seated("Ada", "Ben")
    (news,) = driver.send("Robo", do.Sit("Robo", program=True))
    assert news.kind == "program"  # type: ignore[union-attr]
    driver.started().play_round()
    for seats in (view(driver.table, driver.present).seats, story_of(driver).seats):
        assert [seat.kind for seat in seats] == ["person", "person", "program"]
