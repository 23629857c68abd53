"""What a text says once its disguise is off: the readings in which it is screened. They are never kept or shown."""

import html
import re
import unicodedata
from collections.abc import Iterator
from urllib.parse import unquote

from ghost.knowledge.codes import decoded as _decoded
from ghost.knowledge.codes import quoted_printable
from ghost.knowledge.lookalikes import LOOKALIKES
from ghost.knowledge.orders.joined import CODED
from ghost.text import stream_safe, visible

MAX_READINGS = 24

_LEET = str.maketrans("013457@$!|€£", "oieastasiiee")
_LEET_WORD = re.compile(r"(?<!\S)(?=\S{0,60}[a-zA-Z])(?=\S{0,60}[0134578@$!|€£])\S{3,}")
_SPACED = re.compile(r"(?:\b[^\W\d_](?:[\s.\-_*|·•,/\\~+]{1,3}|$)){5,}", re.UNICODE)
_ESCAPED = re.compile(
    r"\\u([0-9a-fA-F]{4})|\\x([0-9a-fA-F]{2})|\\u\{([0-9a-fA-F]{1,5})\}|\bU\+([0-9a-fA-F]{4,6})\b[,;]?\s?|\\([0-3][0-7]{2})"
)
_ACCENTS = re.compile("[\u0300-\u036f\u0483-\u0487\u064b-\u065f\u1ab0-\u1aff\u20d0-\u20ff]")


def readings(text: str) -> Iterator[tuple[str, bool]]:
    """Lower-case readings of a text, and whether it had to be decoded (so that nobody reads it by chance)."""
    seen: set[str] = set()
    for reading, decoded in _all(text):
        low = " ".join(reading.lower().split())
        if low and low not in seen:
            seen.add(low)
            yield low, decoded
        if len(seen) >= MAX_READINGS:
            return


def _all(text: str) -> Iterator[tuple[str, bool]]:
    plain = _plain(text)
    yield plain, False
    bare = _ACCENTS.sub("", unicodedata.normalize("NFKD", plain)) if not plain.isascii() else plain
    latin = _enclosed(bare).translate(LOOKALIKES)
    yield latin, False
    yield _unleet(latin), False
    if "-" in latin or "_" in latin or "+" in latin:
        yield re.sub(r"(?<=\w)[-_+](?=\w)", " ", latin), False
    if printable := quoted_printable(plain):
        yield printable, False
    for decoded in _decoded(plain):
        yield decoded, True
        for twice in _decoded(decoded):
            yield twice, True
    yield from ((c, True) for c in _ciphers(latin.lower()))


def squeezed(text: str) -> str:
    """Letters only, for orders that are spelled out or run together."""
    return letters(_unleet(_enclosed(_plain(text)).translate(LOOKALIKES)).lower())


def letters(text: str) -> str:
    """A text without anything that is no letter."""
    return re.sub(r"[\W\d_]+", "", text)


def spelled(text: str) -> str:
    """The words that are spelled out letter by letter, without what stands between the letters."""
    return " ".join(re.sub(r"[\W_]+", "", m[0]) for m in _SPACED.finditer(text)).lower()


def _plain(text: str) -> str:
    """Compatibility forms folded, entities and escapes read, and nothing in it that draws nothing."""
    for _ in range(2):
        if "&" not in text:
            break
        text = html.unescape(text)
    if "\\" in text or "U+" in text:
        text = _ESCAPED.sub(_escaped, text)
    if text.count("%") > 2:
        text = unquote(text, errors="replace")
    return visible(unicodedata.normalize("NFKC", stream_safe(visible(text))))


def _escaped(match: re.Match[str]) -> str:
    code = int(match[5], 8) if match[5] else int(match[1] or match[2] or match[3] or match[4], 16)
    return chr(code) if code <= 0x10FFFF else ""


def _enclosed(text: str) -> str:
    """Letters in boxes, circles and flags as letters."""
    if text.isascii():
        return text

    def letter(char: str) -> str:
        code = ord(char)
        for start in (0x1F110, 0x1F130, 0x1F150, 0x1F170, 0x1F1E6):
            if start <= code < start + 26:
                return chr(ord("a") + code - start)
        return char

    return "".join(map(letter, text))


def _unleet(text: str) -> str:
    return _LEET_WORD.sub(lambda m: m[0].translate(_LEET), text)


def _ciphers(low: str) -> Iterator[str]:
    """The text turned around, or with its letters moved along the alphabet, where a telling word shows up then."""
    if any(word[::-1] in low for word in CODED):
        yield low[::-1]
    for by in range(1, 26):
        if any(moved in low for moved in _MOVED[by]):
            yield low.translate(_shift(-by))
            return


def _shift(by: int) -> dict[int, int]:
    return {97 + n: 97 + (n + by) % 26 for n in range(26)}


_MOVED = {by: tuple(word.translate(_shift(by)) for word in CODED if len(word) > 6) for by in range(1, 26)}
