"""Own decks: what a .hat file may contain; everything else is refused with a reason (9.3)."""

import gzip
import io
import zipfile
import zlib
from pathlib import Path
from random import Random
from typing import Any

import pytest
from PIL import Image

from notahat.gifts import LANGUAGES, DeckReason, catalogue, deck_of, hat_of, read_deck
from notahat.gifts.grammar import lines
from notahat.gifts.hat_file import LARGEST_FILE, LARGEST_PICTURE, MOST_PIXELS, check_image
from notahat.rules import Back, Illegal, cards_needed
from notahat.server.confusables import name_keys
from support.pictures import GIFTS, hat, large_png, own, picture, png, png_bomb, png_part

EXAMPLES = Path(__file__).parents[2] / "src" / "notahat" / "gifts" / "examples"
# letters and marks without a shape: fillers, joiners of marks, inherent vowels, selectors
INVISIBLE = (0x034F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x180B, 0x180F, 0x3164, 0xFE01, 0xFE0F, 0xFFA0, 0xE0101)
SVG = b'<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'


def refused(data: bytes) -> tuple[str, str]:
    with pytest.raises(Illegal) as raised:
        read_deck(data, name_keys)
    return raised.value.reason.value, raised.value.detail


def test_balanced_card_gets_rarer_colour() -> None:
    deck = read_deck(hat(left=["cup", "pear"], any=["apple"]))
    backs = [card.back for card in deck.cards]
    assert backs.count(Back.ANY) == 1
    assert abs(backs.count(Back.LEFT) - backs.count(Back.RIGHT)) <= 1
    assert {card.gift for card in deck.cards} == {*GIFTS, "cup", "pear", "apple"}


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "WEBP"])
def test_own_gift_has_grammatical_lines(kind: str) -> None:
    words = {"de": {"name": "Teetasse", "gender": "f"}, "en": {"name": "teacup"}}
    deck = read_deck(hat(language="de", balanced=[*GIFTS, "#1"], own=[own(image=picture(kind), words=words)]))
    (gift,) = deck.own
    assert gift.kind == f"image/{kind.lower()}"
    assert lines(gift.words["de"], "de").offer == "Ich habe eine schöne Teetasse für dich."
    assert lines(gift.words["en"], "en").denial == "That's not a teacup!"
    assert (gift.spoken("en", "de"), gift.spoken("fr", "de")) == ("en", "de")  # it has no French name
    assert deck.cards[-1].gift == gift.key not in catalogue()


def test_deck_survives_round_trip_through_file() -> None:
    cup, mug = own(look_alikes=["cup", "#2"]), own("Blue mug", picture("PNG"))
    deck = read_deck(hat(balanced=[*GIFTS, "#1", "#2"], own=[cup, mug]))
    again = deck_of(hat_of(deck))
    assert set(again.cards) == set(deck.cards)
    assert again.own == deck.own


@pytest.mark.parametrize("file", sorted(EXAMPLES.glob("*.hat")), ids=lambda file: file.stem)
def test_example_decks_are_playable(file: Path) -> None:
    deck = read_deck(file.read_bytes(), name_keys)
    assert len(deck.cards) >= cards_needed(3, 1)
    backs = [card.back for card in deck.cards]
    assert abs(backs.count(Back.LEFT) - backs.count(Back.RIGHT)) <= 1


def test_r9_3_small_own_deck_is_refused_with_missing_number() -> None:
    reason, detail = refused(hat(balanced=GIFTS[:6]))
    assert reason == DeckReason.TOO_SMALL
    assert "3 more cards" in detail


def _zip() -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("deck.hat", b"0" * 5_000_000)
    return out.getvalue()


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", DeckReason.UNREADABLE),
        (b"\xff\xfe{}", DeckReason.UNREADABLE),
        (SVG, DeckReason.UNREADABLE),
        (picture(), DeckReason.UNREADABLE),
        (_zip(), DeckReason.UNREADABLE),
        (gzip.compress(b"0" * 5_000_000), DeckReason.UNREADABLE),
        (b" " * 50_000_000, DeckReason.TOO_BIG),
        (hat()[:-1] + b" " * LARGEST_FILE + b"}", DeckReason.TOO_BIG),
        (b"[" * 100_000, DeckReason.UNREADABLE),
        (b'{"hat":1,"name":' + b"[" * 3000, DeckReason.UNREADABLE),
        (hat(hat=2), DeckReason.TOO_NEW),
        (hat(hat=0), DeckReason.UNREADABLE),
        (hat(more=1), DeckReason.UNREADABLE),
        (hat(language="tlh"), DeckReason.UNREADABLE),
        (hat() + b"<script>", DeckReason.UNREADABLE),
        (hat(balanced=[*GIFTS, "gold"]), DeckReason.GIFT),
        (hat(balanced=[*GIFTS, "#1"]), DeckReason.GIFT),
        (hat(balanced=[*GIFTS, "#²"]), DeckReason.GIFT),
        (hat(right=["hat"]), DeckReason.TWICE),
        (hat(name="<b>Home</b>"), DeckReason.NAME),
        (hat(balanced=sorted(catalogue()) + ["#1"] * 30, own=[own()]), DeckReason.TOO_BIG),
    ],
    ids=lambda value: value.value if isinstance(value, DeckReason) else "file",
)
def test_bad_file_is_refused_with_reason(data: bytes, reason: DeckReason) -> None:
    assert refused(data)[0] == reason


