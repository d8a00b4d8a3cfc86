"""docs/security.md shows the budget as the module declares it."""

from pathlib import Path

from notahat.server.limits.budget import LIMITS

PAGE = (Path(__file__).parents[3] / "docs/security.md").read_text("utf-8")
HEAD = "| what | limit | per | then |\n|---|---|---|---|\n"


def test_security_page_shows_the_budget() -> None:
    shown = PAGE.partition(HEAD)[2].partition("\n\n")[0].splitlines()
    assert shown == [f"| {one.what} | {one.amount} | {one.per} | {one.then} |" for one in LIMITS.values()]
