"""Characters without a visible shape. Names that contain them would look like other names, or like none."""

from bisect import bisect

# Default_Ignorable_Code_Point of Unicode 17 (DerivedCoreProperties), which `unicodedata` does not have, and the empty
# pattern of braille; each range with its last character
_RANGES = (
    (0x00AD, 0x00AD),  # soft hyphen
    (0x034F, 0x034F),  # combining grapheme joiner
    (0x061C, 0x061C),  # Arabic letter mark
    (0x115F, 0x1160),  # Hangul fillers
    (0x17B4, 0x17B5),  # Khmer inherent vowels
    (0x180B, 0x180F),  # Mongolian selectors
    (0x200B, 0x200F),  # zero width characters
    (0x202A, 0x202E),  # directions
    (0x2060, 0x206F),
    (0x2800, 0x2800),  # braille blank
    (0x3164, 0x3164),  # Hangul filler
    (0xFE00, 0xFE0F),  # variation selectors
    (0xFEFF, 0xFEFF),
    (0xFFA0, 0xFFA0),  # halfwidth Hangul filler
    (0xFFF0, 0xFFF8),
    (0x1BCA0, 0x1BCA3),  # shorthand controls
    (0x1D173, 0x1D17A),  # musical controls
    (0xE0000, 0xE0FFF),  # tags and further selectors
)
_FIRSTS = [first for first, _ in _RANGES]


def is_invisible(character: str) -> bool:
    """Return whether a character has no visible shape of its own. Spaces have one."""
    code = ord(character)
    before = bisect(_FIRSTS, code)
    return before > 0 and code <= _RANGES[before - 1][1]