@pytest.mark.parametrize(
    "name",
    [
        "<img src=x onerror=alert(1)>",
        "a&lt;b",
        "x",
        "",
        "  Mug",
        "Mug ",
        "Mug\n",
        "M\u200bug",
        "\u202emug",
        "7up",
        "é" * 31,
        "Mug" + "\u0336" * 5,
        *(f"Mu{chr(code)}g" for code in INVISIBLE),
        *(f"\u3164{chr(code)}" for code in (0x3164, 0xFFA0, 0x115F)),
    ],
)
def test_markup_and_invisible_names_are_refused(name: str) -> None:
    reason, detail = refused(hat(balanced=[*GIFTS, "#1"], own=[own(name)]))
    assert reason == DeckReason.NAME
    assert "own gift 1" in detail


@pytest.mark.parametrize("name", ["pear", "Pear", "ρear", "ｐear"])  # the third starts with a Greek letter
def test_similar_names_are_refused(name: str) -> None:
    reason, detail = refused(hat(balanced=[*GIFTS, "#1"], own=[own(name)]))
    assert reason == DeckReason.TWICE
    assert "pear" in detail
    twins = [own(name), own(name, picture("PNG"))]
    assert refused(hat(balanced=[*GIFTS, "#1", "#2"], own=twins))[0] == DeckReason.TWICE


@pytest.mark.parametrize(
    "words",
    [
        {"de": {"name": "Tasse", "gender": "f"}},  # the deck's language is English
        {"en": {"name": "teacup", "gender": "m"}},
        {"en": {"name": "teacup"}, "de": {"name": "Teetasse"}},
        {"en": {"name": "teacup"}, "it": {"name": "tazza", "gender": "f", "sound": "tonic_a"}},
        {"en": {"name": "teacup", "accusative": "teacup"}},
        {"en": {"name": "teacup"}, "xx": {"name": "cup"}},
    ],
)
def test_incomplete_or_wrong_grammar_is_refused(words: dict[str, object]) -> None:
    assert refused(hat(balanced=[*GIFTS, "#1"], own=[own(words=words)]))[0] == DeckReason.NAME


def test_every_accepted_word_has_lines() -> None:
    genders = {"en": [None], "de": [*"mfn"], "nl": [*"cn"]}
    for lang in LANGUAGES:
        for gender in genders.get(lang, [*"mf"]):
            for name in ("so", "Ia", "mooi ding", "s-t", "él"):
                for plural in (False, True):
                    word = {"name": name, "gender": gender, "plural": plural}
                    gift = own(words={lang: word})
                    deck = read_deck(hat(language=lang, balanced=[*GIFTS, "#1"], own=[gift]))
                    assert name in lines(deck.own[0].words[lang], lang).offer


def _with_place() -> bytes:
    exif = Image.Exif()
    exif.get_ifd(0x8825)[2] = (52.0, 30.0, 0.0)
    return picture("JPEG", exif=exif)


def _animated() -> bytes:
    frames = [Image.new("RGB", (9, 9), colour) for colour in ("red", "blue")]
    out = io.BytesIO()
    frames[0].save(out, "WEBP", save_all=True, append_images=frames[1:])
    return out.getvalue()


def jpeg_part(part: int, content: bytes) -> bytes:
    return bytes((0xFF, part)) + (len(content) + 2).to_bytes(2, "big") + content


def jpeg_with(part: bytes) -> bytes:
    """Return a valid picture with one more part before its scan."""
    before, scan, pixels = picture("JPEG").partition(b"\xff\xda")
    return before + part + scan + pixels


def webp_with_alpha(alpha: bytes, flags: bytes = b"\x10\0\0\0", padding: bytes = b"\0") -> bytes:
    """Return a picture of 4 × 2 pixels with alpha."""
    plain = picture("WEBP", (4, 2))[12:]
    head = b"VP8X\x0a\0\0\0" + flags + b"\x03\0\0" + b"\x01\0\0"
    body = b"ALPH" + len(alpha).to_bytes(4, "little") + alpha + padding * (len(alpha) % 2)
    content = b"WEBP" + head + body + plain
    return b"RIFF" + len(content).to_bytes(4, "little") + content


