"""Characters that draw nothing: they can carry orders that no reader sees, or split a word that a filter looks for.

And accents heaped on one letter, which nobody reads and which make every normal form slow.
"""

import re
import unicodedata
from collections import Counter

_JOINERS = "\u200c\u200d"
_BIDI = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
_FILLERS = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u3164\uffa0")
"""Letters and marks by name, and nothing on the screen."""
_JOINED_SCRIPTS = re.compile("[\u0600-\u08ff\u0900-\u0dff\u0e00-\u109f\u1780-\u18af\ufb50-\ufefc]")
"""Arabic, Persian, the scripts of India and South-East Asia, Mongolian: joiners are part of the spelling there."""
_IDEOGRAPH = re.compile("[\u2e80-\u2fff\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]")
_MONGOLIAN = re.compile("[\u1800-\u18af]")
_MARKS = 30
"""So many accents a letter keeps, as Unicode's Stream-Safe Text Format has it; no language writes as many."""
_LONG = re.compile(rf"[^\x00-\x7f]{{{_MARKS + 1},}}")
_KINDS = {"\xad": "soft hyphen", "\ufeff": "zero-width", "\u2800": "filler"}


def without_invisible(text: str) -> tuple[str, Counter[str]]:
    """The text without characters that draw nothing, and how many of each kind went.

    What a reader sees stays: joiners where the script needs them, the style of an emoji, the form of an ideograph.
    Control characters that are white space become a blank, lines and tabs stay.
    """
    gone: Counter[str] = Counter()
    if text.isascii() and text.isprintable():
        return text, gone
    kept: list[str] = []
    before = ""  # the character before, whether it was kept or not
    for at, char in enumerate(text):
        kind = _kind(char, kept[-1] if kept else "", before, text[at + 1 : at + 2])
        if not kind:
            kept.append(char)
        elif kind == "blank":
            kept.append(" ")
        else:
            gone[kind] += 1
        before = char
    return "".join(kept), gone


def visible(text: str) -> str:
    """The text without characters that draw nothing."""
    return without_invisible(text)[0]


def stream_safe(text: str) -> str:
    """The text without the accents that a letter has beyond 30.

    To sort them, which every normal form does, takes the square of their number, and no other thread runs meanwhile.
    """
    return text if text.isascii() else _LONG.sub(lambda found: _thinned(found[0]), text)


def _thinned(text: str) -> str:
    kept: list[str] = []
    run = 0
    for char in text:
        run = run + 1 if unicodedata.combining(char) else 0
        if run <= _MARKS:
            kept.append(char)
    return "".join(kept)


def _kind(char: str, last: str, before: str, after: str) -> str:
    """What an invisible character is; empty for one that stays, ``blank`` for one that is a space."""
    if char < "\x7f":
        return "" if char >= " " or char in "\n\t" else "blank" if char.isspace() else "control"
    if char in _JOINERS:
        return "" if before not in _JOINERS and _joins(char, last, after) else "zero-width"
    if _is_selector(char):
        return "" if last == before and _styles(char, last) else "variation selector"
    if char in _KINDS:
        return _KINDS[char]
    if char in _BIDI:
        return "bidi control"
    if "\U000e0000" <= char <= "\U000e0fff":
        return "tag character"
    if char in _FILLERS:
        return "filler"
    category = unicodedata.category(char)
    if category == "Cc":
        return "blank" if char.isspace() else "control"
    return {"Cf": "zero-width", "Cs": "broken surrogate"}.get(category, "")


def _is_selector(char: str) -> bool:
    return "\ufe00" <= char <= "\ufe0f" or "\U000e0100" <= char <= "\U000e01ef" or char in "\u180b\u180c\u180d\u180f"


def _joins(char: str, last: str, after: str) -> bool:
    if not last or not after:
        return False
    if _JOINED_SCRIPTS.match(last):
        return True
    return char == "\u200d" and _is_emoji(last) and _is_emoji(after)


def _styles(char: str, last: str) -> bool:
    if not last:
        return False
    if char in "\ufe0e\ufe0f":
        return _is_emoji(last) or last in "0123456789#*"
    if char in "\u180b\u180c\u180d\u180f":
        return bool(_MONGOLIAN.match(last))
    if char >= "\U000e0100":
        return bool(_IDEOGRAPH.match(last))
    return bool(_IDEOGRAPH.match(last)) or unicodedata.category(last) == "Sm"


def _is_emoji(char: str) -> bool:
    return unicodedata.category(char) in ("So", "Sk", "Sm", "Po") or char in "\ufe0f\u203c\u2049\u3030\u303d"


def one_line(text: str) -> str:
    """Text from outside on one line, without control characters, direction marks and whatever else draws nothing."""
    return " ".join(visible(" ".join(text.split())).split())
