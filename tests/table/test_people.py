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


def test_names_are_unique_by_adding_a_number() -> None:
    driver = TableDriver()
    for _ in range(3):
        driver.send("Ada", do.Sit("ada"))
    assert driver.names == ["ada", "ada 2", "ada 3"]
    driver.send("Ada", do.Rename("ADA 2", seat=2))
    assert driver.names[2] == "ADA 2 2"
    driver.send("Ada", do.Rename("ada", seat=0))
    assert driver.names[0] == "ada"


@pytest.mark.parametrize("name", ["", "   ", "\u200b\u200e", "x" * 21, "\u0301", "👨‍👩‍👧" * 21])
def test_name_has_1_to_20_visible_characters(name: str) -> None:
    assert TableDriver().refusal("Ada", do.Sit(name)) == "bad_name"


@pytest.mark.parametrize(
    ("typed", "kept"),
    [
        ("  Ada   Lovelace ", "Ada Lovelace"),
        ("Ada\u202eneB", "AdaneB"),
        ("👩🏽‍🚀 Zoë", "👩🏽‍🚀 Zoë"),
        ("x" * 20, "x" * 20),
        ("שרה", "שרה"),
        ("A\nB\tC", "A B C"),
    ],
)
def test_clean_name_keeps_visible_characters(typed: str, kept: str) -> None:
    driver = TableDriver()
    driver.send("Ada", do.Sit(typed))
    assert driver.names == [kept]


def test_long_name_is_shortened_for_its_number() -> None:
    driver = TableDriver()
    driver.send("Ada", do.Sit("x" * 20))
    driver.send("Ada", do.Sit("x" * 20))
    assert driver.names[1] == "x" * 18 + " 2"


def faces(driver: TableDriver) -> list[str | None]:
    return [seat.face for seat in driver.table.seats]


def test_chosen_face_is_given_if_it_is_free() -> None:
    driver = TableDriver()
    driver.send("Ada", do.Sit("Ada", "fez"))
    driver.send("Ben", do.Sit("Ben", "fez"))
    driver.send("Cem", do.Sit("Cem", "wizard"))
    assert faces(driver)[0] == "fez"
    assert faces(driver)[1] not in (None, "fez", "wizard")
    assert faces(driver)[2] == "wizard"


def test_face_can_be_changed_at_any_time_but_not_to_a_taken_one() -> None:
    driver = TableDriver(starter=0)
    driver.send("Ada", do.Sit("Ada", "fez"))
    driver.send("Ben", do.Sit("Ben", "beret"))
    driver.started()
    assert driver.refusal("Ben", do.SetFace("fez")) == "face_taken"
    assert driver.refusal("Ben", do.SetFace("moon")) == "unknown_face"
    assert driver.refusal("Ben", do.SetFace("chef", seat=0)) == "not_your_seat"
    assert driver.refusal("Eva", do.SetFace("chef")) == "not_seated"
    driver.send("Ben", do.SetFace("chef"))
    driver.send("Ben", do.SetFace("chef"))  # no change, no entry
    assert faces(driver) == ["fez", "chef"]
