"""The documentation site builds without a broken link, needs no other host, and lists every public name."""

import json
import re
import subprocess
import sys
from importlib import import_module
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_site_is_complete_and_needs_no_other_host(tmp_path: Path) -> None:
    site = tmp_path / "site"
    command = [sys.executable, str(ROOT / "tools/build_docs.py"), str(site)]
    built = subprocess.run(command, capture_output=True, text=True, check=False)  # strict: a broken link fails
    assert built.returncode == 0, built.stdout[-2000:] + built.stderr[-2000:]
    pages = {page.relative_to(site).as_posix() for page in site.rglob("*.html")}
    expected = {f"docs/{page.stem}.html" for page in ROOT.glob("docs/*.md")} | {"decisions/index.html"}
    expected |= {f"decisions/{page.stem}.html" for page in ROOT.glob("decisions/0*.md")}
    expected |= {f"lab/docs/{page.stem}.html" for page in ROOT.glob("lab/docs/*.md")} | {"lab/index.html"}
    assert pages >= expected | {"index.html", "reference/rules.html", "reference/http.html"}
    for page in sorted(pages - {"404.html"}):
        html = (site / page).read_text("utf-8")
        loaded = re.findall(r'<(?:script|img|link)[^>]*?(?:src|href)="([^"#]+)"', html)
        assert [one for one in loaded if "://" in one or one.startswith("/")] == []
        assert [one for one in loaded if not ((site / page).parent / one.partition("?")[0]).exists()] == []
    assert (site / "docs/tour.html").read_text("utf-8").count(
        'viewBox="0 0 840 620"'
    ) == 2  # positions that the notebook draws
    fields = ("Give.claim", "View.phase", "Reason.TOO_FEW_CARDS", "Round.scores")
    assert [
        one for one in fields if f'id="notahat.rules.{one}"' not in (site / "reference/rules.html").read_text()
    ] == []
    found = json.dumps(json.loads((site / "search.json").read_text("utf-8")))
    for wanted in ("notahat.rules.deal", "notahat_lab.text.TextTable", "GET /api/tables/{code}", "LetIn", "Goldfish"):
        assert wanted.lower() in found.lower(), wanted


def test_every_public_name_has_a_promise() -> None:
    page = (ROOT / "docs/api.md").read_text("utf-8")
    promised: dict[str, set[str]] = {}
    module = ""
    for row in re.findall(r"^\|(.*?)\|(.*?)\| (?:stable|provisional) \|$", page, re.MULTILINE):
        module = row[0].strip(" `") or module
        promised.setdefault(module, set()).update(re.findall(r"`(\w+)`", row[1]))
    assert len(promised) >= 4
    assert {name: sorted(names) for name, names in promised.items()} == {
        name: sorted(import_module(name).__all__) for name in promised
    }
