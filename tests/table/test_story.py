import msgspec

from notahat import rules
from notahat.rules.notation import read
from notahat.rules.view import OverView
from notahat.table import commands as do
from notahat.table.awards import Award
from notahat.table.story import Story, finished, story
from support.tables import Sitting


def told(sitting: Sitting, number: int = 1) -> Story:
    found = story(sitting.log, number)
    assert found is not None
    return found


def truth(sitting: Sitting) -> str:
    return str(sitting.table.round.phase.card.gift)  # type: ignore[union-attr]


def other_than(gift: str) -> str:
    return "hat" if gift != "hat" else "kite"


def four_moves(claim_true: bool) -> Sitting:
    """Ada draws, names the gift truly or not, and her neighbour accepts and must give on."""
    sitting = Sitting(starter=0, arrows="black").seated("Ada", "Ben", "Cem").started()
    sitting.draw_and_wrap()
    gift = truth(sitting)
    sitting.give(gift if claim_true else other_than(gift))
    sitting.answer(accepts=True)
    sitting.wrap()
    return sitting


def test_a_round_has_no_story_while_it_runs() -> None:
    sitting = four_moves(claim_true=True)
    assert not finished(sitting.table, 1)
    sitting.does("Ada", do.EndMatch())
    assert finished(sitting.table, 1)
    assert not finished(sitting.table, 2)
    assert story(sitting.log, 2) is None


def test_a_story_tells_every_move_with_its_time_and_the_true_gift() -> None:
    sitting = four_moves(claim_true=False)
    sitting.does("Ada", do.EndMatch())
    steps = told(sitting).steps
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
    assert steps[-1].view == rules.view(sitting.table.round)  # type: ignore[arg-type]


def test_each_round_at_the_table_has_its_own_story() -> None:
    sitting = Sitting(rounds="each").seated("Ada", "Ben", "Cem").started()
    scores = []
    for _ in range(3):
        sitting.play_round()
        scores.append(sitting.table.round.scores)  # type: ignore[union-attr]
        if sitting.stage() == "between":
            assert finished(sitting.table, sitting.table.dealt)
            sitting.does("Ada", do.Start())
            assert not finished(sitting.table, sitting.table.dealt)
    stories = [told(sitting, number) for number in (1, 2, 3)]
    assert [one.scores for one in stories] == scores
    assert len({one.starter for one in stories}) == 3
    assert all(one.winners and not one.ended_early for one in stories)
    assert all(one.first.turn == 0 and one.steps[-1].view.phase == OverView() for one in stories)


def test_all_cards_are_turned_over_in_a_story() -> None:
    sitting = Sitting(arrows="white").seated("Ada", "Ben", "Cem").started()
    sitting.play_round()
    columns = msgspec.to_builtins(told(sitting))["columns"]
    assert [len(column) for column in columns] == [1, 1, 1]
    assert all(card["back"] == "right" and card["gift"] for column in columns for card in column)


def test_an_accepted_lie_earns_the_boldest_lie_and_the_most_trusting() -> None:
    sitting = four_moves(claim_true=False)
    sitting.does("Ada", do.EndMatch())
    one = told(sitting)
    drawn = one.steps[0].events[0]
    assert isinstance(drawn, rules.Drawn)
    lie = Award("boldest_lie", (0,), claim=other_than(drawn.gift), gift=drawn.gift)
    assert lie in one.awards
    assert Award("most_trusting", (1,), count=1) in one.awards


def test_naming_what_all_have_just_seen_is_no_feat_of_memory() -> None:
    sitting = four_moves(claim_true=True)
    sitting.give(truth(sitting))
    sitting.does("Ada", do.EndMatch())
    assert not [award for award in told(sitting).awards if award.award in ("best_memory", "boldest_lie")]


def test_a_true_claim_for_a_gift_that_lay_wrapped_is_remembered() -> None:
    sitting = four_moves(claim_true=True)
    for _ in range(3):  # round the table once: then the first receiver gives what they took wrapped
        sitting.give(truth(sitting))
        sitting.answer(accepts=True)
        sitting.wrap()
    giver = sitting.table.round.phase.giver  # type: ignore[union-attr]
    sitting.give(truth(sitting))
    sitting.does("Ada", do.EndMatch())
    assert Award("best_memory", (giver,), count=1) in told(sitting).awards


def test_right_and_wrong_refusals_count_as_suspicion_but_only_right_ones_as_memory() -> None:
    sitting = Sitting(starter=0, arrows="black").seated("Ada", "Ben", "Cem").started()
    sitting.draw_and_wrap()
    sitting.give(truth(sitting))
    sitting.answer(accepts=False)
    sitting.does("Ada", do.EndMatch())
    awards = told(sitting).awards
    assert Award("most_suspicious", (1,), count=1) in awards
    assert not [award for award in awards if award.award == "best_memory"]


def test_nobody_is_praised_for_being_slow() -> None:
    sitting = Sitting(starter=0, arrows="black").seated("Ada", "Ben", "Cem").started()
    sitting.play_round()
    assert "longest_thinker" not in {award.award for award in told(sitting).awards}


def test_a_story_says_what_really_lay_there_and_can_be_played_again() -> None:
    sitting = Sitting(starter=0).seated("Ada", "Ben", "Cem").started()
    sitting.play_round()
    story = told(sitting)
    assert sitting.table.round is not None
    last = tuple(tuple(card.gift for card in column) for column in sitting.table.round.columns)
    assert story.steps[-1].columns == last
    (game,) = read(story.notation)
    assert game.replay() == sitting.table.round


def test_spoken_rounds_have_stories_too() -> None:
    sitting = Sitting(claims="spoken", starter=0).seated("Ada", "Ben", "Cem").started()
    sitting.draw_and_wrap()
    sitting.give(None)
    sitting.answer(accepts=False)
    sitting.does("Cem", do.Judge(sitting.turn, "giver"))
    sitting.does("Cem", do.Judge(sitting.turn, "receiver"))
    sitting.does("Ada", do.EndMatch())
    assert [type(step.events[0]) for step in told(sitting).steps][-2:] == [rules.Judged, rules.Judged]