def webp_followed_by(more: bytes) -> bytes:
    """Return a picture whose compressed pixels are followed by more in the same part."""
    pixels = picture("WEBP")[20:] + more
    pixels += b"\0" * (len(pixels) % 2)
    content = b"WEBPVP8 " + len(pixels).to_bytes(4, "little") + pixels
    return b"RIFF" + len(content).to_bytes(4, "little") + content


def png_followed_by(more: bytes) -> bytes:
    head, tail = picture("PNG")[:33], png_part(b"IEND", b"")
    return head + png_part(b"IDAT", zlib.compress(bytes(25 * (1 + 3 * 40))) + more) + tail


TEXT = b"Meet me at the old mill at nine and bring the letters that Ada wrote. " * 4
ROWS = b"\0" * 72  # 8 × 8 grey pixels
PNG_TEXTS = {
    "sRGB": png(8, 8, ROWS, png_part(b"sRGB", TEXT)),
    "significant bits": png(8, 8, ROWS, png_part(b"sBIT", TEXT)),
    "two gammas": png(8, 8, ROWS, *[png_part(b"gAMA", b"\0\0\xb1\x8f")] * 2),
    "transparency": png(8, 8, ROWS, png_part(b"tRNS", TEXT)),
    "transparency of a palette": png(
        8, 1, bytes(2), png_part(b"PLTE", bytes(6)), png_part(b"tRNS", TEXT), colour=3, depth=1
    ),
    "more rows": png(8, 8, ROWS + TEXT[:100]),
    "its end": picture("PNG")[:-12] + png_part(b"IEND", TEXT),
}
JPEG_TEXTS = {
    "tables": jpeg_with(jpeg_part(0xDB, TEXT * 8)),
    "restart intervals": jpeg_with(jpeg_part(0xDD, TEXT * 8)),
    "a second frame": jpeg_with(jpeg_part(0xC0, b"\x08\0\x19\0\x28\x01\x01\x11\0" + TEXT)),
}
WITH_METADATA = {
    "jpeg with a second header": jpeg_with(jpeg_part(0xE0, b"JFIF\0\1\1\0\0\1\0\1\0\0")),
    "jpeg with a preview": picture("JPEG").replace(b"JFIF\0\1\1\0\0\1\0\1\0\0", b"JFIF\0\1\1\0\0\1\0\1\x41\x64"),
    "jpeg with a place": _with_place(),
    "jpeg with a comment": picture("JPEG", comment=b"made by Ada"),
    "jpeg with a profile": picture("JPEG", icc_profile=b"profile"),
    "png with a text": png(8, 8, b"\0" * 72, png_part(b"tEXt", b"Author\0Ada")),
    "png with exif": png(8, 8, b"\0" * 72, png_part(b"eXIf", b"II*\0")),
    "webp with exif": picture("WEBP", exif=b"Exif\0\0II*\0"),
    "webp with xmp": picture("WEBP", xmp=b"<x/>"),
    "webp that moves": _animated(),
    "webp with text as alpha": webp_with_alpha(b"\0" + TEXT),
    "webp with text behind its pixels": webp_followed_by(TEXT),
    "jpeg with text behind its pixels": picture("JPEG")[:-2] + TEXT + b"\xff\xd9",
}
BROKEN = {
    "svg": SVG,
    "html": b"<html><script>alert(1)</script>",
    "gif": picture("GIF"),
    "nothing": b"",
    "half a png": picture("PNG")[:40],
    "half a jpeg": picture("JPEG")[:-9],
    "half a webp": picture("WEBP")[:-4],
    "png and zip": picture("PNG") + _zip()[:200],
    "jpeg and html": picture("JPEG") + SVG,
    "webp and script": picture("WEBP") + b"alert(1)",
    "a png bomb": png_bomb(),
    "a png of 8 MB": large_png(16),
    "a png with text behind its pixels": png_followed_by(TEXT),
    "a png without points": picture("PNG")[:33] + png_part(b"IEND", b""),
    "a jpeg without a scan": picture("JPEG").partition(b"\xff\xda")[0] + b"\xff\xd9",
    "a webp that is none": picture("WEBP", lossless=True).replace(b"\x2f", b"\x2e", 1),
    "a webp that goes on from another": picture("WEBP").replace(b"\x9d\x01\x2a", b"\x9d\x01\x2b", 1),
    **{f"a png with text as {name}": data for name, data in PNG_TEXTS.items()},
    **{f"a jpeg with text as {name}": data for name, data in JPEG_TEXTS.items()},
    "a webp with a letter after a part": webp_with_alpha(b"\0" + b"\xff" * 8, padding=b"x"),
    "a webp with text as its pixels": picture("WEBP")[:20] + TEXT[: len(picture("WEBP")) - 20],
    "a webp to be enlarged": picture("WEBP")[:27] + b"\x40" + picture("WEBP")[28:],
    "huge sides": picture("PNG", (1025, 4)),
    "huge jpeg": picture("JPEG", (4, 2000)),
    "huge webp": picture("WEBP", (2000, 4)),
    "jpeg script": b"\xff\xd8\xff" + SVG,
    "riff sound": b"RIFF\x04\x00\x00\x00WAVE",
    "too many bytes": b"\x89PNG" + b"0" * LARGEST_PICTURE,
}


