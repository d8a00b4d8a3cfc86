"""Build the documentation site into build/docs: the pages of the repository, the Python names and the protocol.

Pages keep their paths, so that links between them work in the repository and on the site. Linked files that are not
pages (a configuration, a picture) come with them. `python tools/build_docs.py [FOLDER]` builds into another folder.
"""

import ast
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import griffe
import yaml

from notahat.server.http.asyncapi import asyncapi
from notahat.server.http.openapi import openapi

ROOT = Path(__file__).parents[1]
PAGES = (
    *("*.md", "docs/*.md", "decisions/*.md", "deploy/README.md", "deploy/*/README.md", "web/README.md"),
    *("lab/README.md", "lab/docs/*.md"),
)
SOURCES = (ROOT / "src", ROOT / "lab/src")
LINK = re.compile(r"\[([^\]]*)\]\(([^)#\s]+)(#[^)\s]*)?\)")
MADE_FROM = "Made from `/api/{}.json` of every server. [The protocol](../docs/protocol.md) explains it."
REFERENCE = {
    "rules": ("The rules", ("notahat.rules",)),
    "gifts": ("Gifts and decks", ("notahat.gifts",)),
    "bots": ("Computer players", ("notahat.bots",)),
    "client": ("A client in Python", ("notahat.clients.python",)),
    "lab": (
        "The laboratory",
        (
            "notahat_lab",
            "notahat_lab.env",
            "notahat_lab.solo",
            "notahat_lab.vector",
            "notahat_lab.batch",
            "notahat_lab.text",
        ),
    ),
}


def main(out: Path) -> int:
    """Collect all pages in a folder beside the site, then build the site."""
    pages = out.with_name(f"{out.name}-pages")
    for folder in (pages, out):
        shutil.rmtree(folder, ignore_errors=True)
    collect(pages)
    for name, (title, modules) in REFERENCE.items():
        write(pages / f"reference/{name}.md", f"# {title}\n\n" + "\n".join(names_of(modules)))
    write(pages / "docs/tour.md", "\n\n".join(notebook_page(ROOT / "docs/tour.ipynb")))
    write(pages / "reference/http.md", "\n".join(http_page(openapi())))
    write(pages / "reference/websocket.md", "\n".join(websocket_page(asyncapi())))
    config = yaml.safe_load((ROOT / "mkdocs.yml").read_text("utf-8"))
    config["docs_dir"], config["site_dir"] = pages.name, out.name  # Zensical takes names beside the settings only
    config["plugins"][1]["mkdocstrings"]["handlers"]["python"]["paths"] = [folder.as_posix() for folder in SOURCES]
    settings = pages.with_suffix(".yml")
    write(settings, yaml.safe_dump(config, sort_keys=False))
    command = [Path(sys.executable).with_name("zensical").as_posix(), "build", "--strict", "-f", settings.as_posix()]
    built = subprocess.run(command, capture_output=True, text=True, check=False, env={**os.environ, "NO_COLOR": "1"})
    sys.stdout.write(built.stdout + built.stderr)
    return built.returncode


def collect(pages: Path) -> None:
    """Copy pages and what they link to; README becomes the first page."""
    for page in (page for pattern in PAGES for page in ROOT.glob(pattern)):
        at = page.relative_to(ROOT)
        text = LINK.sub(partial(_link, page), page.read_text("utf-8"))
        write(pages / ("index.md" if at.as_posix() == "README.md" else at), text)
        for _, target, _ in LINK.findall(text):
            linked = (page.parent / target).resolve()
            if "://" not in target and linked.is_file() and linked.suffix != ".md":
                copy = pages / linked.relative_to(ROOT)
                copy.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(linked, copy)
    for picture in (*ROOT.glob("docs/pictures/*"), *ROOT.glob("lab/docs/bots-report/*.[sp][vn]g")):
        copy = pages / picture.relative_to(ROOT)
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(picture, copy)


def _link(page: Path, link: re.Match[str]) -> str:
    """Return a link as the site has it: README is the first page, and folders and tests have no page."""
    words, target, part = link[1], link[2], link[3] or ""
    if "://" in target:
        return link[0]
    linked = (page.parent / target).resolve()
    if linked == ROOT / "README.md":
        return f"[{words}]({os.path.relpath(ROOT / 'index.md', page.parent)}{part})"
    return words if linked.is_dir() or linked.suffix == ".py" else link[0]


