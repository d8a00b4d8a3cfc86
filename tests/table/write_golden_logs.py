"""Write the golden logs of a release: `PYTHONPATH=tests python tests/table/write_golden_logs.py`.

The tests of this folder are the scenarios: their logs are taken, the most varied first, until every kind of event is in
one. The logs of earlier releases stay unchanged.
"""

import typing
from importlib.metadata import version
from pathlib import Path

import msgspec
import pytest

from notahat.table import view
from notahat.table.events import Event, encode
from support.tables import TableDriver
from table.test_golden_logs import everybody

FOLDER = Path(__file__).parent


class Recorder:
    """A plugin that keeps the tables of all tests but random ones, by the test's name."""

    def __init__(self) -> None:
        self.tables: dict[str, TableDriver] = {}

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_call(self, item: pytest.Item) -> typing.Generator[None, None, None]:
        tables, opened = self.tables, TableDriver.__init__

        def opened_in_test(driver: TableDriver, *arguments: typing.Any, **options: typing.Any) -> None:
            opened(driver, *arguments, **options)
            if not hasattr(getattr(item, "function", None), "hypothesis"):
                tables[item.name.partition("[")[0].removeprefix("test_")] = driver

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(TableDriver, "__init__", opened_in_test)
            yield


def kinds(driver: TableDriver) -> set[type[Event]]:
    return {type(event) for entry in driver.log for event in entry.events}


def write(folder: Path, name: str, driver: TableDriver) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{name}.jsonl").write_bytes(b"".join(encode(entry) + b"\n" for entry in driver.log))
    seen = msgspec.json.format(msgspec.json.encode(view(driver.table, everybody(driver.table))), indent=1)
    (folder / f"{name}.json").write_bytes(seen + b"\n")


def main() -> None:
    recorder, missing = Recorder(), set(typing.get_args(Event))
    pytest.main([str(FOLDER), "-q", "-p", "no:xdist"], plugins=[recorder])
    for name, driver in sorted(recorder.tables.items(), key=lambda one: -len(kinds(one[1]))):
        if kinds(driver) & missing:
            write(FOLDER / "logs" / version("notahat"), name, driver)
            missing -= kinds(driver)
    if missing:
        raise SystemExit(f"no test leads to {missing}")


if __name__ == "__main__":
    main()
