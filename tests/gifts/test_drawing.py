"""Every drawing exists, parses and stays inside its box."""

from pathlib import Path
from xml.etree import ElementTree as ET

import pytest
from svgelements import SVG, Shape

from notahat.gifts import catalogue
from notahat.gifts.drawing import OWN, slim, svg

OPENMOJI = Path(__file__).parents[2] / "web" / "node_modules" / "openmoji"
BOX = 72.0
OURS = [key for key, gift in catalogue().items() if gift.drawing == OWN]
SVG_NAME = "{http://www.w3.org/2000/svg}"


@pytest.mark.parametrize("key", catalogue())
def test_drawing_parses_and_stays_inside_its_box(key: str, tmp_path: Path) -> None:
    drawing = slim(svg(catalogue()[key], OPENMOJI))
    root = ET.fromstring(drawing)  # noqa: S314 - our own file
    assert root.tag == f"{SVG_NAME}svg"
    assert root.attrib["viewBox"] == "0 0 72 72"
    file = tmp_path / "drawing.svg"
    file.write_text(drawing, "utf-8")
    boxes = [shape.bbox(with_stroke=True) for shape in SVG.parse(str(file)).elements() if isinstance(shape, Shape)]
    assert boxes
    for box in boxes:
        assert box is not None
        left, top, right, bottom = box
        assert left >= 0
        assert top >= 0
        assert right <= BOX
        assert bottom <= BOX


@pytest.mark.parametrize("key", catalogue())
def test_drawing_contains_no_name(key: str) -> None:
    drawing = slim(svg(catalogue()[key], OPENMOJI))
    root = ET.fromstring(drawing)  # noqa: S314 - our own file
    assert not any(element.tag in (f"{SVG_NAME}title", f"{SVG_NAME}desc", f"{SVG_NAME}text") for element in root.iter())
    assert not any("id" in element.attrib for element in root.iter())
    assert "<!--" not in drawing


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


def test_drawings_are_unique() -> None:
    drawings = [slim(svg(gift, OPENMOJI)) for gift in catalogue().values()]
    assert len(set(drawings)) == len(drawings)


def test_every_own_drawing_has_a_gift() -> None:
    folder = Path(__file__).parents[2] / "src" / "notahat" / "gifts" / "drawings"
    assert sorted(path.stem for path in folder.glob("*.svg")) == sorted(OURS)
