"""What documents say in numbers, versions and lists of files is what the code says."""

import json
import re
import subprocess
from pathlib import Path

import pytest

from notahat import __version__
from notahat.bots import CHARACTERS, LEVELS
from notahat.gifts import LANGUAGES, catalogue
from notahat.gifts.hat_file import LARGEST_FILE, LONGEST_NAME, MOST_LOOK_ALIKES, MOST_SYNONYMS
from notahat.lab.encoding import ACCEPT, BACKS, EVENTS, FIELDS, FIRST_GIFT, PRESENT, REFUSE, TO, WATCH
from notahat.server.http.app import LARGEST_BODY
from notahat.server.sockets.connection import MOST_WAITING
from notahat.server.sockets.socket_auth import MOST_CONNECTIONS_OF_A_GUEST
from notahat.table.options import Options

ROOT = Path(__file__).parents[2]
IN_WORDS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")


def text(name: str) -> str:
    return (ROOT / name).read_text("utf-8")


def test_the_readme_counts_right() -> None:
    page = text("README.md")
    assert re.findall(r"\*\*(\d+) gifts\*\*", page) == [str(len(catalogue()))]
    counted = re.findall(r"(\w+) levels of memory, (\w+) tempers", page)
    assert counted == [(IN_WORDS[len(LEVELS)], IN_WORDS[len(CHARACTERS)])]
    assert f"in {IN_WORDS[len(LANGUAGES)]} languages" in text("ARCHITECTURE.md")


def test_limits_are_told_as_they_are() -> None:
    page = " ".join(text("docs/decks.md").split())
    assert f"at most {LARGEST_FILE:,} bytes" in page
    assert f"(up to {LONGEST_NAME} characters, " in page
    assert f"up to {MOST_SYNONYMS} `synonyms`" in page
    assert f"or `#number`, {MOST_LOOK_ALIKES} at most" in page
    protocol = text("docs/protocol.md")
    assert f"of at most {LARGEST_FILE:,} bytes" in protocol
    assert f"has {MOST_CONNECTIONS_OF_A_GUEST} connections to one table" in protocol
    assert f"when {MOST_WAITING} of that connection" in protocol
    assert f"Frames are {LARGEST_BODY // 1024} KiB at most, and so are bodies, but for a deck's." in protocol


def test_the_laboratorys_page_numbers_actions_right() -> None:
    page = text("docs/lab.md")
    assert f"| {FIRST_GIFT} + number | claim the gift of that number" in page
    assert f"| {ACCEPT}, {REFUSE} | accept, refuse |" in page
    assert f"| {WATCH} | watch: " in page
    assert f"| {TO} + seat | give a special card to that seat" in page
    assert f"`observation` ({PRESENT} bytes)" in page
    assert f"`events` ({EVENTS} rows of {FIELDS} bytes" in page
    assert f"A gift is its number + {FIRST_GIFT}, " in page
    assert ", ".join(f"{code} {back}" for back, code in BACKS.items()).replace("\n", " ") in page.replace("\n", " ")


@pytest.mark.parametrize(("what", "example"), [("a computer player's temper", "gustav"), ("a gift", "hedgehog")])
def test_the_architectures_list_of_what_to_touch_is_all_there_is(what: str, example: str) -> None:
    row = next(line for line in text("ARCHITECTURE.md").splitlines() if line.startswith(f"| {what} |"))
    named = {path for glob in re.findall(r"`([\w/*.]+\.\w+)`", row) for path in there(glob)}
    assert {path for path in mentioning(example) if not path.startswith(("docs/", "tests/"))} <= named
    assert named <= mentioning(example)


def test_the_architectures_list_for_a_language_is_all_there_is() -> None:
    row = next(line for line in text("ARCHITECTURE.md").splitlines() if line.startswith("| a language |"))
    named = {path for glob in re.findall(r"`([\w/*.]+\.\w+)`", row) for path in there(glob.replace("xx.", "nl."))}
    speaking = listed("grep", "-lE", r"[\"']nl[\"']|\bnl(:| =) ", "--", "src", "web/src", "tools")
    words = listed("ls-files", "*/nl.*")
    assert len(words) >= 5
    assert named - {"docs/words.md"} == speaking | words


def test_the_architectures_list_for_an_option_is_all_there_is() -> None:
    row = next(line for line in text("ARCHITECTURE.md").splitlines() if line.startswith("| a table option |"))
    for page in (
        "src/notahat/table/options.py",
        "docs/protocol.md",
        "web/src/views/lobby/Variants.svelte",
        "web/src/wire.ts",
    ):
        assert f"`{page.removeprefix('src/notahat/')}`" in row
        told = set(re.findall(r"\w+", text(page)))
        assert set(Options.__struct_fields__) <= told, page


def test_the_operators_page_has_the_figures_of_the_benchmarks() -> None:
    rows = [
        line.split("|")[1:-1] for line in text("docs/benchmarks.md").splitlines() if line.startswith("| 1,000 | SQLite")
    ]
    share, cost = (rows[0][number].strip() for number in (2, 3))
    assert f"1,000 tables of four took {share.replace('%', ' %')} of a core: {cost} µs a move" in text(
        "docs/operate.md"
    )


def there(glob: str) -> list[str]:
    """The files that a name in the table means: counted from the package, or from the top."""
    found = [*(ROOT / "src/notahat").glob(glob), *ROOT.glob(glob)]
    return [path.relative_to(ROOT).as_posix() for path in found if path.is_file()]


def mentioning(word: str) -> set[str]:
    return listed("grep", "-lw", "--untracked", word, "--", "src", "web", "docs", "tests", "tools")


def listed(*asked: str) -> set[str]:
    """The files that git finds."""
    command = ["git", *asked]
    return set(subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout.split())


def test_a_button_is_called_what_it_says() -> None:
    words = json.loads(text("web/src/words/en.json"))
    assert f"→ {words['pocket.log']}*" in text("docs/site.md")


def test_the_version_is_the_same_wherever_it_is_written() -> None:
    version, date = re.findall(r"^## (\S+), (\d{4}-\d{2}-\d{2})$", text("CHANGELOG.md"), re.MULTILINE)[0]
    assert version == __version__
    citation = text("CITATION.cff")
    assert f"\nversion: {__version__}\n" in citation
    assert f'\ndate-released: "{date}"\n' in citation


def test_no_page_promises_a_package_index() -> None:
    asked = ["git", "grep", "-lE", r"pip install '?notahat(\[|'|$| )", "--", "*.md", "*.py", "*.toml"]
    assert subprocess.run(asked, cwd=ROOT, capture_output=True, text=True, check=False).stdout == ""


def test_links_between_documents_lead_somewhere() -> None:
    pages = [*ROOT.glob("*.md"), *ROOT.glob("docs/*.md"), *ROOT.glob("decisions/*.md")]
    links = [(page, link) for page in pages for link in re.findall(r"\]\(([^)#]+)[^)]*\)", page.read_text("utf-8"))]
    near = [(page, link) for page, link in links if "://" not in link]
    assert len(near) > 10
    assert [f"{page.name}: {link}" for page, link in near if not (page.parent / link).exists()] == []
