from notahat.gifts import catalogue
from notahat.table import FACES, fold
from notahat.table import commands as do
from notahat.table.events import decode, encode
from support.tables import TableDriver


def faces(driver: TableDriver) -> list[str | None]:
    return [seat.face for seat in driver.table.seats]


def test_sixteen_faces_and_none_is_a_gift() -> None:
    assert len(set(FACES)) == 16
    assert not set(FACES) & set(catalogue())


def test_chosen_face_is_given_if_it_is_free() -> None:
    driver = TableDriver()
    driver.send("Ada", do.Sit("Ada", "fez"))
    driver.send("Ben", do.Sit("Ben", "fez"))
    driver.send("Cem", do.Sit("Cem", "wizard"))
    assert faces(driver)[0] == "fez"
    assert faces(driver)[1] not in (None, "fez", "wizard")
    assert faces(driver)[2] == "wizard"


def test_face_without_a_choice_follows_from_the_name() -> None:
    first, second = TableDriver().seated("Ada", "Ben"), TableDriver("Ben", seed=9).seated("Ben", "Ada")
    assert set(faces(first)) == set(faces(second)) == set(faces(TableDriver(seed=5).seated("Ada", "Ben")))
    driver = TableDriver()
    for number in range(8):
        driver.send("Ada", do.Sit(f"Ada {number}"))
    assert len(set(faces(driver))) == 8


def test_computer_players_have_no_face_of_this_kind() -> None:
    driver = TableDriver()
    driver.send("Ada", do.AddBot("casual", None, "Bo"))
    assert faces(driver) == [None]


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


def test_waiting_guests_keep_their_face_when_they_sit_down() -> None:
    driver = TableDriver(rounds="each", starter=0).seated("Ada", "Ben").started()
    driver.send("Eva", do.Sit("Eva", "jester"))
    assert driver.refusal("Ben", do.SetFace("jester")) == "face_taken"
    driver.play_round()
    for name in ("Ada", "Ben"):
        driver.send(name, do.Ready())
    assert faces(driver)[2] == "jester"


def test_log_without_faces_gives_everybody_one() -> None:
    driver = TableDriver().seated("Ada", "Ben", "Cem")
    old = [decode(encode(entry).replace(b'"face"', b'"unknown_field"')) for entry in driver.log]
    table = fold(None, old)
    assert len({seat.face for seat in table.seats} - {None}) == 3
    assert fold(None, old) == table
