"""Failures of whole tables when the levels' numbers are wrong. Coarse bounds, fixed seeds.

`notahat lab report` measures the targets themselves on many more games.
"""

import pytest

from notahat.bots import CHARACTERS, LEVELS
from notahat.bots.mind import _MIX_UP_RATE
from notahat_lab import arena
from notahat_lab.report.company_metrics import measure_company
from notahat_lab.report.lie_metrics import measure_lies


def test_r9_6_table_with_perfect_memory_never_ends() -> None:
    result = arena(["perfect"] * 4, games=3, seed=1, cap=100, jobs=1)
    assert result.capped == 1.0
    assert result.first_refusal.median is None
    assert result.refusals_right is None


def test_always_accepting_does_not_pay() -> None:
    assert 0 < _MIX_UP_RATE < 0.35  # without it strong tables stall; with 0.35 always-accept won
    result = arena(["always-accept", "casual", "casual", "casual"], games=80, seed=3, jobs=1)
    assert result.seats[0].win_share < 0.3


def test_wrong_claims_are_refused() -> None:
    for level in ("goldfish", "casual"):
        result = arena([level] * 4, games=20, seed=4, jobs=1)
        assert result.capped == 0.0
        assert result.first_refusal.median is not None
        assert result.first_refusal.median < 30
        assert result.refusals_right is not None
        assert result.refusals_right > 0.5


def test_tables_of_eight_goldfish_end() -> None:
    """Without `_BY_CARDS` in `bots/mind.py` a third of these games hit the cap."""
    result = arena(["goldfish"] * 8, games=12, seed=102, jobs=1)
    assert result.capped <= 0.1


def known_lies(character: str) -> float:
    found = measure_company((f"casual/{character}",) * 4, 1, 7, range(15)).known_lies
    return sum(found) / len(found)


def test_two_characters_lie_knowingly_and_some_never() -> None:
    bold = [key for key, character in CHARACTERS.items() if character.boldness >= 0.05]
    assert bold == ["dolores", "ilya"]
    assert all(0.03 <= known_lies(key) <= 0.10 for key in bold)
    assert known_lies("berta") == 0.0


@pytest.mark.parametrize("level", LEVELS)
def test_whole_games_lies_are_refused_and_claims_repeated(level: str) -> None:
    found = measure_lies(level, 21, range(60))
    followed = [lie.accepted for lie in found.lies if lie.followed]
    assert len(followed) > 50
    assert sum(followed) <= (0.10 if level == "goldfish" else 0.03) * len(followed)
    assert len(found.named_rightly) > 50
    assert sum(found.named_rightly) <= 0.06 * len(found.named_rightly)
