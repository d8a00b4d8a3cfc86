"""The ladder: duplicate deals, ratings that depend on nothing else, and results that follow from the traces."""

import re
import sys
from collections import Counter
from itertools import combinations
from pathlib import Path

import pytest
from msgspec import structs

from notahat.cli import main
from notahat.rules import Accept, Draw, Give, Wrap
from notahat.rules.notation import read
from notahat_lab.errors import LabError
from notahat_lab.ladder import LadderSetup, check, companies, play_ladder, rate, read_traces

ROOT = Path(__file__).parents[2]
NEVER = 3600.0  # seconds for a move: longer than any machine takes
SETUP = LadderSetup(("goldfish", "perfect", "always-refuse", "random"), games=24, seed=3)


def test_results_can_be_derived_again_from_traces(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = ["lab", "ladder", "--entries", ",".join(SETUP.contenders), "--games", "24", "--seed", "3", "--jobs", "1"]
    assert main([*out, "--out", str(tmp_path)]) == 0
    printed = capsys.readouterr().out
    assert main(["lab", "ladder", "--check", str(tmp_path / "traces.jsonl")]) == 0
    assert capsys.readouterr().out == printed
    traces = read_traces(tmp_path / "traces.jsonl")
    assert traces == list(play_ladder(SETUP))  # another run gives the same games, and so the same ratings
    with pytest.raises(LabError, match="ends"):
        check([structs.replace(traces[0], scores=(9, 9, 9, 9))])
    with pytest.raises(LabError, match="other moves"):
        check([structs.replace(traces[0], seats=("random",) * 4)])


def test_every_deal_is_played_once_from_each_seat() -> None:
    traces = list(play_ladder(SETUP))
    for deal in range(6):
        games = [trace for trace in traces if trace.deal == deal]
        assert len({read(game.notation)[0].cards for game in games}) == 1
        assert all(len({game.seats[seat] for game in games}) == 4 for seat in range(4))
    ratings = {one.name: one.rating for one in rate(traces)}
    assert ratings["perfect"] == max(ratings.values()) > ratings["always-refuse"] > ratings["random"]


def test_all_contenders_meet_equally_often() -> None:
    tables = companies(tuple("abcdefg"), 4, seed=1)
    met = Counter(pair for table in tables for pair in combinations(sorted(table), 2))
    assert len(met) == 21
    assert len(set(met.values())) == 1


def test_ladder_refuses_unknown_and_repeated_contenders(capsys: pytest.CaptureFixture[str]) -> None:
    for entries in ("casual", "casual,casual", "casual,nobody", "casual,program:", "casual,program:no-such-program"):
        assert main(["lab", "ladder", "--entries", entries, "--games", "1", "--jobs", "1"]) == 2
    assert re.search(r"nobody.*names no command.*cannot start", capsys.readouterr().err, re.DOTALL)


def written_example(page: str, file: Path) -> str:
    """Write the last example of a page for a ladder to a file, and return the command that starts it."""
    example = re.findall(r"```py\n(.*?)```", (ROOT / page).read_text("utf-8"), re.DOTALL)[-1]
    file.write_text(example, "utf-8")
    return f"{sys.executable} {file}"


def test_program_plays_the_same_games_in_every_run(tmp_path: Path) -> None:
    program = f"program:{written_example('lab/docs/tournaments.md', tmp_path / 'guess.py')}"
    setup = LadderSetup(("goldfish", "perfect", program), games=3, seed=5, seconds=NEVER)
    traces = list(play_ladder(setup))
    assert list(play_ladder(setup)) == traces
    assert sum(rating.missed for rating in rate(traces)) == 0
    check(traces)
    with pytest.raises(LabError, match="other moves"):
        check([structs.replace(traces[0], seats=("random", "random", program))])


def test_mcp_client_plays_a_game_from_its_tools_alone(tmp_path: Path) -> None:
    agent = f"mcp:{written_example('docs/mcp.md', tmp_path / 'agent.py')} {{url}}"
    traces = list(play_ladder(LadderSetup(("goldfish", agent), games=1, seed=5, seconds=NEVER)))
    assert traces[0].missed == (0, 0)
    own = [move for move in read(traces[0].notation)[0].moves if move.seat == traces[0].seats.index(agent)]
    assert {type(move) for move in own} & {Give, Accept}
    assert {move.claim for move in own if isinstance(move, Give)} <= {"hat"}
    check(traces)


def test_late_illegal_and_missing_moves_are_replaced(tmp_path: Path) -> None:
    (tmp_path / "illegal.py").write_text(
        "import json, sys\n"
        "for line in sys.stdin:\n"
        "    state = json.loads(line)\n"
        "    if state.get('may'):\n"
        "        print('what?', flush=True)\n"
        "        print(json.dumps({'id': 'a', 'do': 'draw', 'turn': state['view']['round']['turn']}), flush=True)\n"
        "        print(json.dumps({'id': 'b', 'do': 'accept', 'turn': 0}), flush=True)\n"
        "        refusals = [json.loads(sys.stdin.readline())['reason'] for _ in range(3)]\n"
        "        assert refusals == ['unreadable', 'wrong_phase', 'stale'], refusals\n"
        "        sys.exit()\n"
    )
    for program, seconds in ((f"{sys.executable} {tmp_path / 'illegal.py'}", NEVER), ("sleep 600", 0.1)):
        setup = LadderSetup(("perfect", f"program:{program}"), games=1, seed=2, seconds=seconds)
        [trace] = play_ladder(setup)
        moves = read(trace.notation)[0].moves
        seat = trace.seats.index(f"program:{program}")
        asked = [move for move in moves if move.seat == seat and not isinstance(move, Draw | Wrap)]
        assert trace.missed[seat] == len(asked) >= 1
        assert not [move for move in asked if isinstance(move, Accept)]
        check([trace])
