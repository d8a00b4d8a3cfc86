"""Convert the words of a language to a gettext PO file for translators' tools, and back (docs/translate.md).

`python tools/translations.py export sv sv.po`, then `python tools/translations.py import sv sv.po [--draft]`
"""

import argparse
import json
import re
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import polib

ROOT = Path(__file__).parents[1]
FOLDERS = {
    "app": "web/src/words/{}.json",
    "gifts": "src/notahat/gifts/words/{}.toml",
    "wrong_names": "src/notahat/gifts/wrong_names/{}.toml",
    "narration": "src/notahat/narration/words/{}.toml",
    "remarks": "src/notahat/bots/remarks/{}.toml",
}
OPTIONAL = ("wrong_names", "synonyms", "gender", "plural", "sound", "accusative")  # each language has its own
SECTIONS = ("terminal",)
SEPARATOR = " | "  # between the items of a list

Data = dict[str, Any]


def read(part: str, lang: str, root: Path) -> Data:
    """Return the words of one part; nothing if the language has none yet."""
    file = root / FOLDERS[part].format(lang)
    if not file.exists():
        return {}
    text = file.read_text("utf-8")
    data: Data = json.loads(text) if file.suffix == ".json" else tomllib.loads(text)
    return data


def leaves(data: Data, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], str]]:
    """Yield every text with its keys. A list is one text with separators, a flag is `yes`."""
    for key, value in data.items():
        if isinstance(value, dict):
            yield from leaves(value, (*path, key))
        elif isinstance(value, list):
            yield (*path, key), SEPARATOR.join(value)
        else:
            yield (*path, key), "yes" if value is True else str(value)


def export(lang: str, root: Path) -> polib.POFile:
    """Return all words: the English ones, and those that the language has already."""
    catalogue = polib.POFile()
    catalogue.metadata = {"Language": lang, "Content-Type": "text/plain; charset=utf-8"}
    for part in FOLDERS:
        english, own = read(part, "en", root), read(part, lang, root)
        texts, translated = dict(leaves(english)), dict(leaves(own))
        for path in _paths(part, english, own):
            text = (
                texts.get(path) or texts.get(path[:1]) or texts.get((path[0], "other")) or f"{path[-1]} of: {path[0]}"
            )
            comment = "may stay empty" if is_optional(part, path) else ""
            context = "/".join((part, *path))
            catalogue.append(
                polib.POEntry(msgctxt=context, msgid=text, msgstr=translated.get(path, ""), comment=comment)
            )
    return catalogue


def _paths(part: str, english: Data, own: Data) -> Iterator[tuple[str, ...]]:
    """Yield the keys of all texts. Plural forms are those of the language, if it has any yet."""
    for key in dict.fromkeys((*english, *own)):
        if part == "gifts":
            shape = {"name": "", "synonyms": [], "gender": ""} | english.get(key, {}) | own.get(key, {})
        else:
            shape = own.get(key, english.get(key))
        yield from (path for path, _ in leaves({key: shape}))


def is_optional(part: str, path: tuple[str, ...]) -> bool:
    return part in OPTIONAL or path[-1] in OPTIONAL or (part == "app" and len(path) > 1 and path[-1] != "other")


def missing(catalogue: polib.POFile) -> list[str]:
    """Return the entries that have to be translated and are not."""
    entries = [(entry, *(entry.msgctxt or "").split("/")) for entry in catalogue]
    return [
        entry.msgctxt for entry, part, *path in entries if not entry.translated() and not is_optional(part, tuple(path))
    ]


def tree(catalogue: polib.POFile, part: str, like: Data) -> Data:
    """Return the data of one part. What is not translated is English, unless it may stay empty."""
    data: Data = {}
    for entry in catalogue:
        name, *path = (entry.msgctxt or "").split("/")
        if name != part or not (entry.msgstr or not is_optional(part, tuple(path))):
            continue
        inner = data
        for key in path[:-1]:
            inner = inner.setdefault(key, {})
        inner[path[-1]] = _value(entry.msgstr or entry.msgid, part, path, like)
    return data


def _value(text: str, part: str, path: list[str], like: Data) -> Any:
    """Return a text as a list or a flag where the English words have one."""
    found: Any = like
    for key in path:
        found = found.get(key) if isinstance(found, dict) else None
    if isinstance(found, list) or part in ("wrong_names", "remarks") or path[-1] == "synonyms":
        return text.split(SEPARATOR)
    return True if path[-1] == "plural" and part == "gifts" else text


def write(data: Data, file: Path) -> None:
    """Write words, one key a line."""
    if file.suffix == ".json":
        lines = [f"  {_json(key)}: {_json(value)}" for key, value in data.items()]
        file.write_text("{\n" + ",\n".join(lines) + "\n}\n", "utf-8")
        return
    lines = []
    for key, value in data.items():
        if key in SECTIONS or (isinstance(value, dict) and all(isinstance(one, list) for one in value.values())):
            lines += ["", f"[{key}]", *(f"{name} = {_toml(one)}" for name, one in value.items())]
        else:
            lines.append(f"{_toml_key(key)} = {_toml(value)}")
    file.write_text("\n".join(lines).lstrip() + "\n", "utf-8")


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def _toml_key(key: str) -> str:
    return key if re.fullmatch(r"[\w-]+", key, re.ASCII) else _json(key)


def _toml(value: Any) -> str:
    if isinstance(value, dict):
        return "{" + ", ".join(f"{_toml_key(key)} = {_toml(one)}" for key, one in value.items()) + "}"
    return _json(value)


def convert_back(lang: str, catalogue: polib.POFile, root: Path) -> None:
    """Write the files of a language that differ from the catalogue."""
    for part, pattern in FOLDERS.items():
        data = tree(catalogue, part, read(part, "en", root))
        if data != read(part, lang, root):
            write(data, root / pattern.format(lang))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("what", choices=("export", "import"))
    parser.add_argument("lang", help="two letters, such as sv")
    parser.add_argument("file", type=Path, help="a .po file")
    parser.add_argument("--draft", action="store_true", help="take the English words where a translation is missing")
    parser.add_argument("--root", type=Path, default=ROOT, help="the folder of the project")
    arguments = parser.parse_args()
    if arguments.what == "export":
        export(arguments.lang, arguments.root).save(str(arguments.file))
        return 0
    catalogue = polib.pofile(str(arguments.file))
    untranslated = missing(catalogue)
    if untranslated and not arguments.draft:
        print(f"{len(untranslated)} texts are not translated, first {untranslated[0]}; --draft writes them in English")
        return 1
    convert_back(arguments.lang, catalogue, arguments.root)
    return 0


if __name__ == "__main__":
    sys.exit(main())