def names_of(modules: tuple[str, ...]) -> Iterator[str]:
    """Yield the public names of modules for mkdocstrings, which reads their docstrings without importing them, too."""
    for name in modules:
        module = griffe.load(name, search_paths=SOURCES)
        names = [str(public) for public in module.exports or ()]
        yield f"## {name}\n\n{module.docstring.value if module.docstring else ''}\n"
        constants = [public for public in names if public.isupper()]
        if constants:
            yield f"Constants: {', '.join(f'`{public}`' for public in constants)}\n"
        for public in names:
            if public not in constants:
                yield f"::: {name}.{public}\n    options:\n      heading_level: 3\n"


def notebook_page(notebook: Path) -> Iterator[str]:
    """Run a notebook, and yield its cells with what the last line of each returns, drawn if it can be."""
    names: dict[str, Any] = {}
    for cell in json.loads(notebook.read_text("utf-8"))["cells"]:
        source = "".join(cell["source"])
        if cell["cell_type"] == "markdown":
            yield source
            continue
        yield f"```python\n{source}\n```"
        *statements, last = ast.parse(source).body
        if not isinstance(last, ast.Expr):
            raise TypeError(f"a cell of {notebook.name} ends without a value: {source}")
        exec(compile(ast.Module(statements, []), notebook.name, "exec"), names)  # noqa: S102 - our own page
        result = eval(compile(ast.Expression(last.value), notebook.name, "eval"), names)  # noqa: S307
        yield result._repr_svg_() if hasattr(result, "_repr_svg_") else f"```\n{result!r}\n```"


def http_page(described: dict[str, Any]) -> Iterator[str]:
    """Yield the requests of the server from its OpenAPI description."""
    yield f"# HTTP\n\n{MADE_FROM.format('openapi')}\n"
    for path, methods in described["paths"].items():
        for method, operation in methods.items():
            if method != "parameters":
                yield f"## {method.upper()} {path}\n\n{operation.get('summary', '')}\n"
                yield f"{operation.get('description', '')}\n"
                yield "| answer | meaning | body |\n|---|---|---|"
                for status, answer in operation["responses"].items():
                    yield f"| {status} | {_cell(answer.get('description', ''))} | {_bodies(answer)} |"
                yield ""
    yield from _schemas(described["components"]["schemas"])


def websocket_page(described: dict[str, Any]) -> Iterator[str]:
    """Yield the messages of the socket from its AsyncAPI description."""
    yield f"# WebSocket\n\n{MADE_FROM.format('asyncapi')}\n"
    yield described["info"].get("description", "") + "\n"
    for name, operation in described["operations"].items():
        yield f"## {name}\n\n{operation.get('summary', '')}\n"
        for message in operation.get("messages", ()):
            yield f"- {_name(message['$ref'])}"
        yield ""
    yield from _schemas(described["components"]["schemas"])


def _schemas(schemas: dict[str, Any]) -> Iterator[str]:
    yield "## Types\n"
    for name, schema in schemas.items():
        yield f"### {name}\n\n{schema.get('description', '')}\n"
        if schema.get("properties"):
            yield "| field | type | needed |\n|---|---|---|"
            for field, kind in schema["properties"].items():
                yield f"| `{field}` | {_kind(kind)} | {'yes' if field in schema.get('required', ()) else ''} |"
            yield ""


def _kind(schema: dict[str, Any]) -> str:
    if "$ref" in schema:
        return _name(schema["$ref"])
    for key in ("anyOf", "oneOf"):
        if key in schema:
            return " or ".join(map(_kind, schema[key]))
    if "enum" in schema:
        return ", ".join(f"`{value}`" for value in schema["enum"])
    if "const" in schema:
        return f"`{schema['const']}`"
    if schema.get("type") == "array":
        return f"list of {_kind(schema['items'])}" if isinstance(schema.get("items"), dict) else "list"
    return _cell(str(schema.get("type", "any value")))


def _bodies(answer: dict[str, Any]) -> str:
    return ", ".join(_kind(one.get("schema", {})) for one in answer.get("content", {}).values())


def _name(reference: str) -> str:
    name = reference.rpartition("/")[2]
    return f"[{name}](#{name.lower()})"


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")


def write(file: Path, text: str) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(text, "utf-8")


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "build/docs"))