@pytest.mark.parametrize("data", WITH_METADATA.values(), ids=WITH_METADATA)
def test_picture_with_metadata_is_refused(data: bytes) -> None:
    reason, detail = refused(hat(balanced=[*GIFTS, "#1"], own=[own(image=data)]))
    assert reason == DeckReason.PICTURE_METADATA
    assert detail.startswith("own gift 1")


@pytest.mark.parametrize("data", BROKEN.values(), ids=BROKEN)
def test_broken_or_foreign_picture_is_refused(data: bytes) -> None:
    assert refused(hat(balanced=[*GIFTS, "#1"], own=[own(image=data)]))[0] == DeckReason.PICTURE


def test_total_pixels_of_pictures_are_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    assert MOST_PIXELS // 1024**2 == 30
    monkeypatch.setattr("notahat.gifts.hat_file.MOST_PIXELS", 2 * 1024**2)
    gifts = [own(f"thing {letter}", large_png()) for letter in ("bb", "cc", "dd")]
    assert len(read_deck(hat(balanced=[*GIFTS, "#1", "#2"], own=gifts[:2])).own) == 2
    reason, detail = refused(hat(balanced=[*GIFTS, "#1", "#2", "#3"], own=gifts))
    assert reason == DeckReason.TOO_BIG
    assert "together" in detail


def saved(image: Image.Image, kind: str, **options: Any) -> bytes:
    out = io.BytesIO()
    image.save(out, kind, **options)
    return out.getvalue()


def png_with_usual_side_parts() -> bytes:
    gamma = png_part(b"gAMA", (45455).to_bytes(4, "big"))
    white = (31270, 32900, 64000, 33000, 30000, 60000, 15000, 6000)
    chroma = png_part(b"cHRM", b"".join(number.to_bytes(4, "big") for number in white))
    density = png_part(b"pHYs", (2835).to_bytes(4, "big") * 2 + b"\1")
    parts = (png_part(b"sRGB", b"\0"), gamma, chroma, density, png_part(b"sBIT", b"\x08"))
    return png(8, 8, ROWS, *parts, png_part(b"tRNS", b"\0\xff"))


def interlaced_png() -> bytes:
    passes = (1 * 2, 1 * 2, 1 * 3, 2 * 2, 1 * 4, 3 * 3, 2 * 6)  # rows, and a filter and grey pixels in each
    image = bytearray(png(5, 5, bytes(sum(passes))))
    image[28] = 1
    return bytes(image)


def png_of_mode(mode: str) -> bytes:
    """Return a picture with several IDAT parts and all row filters."""
    points = bytes(Random(1).randbytes(8 * 300)) + bytes(range(256)) * 400
    size = {"1": (40, 60), "I;16": (100, 70)}.get(mode, (100, 100))
    return saved(Image.frombytes(mode, size, points[: len(Image.new(mode, size).tobytes())]), "PNG")


def test_pictures_of_usual_programs_are_accepted() -> None:
    gradient = Image.radial_gradient("L")
    settings: tuple[dict[str, Any], ...] = (
        {},
        {"optimize": True},
        {"quality": 95, "subsampling": 0},
        {"restart_marker_rows": 1},
    )
    jpegs = [saved(gradient, "JPEG", progressive=each, **one) for each in (False, True) for one in settings]
    webps = [saved(Image.new("RGBA", (40, 25), (1, 2, 3, 4)), "WEBP"), picture("WEBP", lossless=True)]
    pngs = [png_of_mode(mode) for mode in ("1", "L", "LA", "P", "RGB", "RGBA", "I;16")]
    pngs += [png_with_usual_side_parts(), interlaced_png()]
    pngs.append(saved(gradient.convert("P"), "PNG", transparency=3, dpi=(300, 300)))
    for kind, images in (("jpeg", jpegs), ("webp", webps), ("png", pngs)):
        assert [check_image(image).kind for image in images] == [f"image/{kind}"] * len(images)


def test_letters_of_many_scripts_are_allowed() -> None:
    for name in ("Зонт", "μήλο", "雨傘", "مظلة", "छाता", "우산", "ร่ม", "שַּׁבָּת", "བསྒྲུབས", "Ångström", "naïve hat"):
        assert read_deck(hat(name=name)).name == name
