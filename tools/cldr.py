"""Write quotation marks and list patterns of the Unicode CLDR to src/notahat/clients/terminal/words/cldr.json.

Browsers have them in `Intl`. Babel would add ten megabytes and has no quotation marks. Run `python tools/cldr.py` after
a new CLDR release.
"""

import json
import subprocess
import sys
import tarfile
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

ROOT = Path(__file__).parents[1]
TABLE = ROOT / "src" / "notahat" / "clients" / "terminal" / "words" / "cldr.json"
PACKAGE = "cldr-misc-full@48.2.0"
LOCALES = {"en": "en-GB", "de": "de", "fr": "fr", "it": "it", "es": "es", "pt": "pt-PT", "nl": "nl"}
NARROW_SPACE = "\u202f"  # the CLDR has no space inside French quotation marks


def main() -> int:
    with TemporaryDirectory() as folder:
        npm = [sys.executable, str(ROOT / "tools" / "npm.py"), "pack", PACKAGE]
        npm += ["--silent", "--pack-destination", folder]
        subprocess.run(npm, check=True, stdout=subprocess.DEVNULL)
        with tarfile.open(next(Path(folder).glob("*.tgz"))) as package:
            table = {lang: _language(package, locale) for lang, locale in LOCALES.items()}
    TABLE.write_text(json.dumps(table, ensure_ascii=False, indent=2) + "\n", "utf-8")
    print(f"wrote {TABLE.relative_to(ROOT)}")
    return 0


def _language(package: tarfile.TarFile, locale: str) -> dict[str, Any]:
    marks = _read(package, locale, "delimiters")
    space = NARROW_SPACE if locale == "fr" else ""
    patterns = _read(package, locale, "listPatterns")["listPattern-type-standard"]
    return {
        "quoted": f"{marks['quotationStart']}{space}{{0}}{space}{marks['quotationEnd']}",
        "listed": {place: patterns[place] for place in ("2", "start", "middle", "end")},
    }


def _read(package: tarfile.TarFile, locale: str, name: str) -> dict[str, Any]:
    file = package.extractfile(f"package/main/{locale}/{name}.json")
    if file is None:
        raise LookupError(f"{PACKAGE} has no {name} for {locale}")
    found: dict[str, Any] = json.load(file)["main"][locale][name]
    return found


if __name__ == "__main__":
    sys.exit(main())
