"""Nobody at a table looks like anybody else."""

import pytest

from notahat.server.confusables import looks
from notahat.table import commands as do
from notahat.table.name import folded, tidy, unique
from support.tables import Sitting

INVISIBLE = ["\u3164", "\u115f", "\u2800", "\u034f", "\ufe00", "\u200b", "\u180e", "\U000e0101", "\u2060", "\u202e"]


@pytest.mark.parametrize("hidden", INVISIBLE)
def test_letters_that_nobody_sees_are_no_part_of_a_name(hidden: str) -> None:
    assert tidy(f"A{hidden}da{hidden}") == "Ada"
    sitting = Sitting().seated("Ada")
    sitting.does("Eve", do.Sit(f"Ada{hidden}"))
    assert sitting.name_at(1) == "Ada 2"


@pytest.mark.parametrize(
    ("name", "other"),
    [
        ("Ada", "ADA"),
        ("Ada", "Аdа"),  # Cyrillic
        ("Paul", "Рaul"),
        ("Iris", "lris"),
        ("Iris", "1ris"),
        ("Bill", "Bi11"),
        ("Tom", "Τοm"),  # Greek
        ("Corn", "Com"),
        ("Otto", "0tto"),
        ("Ada", "Ａｄａ"),
        ("Ada", "𝒜𝒹𝒶"),
        ("Ada", "A\u200dda"),
        ("Ada 2", "Аda 2"),
    ],
)
def test_names_that_look_alike_get_a_number(name: str, other: str) -> None:
    assert unique(tidy(other), [name], looks) != tidy(other)
    assert unique(name, [tidy(other)], looks) == (f"{name} 2" if name != "Ada 2" else "Ada 2 2")


def test_names_that_look_different_stay_as_they_are() -> None:
    names = [
        "Ada",
        "Ida",
        "Jürgen",
        "Jurgen",
        "Анна",
        "Ольга",
        "Łukasz",
        "José",
        "Zoë",
        "👩‍👩‍👧",
        "👩‍👩‍👦",
        "李",
        "محمد",
    ]
    for number, name in enumerate(names):
        assert unique(tidy(name), names[:number], looks) == name


def test_without_the_unicode_tables_capitals_and_wide_letters_still_look_alike() -> None:
    assert folded("ＡDA") & folded("ada")
    assert not folded("Ida") & folded("Ada")
