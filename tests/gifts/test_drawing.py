"""Every drawing exists, parses and stays inside its box."""

import io
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from svgelements import SVG, Shape

from notahat.gifts import catalogue
from notahat.gifts.gift import OWN, slim, svg

OPENMOJI = Path(__file__).parents[2] / "web" / "node_modules" / "openmoji"
BOX = 72.0
OURS = [key for key, gift in catalogue().items() if gift.drawing == OWN]
SVG_NAME = "{http://www.w3.org/2000/svg}"


@pytest.fixture(scope="module")
def drawings() -> dict[str, str]:
    return {key: slim(svg(gift, OPENMOJI)) for key, gift in catalogue().items()}


def test_own_drawings_stay_inside_their_box(drawings: dict[str, str]) -> None:
    for key in OURS:
        shapes = [shape for shape in SVG.parse(io.StringIO(drawings[key])).elements() if isinstance(shape, Shape)]
        assert shapes, key
        for left, top, right, bottom in (shape.bbox(with_stroke=True) for shape in shapes):
            assert min(left, top) >= 0, key
            assert max(right, bottom) <= BOX, key


def test_drawings_contain_no_name(drawings: dict[str, str]) -> None:
    names = {f"{SVG_NAME}{tag}" for tag in ("title", "desc", "text")}
    for key, drawing in drawings.items():
        root = ET.fromstring(drawing)  # noqa: S314 - our own file
        assert (root.tag, root.attrib["viewBox"]) == (f"{SVG_NAME}svg", "0 0 72 72"), key
        assert not any(element.tag in names or "id" in element.attrib for element in root.iter()), key
        assert "<!--" not in drawing, key


@pytest.mark.parametrize("key", OURS)
def test_own_drawings_have_uniform_style(key: str) -> None:
    root = ET.fromstring(svg(catalogue()[key], OPENMOJI))  # noqa: S314 - our own file
    (group,) = root
    assert group.attrib == {
        "fill": "none",
        "stroke": "#000",
        "stroke-width": "2",
        "stroke-linecap": "round",
        "stroke-linejoin": "round",
    }
    assert not any("transform" in element.attrib for element in root.iter())


def test_drawings_are_unique(drawings: dict[str, str]) -> None:
    assert len(set(drawings.values())) == len(drawings)


def test_every_own_drawing_has_a_gift() -> None:
    folder = Path(__file__).parents[2] / "src" / "notahat" / "gifts" / "drawings"
    assert sorted(path.stem for path in folder.glob("*.svg")) == sorted(OURS)
