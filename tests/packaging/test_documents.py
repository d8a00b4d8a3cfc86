"""Documents: links and file names exist, and the version is the same everywhere."""

import re
import subprocess
from pathlib import Path

from notahat import __version__

ROOT = Path(__file__).parents[2]
GENERATED = {"pocket/parcel.json", "static/notices.txt", "web/src/made/wire.ts", ".vscode/mcp.json"}  # not in git
NO_MODULES = {"notahat.db", "notahat.commands"}  # a file, and an entry point
FILE_NAME = re.compile(r"`([\w./*-]+/[\w.*-]+\.(?:py|toml|ts|svelte|json|txt|md|sql|conf))`")
MODULE = re.compile(r"`(notahat(?:_lab)?(?:\.[a-z_]\w*)+)`")
DOCUMENTS = [
    page
    for folder in (".", "docs", "decisions", "web", "lab", "lab/docs")
    for page in sorted((ROOT / folder).glob("*.md"))
    if page.name != "CHANGELOG.md"  # it tells of what is gone, too
]


def text(name: str) -> str:
    return (ROOT / name).read_text("utf-8")


def exists(name: str) -> bool:
    """Return whether a name exists below a package, the page or the repository; `xx` stands for a language."""
    folders = ("src/notahat", "web/src", "web", ".", "lab/src", "lab/src/notahat_lab", "lab")
    return any(any((ROOT / folder).glob(name.replace("xx.", "nl."))) for folder in folders)


def is_module(name: str) -> bool:
    """Return whether a dotted name is a module, or a name that one contains."""
    path, last = name.replace(".", "/"), name.rpartition(".")[2]
    folders, ends = (ROOT / "src", ROOT / "lab/src"), (".py", "/__init__.py")
    parents = [folder / f"{path.rpartition('/')[0]}{end}" for folder in folders for end in ends]
    inside = any(re.search(rf"\b{last}\b", file.read_text("utf-8")) for file in parents if file.exists())
    return inside or any((folder / f"{path}{end}").exists() for folder in folders for end in ends)


def test_documents_name_existing_files_and_modules() -> None:
    named = [(page.name, name) for page in DOCUMENTS for name in FILE_NAME.findall(page.read_text("utf-8"))]
    modules = [(page.name, name) for page in DOCUMENTS for name in MODULE.findall(page.read_text("utf-8"))]
    assert min(len(named) // 10, len(modules)) > 10
    assert [one for one in named if one[1] not in GENERATED and not exists(one[1].lstrip("/"))] == []
    assert [one for one in modules if one[1] not in NO_MODULES and not is_module(one[1])] == []


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
