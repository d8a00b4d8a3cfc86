"""The game as plain text: the same bytes for the same seed, nothing hidden, an enforced memory, checkable traces."""

from pathlib import Path
from random import Random

import msgspec
import pytest
from msgspec import structs

from notahat.gifts import LANGUAGES, catalogue, name
from notahat.narration.narrator import texts
from notahat.rules import legal
from notahat_lab.errors import LabError
from notahat_lab.text import Setup, TextTable, Trace, derive
from support.cli import refusal, run_in_process

BOTS = ("goldfish", "goldfish", "goldfish")


def random_reply(table: TextTable, rng: Random) -> str:
    """Reply at random, in the table's language, from what the message says."""
    say = texts(table.setup.lang)
    if "accept" in legal(table._round).moves:
        return rng.choice((say["accept"], say["refuse"]))
    gift = table._narrator.vocabulary.name(rng.choice(list(catalogue())))
    to = legal(table._round).receivers
    return f"{say['give']} {gift}" + (
        f" {say['to']} {['Ada', 'Bo', 'Cleo', 'Dev'][rng.choice(to)]}" if len(to) > 1 else ""
    )


def play_at_random(setup: Setup, seed: int) -> tuple[TextTable, list[str]]:
    table, rng, messages = TextTable(setup), Random(seed), []
    table.reset(seed)
    while table.outcome is None:
        messages.append(table.message)
        table.reply(random_reply(table, rng))
    return table, messages


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_language_plays_whole_games_without_a_misread_reply(lang: str) -> None:
    setup = Setup(("text", *BOTS), lang=lang, edition="special")
    for seed in range(3):
        table, messages = play_at_random(setup, seed)
        assert table.outcome is not None
        assert table.outcome.forfeited is None
        assert not any("{" in message for message in messages)
        assert play_at_random(setup, seed)[1] == messages, "the same seed gives the same bytes"


def test_message_depends_on_nothing_hidden() -> None:
    """Rule 9.5: games that differ only in wrapped gifts give the same messages until one of them is shown."""
    compared = 0
    for seed in range(6):
        table, other = (TextTable(Setup(("text",) * 3, memory="since")) for _ in range(2))
        for one in (table, other):
            one.reset(seed)
            while len(one.replies) < 14:
                one.reply("accept" if "accept" in legal(one._round).moves else f"give {_truth(one)}")
        layout = other._round.layout
        (first,), (second,), *rest = layout.columns
        columns = ((structs.replace(first, gift=second.gift),), (structs.replace(second, gift=first.gift),), *rest)
        other._round = structs.replace(other._round, layout=structs.replace(layout, columns=columns))
        for _ in range(12):
            assert table.message == other.message
            compared += 1
            reply = "accept" if "accept" in legal(table._round).moves else "give hat"
            table.reply(reply)
            other.reply(reply)
    assert compared == 72


def _truth(table: TextTable) -> str:
    return name(table._round.phase.card.gift, "en")  # type: ignore[union-attr]


@pytest.mark.parametrize("size", [0, 7, 40])
def test_notebook_is_written_by_its_player_and_cut(size: int) -> None:
    table = TextTable(Setup(("text", "text", "text"), memory="notebook", notebook=size))
    table.reset(1)
    first = table.seat
    table.reply("give hat\nnotebook:\nBo holds the piano, Cleo the kite.\nAda has nothing.")
    assert table.seat != first
    assert "piano" not in table.message.partition("Your notebook")[2], "another player's notebook is not shown"
    while table.outcome is None and table.seat != first:
        table.reply("accept" if "accept" in legal(table._round).moves else f"give {_truth(table)}")
    kept = "Bo holds the piano, Cleo the kite.\nAda has nothing."[:size]
    assert f"({len(kept)} of {size} characters):\n{kept}".rstrip() in table.message


@pytest.mark.parametrize(
    ("reply", "problem"),
    [
        ("hello", "not understood"),
        ("accept", "not possible now"),
        ("give", "no gift of this name"),
        ("give wombat", "no gift of this name: wombat"),
        ("give hat to Nobody", "no gift of this name: hat to Nobody"),
        ("accept it gladly", "not understood"),
    ],
)
def test_unreadable_reply_is_asked_again_then_forfeits(reply: str, problem: str) -> None:
    table = TextTable(Setup(("text", *BOTS)))
    seed = next(seed for seed in range(50) if _first_gives(table, seed))
    table.reset(seed)
    for _ in range(2):
        table.reply(reply)
        assert problem in table.message
        assert table.outcome is None
    table.reply(reply)
    assert table.outcome is not None
    assert (table.outcome.forfeited, 0 in table.outcome.winners) == (0, False)
    with pytest.raises(LabError, match="over"):
        table.reply("accept")


