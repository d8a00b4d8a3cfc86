"""Failures of whole tables when the levels' numbers are wrong. Coarse bounds, fixed seeds.

`notahat lab report` measures the targets themselves on many more games.
"""

from notahat.bots import CHARACTERS
from notahat_lab import arena
from notahat_lab.report.company_metrics import measure_company


def test_r9_6_table_with_perfect_memory_never_ends() -> None:
    result = arena(["perfect"] * 4, games=3, seed=1, cap=100, jobs=1)
    assert result.capped == 1.0
    assert result.first_refusal.median is None
    assert result.refusals_right is None


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
