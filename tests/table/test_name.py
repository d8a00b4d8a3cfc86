import pytest

from notahat.server.confusables import name_keys
from notahat.table import commands as do
from notahat.table.people import clean_name, folded_name_keys, unique_name
from support.tables import TableDriver

INVISIBLE = ["\u3164", "\u115f", "\u2800", "\u034f", "\ufe00", "\u200b", "\u180e", "\U000e0101", "\u2060", "\u202e"]


@pytest.mark.parametrize("hidden", INVISIBLE)
def test_invisible_characters_are_removed_from_names(hidden: str) -> None:
    assert clean_name(f"A{hidden}da{hidden}") == "Ada"
    driver = TableDriver().seated("Ada")
    driver.send("Eve", do.Sit(f"Ada{hidden}"))
    assert driver.name_at(1) == "Ada 2"


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
def test_confusable_names_get_a_number(name: str, other: str) -> None:
    assert unique_name(clean_name(other), [name], name_keys) != clean_name(other)
    assert unique_name(name, [clean_name(other)], name_keys) == (f"{name} 2" if name != "Ada 2" else "Ada 2 2")


def test_distinct_names_get_no_number() -> None:
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
        assert unique_name(clean_name(name), names[:number], name_keys) == name


def test_folded_keys_ignore_case_and_width() -> None:
    assert folded_name_keys("ＡDA") & folded_name_keys("ada")
    assert not folded_name_keys("Ida") & folded_name_keys("Ada")