def _first_gives(table: TextTable, seed: int) -> bool:
    table.reset(seed)
    return legal(table._round).moves == ("give",) and len(legal(table._round).receivers) == 1


@pytest.mark.parametrize("reply", ["`give a hat`", "**Give** Hat.", "I think:\ngive hat", "give hat to Bo", "GIVE HAT"])
def test_replies_are_read_generously(reply: str) -> None:
    table = TextTable(Setup(("text", "text", "text")))
    seed = next(seed for seed in range(50) if _first_gives(table, seed) and table.seat == 0 and _to_bo(table))
    table.reset(seed)
    table.reply(reply)
    assert "I have a nice hat for you" in table.message


def _to_bo(table: TextTable) -> bool:
    return legal(table._round).receivers == (1,)


AGENT = """
def reply_to(message):
    return "refuse" if "accept or refuse" in message.rpartition("\\n")[2] else "give hat\\nnotebook: nothing"
"""


def test_traces_lead_to_their_outcomes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "agent.py").write_text(AGENT)
    monkeypatch.syspath_prepend(tmp_path)
    file, options = tmp_path / "traces.jsonl", "--agent agent:reply_to --memory notebook --notebook 60 --games 2"
    seats = ("--seats", "text,goldfish,goldfish")
    played = run_in_process("lab", "text", *options.split(), *seats, "--traces", file)
    assert played.returncode == 0, played.stderr
    result = msgspec.json.decode(played.stdout)
    assert (result["games"], result["forfeited"], result["penalties"]) == (2, 0, 3.0)
    for line in file.read_bytes().splitlines():
        trace = msgspec.json.decode(line, type=Trace)
        assert derive(trace) == trace.outcome
    assert run_in_process("lab", "text", "--check", file).stdout.startswith("2 games")
    file.write_bytes(file.read_bytes().replace(b'"capped":false', b'"capped":true', 1))
    assert "line 1: the replies lead to" in refusal("lab", "text", "--check", file)


@pytest.mark.parametrize(
    ("setup", "problem"),
    [
        (Setup(("casual",) * 3), "'text'"),
        (Setup(("text", "text"), gifts=1), "two gifts"),
        (Setup(notebook=-1), "notebook"),
        (Setup(("text", "wizard", "casual")), "wizard"),
    ],
)
def test_impossible_setups_are_refused(setup: Setup, problem: str) -> None:
    with pytest.raises(LabError, match=problem):
        TextTable(setup)


def test_move_of_a_choice_names_its_receiver() -> None:
    table = TextTable(Setup(("text", "text", "text"), edition="special"))
    for seed in range(60):
        table.reset(seed)
        if len(legal(table._round).receivers) > 1:
            break
    table.reply("give hat")
    assert "Say to whom" in table.message
    table.reply(f"give hat to {['Ada', 'Bo', 'Cleo'][table.seat]}")
    assert "cannot go to this player" in table.message
    receiver = legal(table._round).receivers[1]
    table.reply(f"give hat to {['Ada', 'Bo', 'Cleo'][receiver]}")
    assert table.seat == receiver


@pytest.mark.parametrize("lang", LANGUAGES)
def test_games_own_words_are_read_and_the_last_move_counts(lang: str) -> None:
    table = TextTable(Setup(("text",) * 3, lang=lang))
    table.reset(1)
    words, say = table._narrator.vocabulary, texts(lang)
    table.reply(f"{say['give']} {words.name('kite')}\n{words.offer('hat')}")
    assert table._round.phase.claim == "hat"  # type: ignore[union-attr]
    table.reply("?")
    assert f"`{words.denial('hat')}`" in table.message
    table.reply(f"{say['refuse']}\n{say['accept_said'].split('|')[0].capitalize()}!")
    assert table._round.scores == (0, 0, 0)
    table.reply(words.offer("hat"))
    table.reply(words.denial("hat"))
    assert sum(table._round.scores) == 1
