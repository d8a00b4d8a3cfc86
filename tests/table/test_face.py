from notahat.table import commands as do
from support.tables import TableDriver


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
