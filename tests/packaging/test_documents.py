"""Documents: links and file names exist, and the version is the same everywhere."""

import re
import subprocess
from pathlib import Path

from notahat import __version__

ROOT = Path(__file__).parents[2]
GENERATED = {"pocket/parcel.json"}
FILE_NAME = re.compile(r"`([\w./*-]+/[\w.*-]+\.(?:py|toml|ts|svelte|json|txt|md|sql))`")


def text(name: str) -> str:
    return (ROOT / name).read_text("utf-8")


def exists(name: str) -> bool:
    """Return whether a name exists below the package, `web/src` or the repository; `xx` stands for a language."""
    folders = (ROOT / "src/notahat", ROOT / "web/src", ROOT)
    return any(any(folder.glob(name.replace("xx.", "nl."))) for folder in folders)


def test_architecture_and_glossary_name_existing_files() -> None:
    named = [name for page in ("ARCHITECTURE.md", "GLOSSARY.md") for name in FILE_NAME.findall(text(page))]
    assert len(named) > 50
    assert [name for name in named if name not in GENERATED and not exists(name)] == []


def test_version_is_the_same_everywhere() -> None:
    version, date = re.findall(r"^## \[(\d\S*)\] - (\d{4}-\d{2}-\d{2})$", text("CHANGELOG.md"), re.MULTILINE)[0]
    assert version == __version__
    assert f'\n__version__ = "{__version__}"\n' in text("lab/src/notahat_lab/__init__.py")
    assert f'"notahat~={__version__}"' in text("lab/pyproject.toml")
    citation = text("CITATION.cff")
    assert f"\nversion: {__version__}\n" in citation
    assert f'\ndate-released: "{date}"\n' in citation


def test_no_document_promises_a_package_index() -> None:
    command = ["git", "grep", "-lE", r"pip install '?notahat(\[|'|$| )", "--", "*.md", "*.py", "*.toml"]
    assert subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False).stdout == ""


def test_demonstration_in_readme_is_small() -> None:
    assert "docs/pictures/demo.webp" in text("README.md")
    assert (ROOT / "docs/pictures/demo.webp").stat().st_size <= 1_500_000


def test_document_links_exist() -> None:
    pages = [*ROOT.glob("*.md"), *ROOT.glob("docs/*.md"), *ROOT.glob("decisions/*.md"), *ROOT.glob("lab/**/*.md")]
    links = [(page, link) for page in pages for link in re.findall(r"\]\(([^)#]+)[^)]*\)", page.read_text("utf-8"))]
    local = [(page, link) for page, link in links if "://" not in link]
    assert len(local) > 10
    assert [f"{page.name}: {link}" for page, link in local if not (page.parent / link).exists()] == []
