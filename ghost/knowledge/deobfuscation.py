"""The readings in which a text is screened: as it stands, and with its disguises taken off. None is kept or shown."""

import base64
import binascii
import html
import quopri
import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache
from urllib.parse import unquote

from ghost.text import stream_safe, visible

MAX_READINGS = 12
_MAX_CODES = 8
"""Codes of one kind that are read in one text."""
_TELLING = ("instruction", "disregard", "previous", "verdict", "prompt", "ignore all")
"""Words that give away a text written backwards or with a shifted alphabet."""

_ESCAPED = re.compile(
    r"\\u([0-9a-fA-F]{4})|\\x([0-9a-fA-F]{2})|\\u\{([0-9a-fA-F]{1,5})\}|\bU\+([0-9a-fA-F]{4,6})\b[,;]?\s?|\\([0-3][0-7]{2})"
)
_PRINTABLE = re.compile(r"=(?:[0-9A-F]{2}|[ \t]{0,3}\r?\n)")
_BASE64 = re.compile(r"[A-Za-z0-9+/_-]{20,}={0,2}")
_GROUPS = re.compile(r"(?<!\S)(?:[A-Za-z0-9+/_-]{2,76}\s{1,3}){2,200}[A-Za-z0-9+/_-]{1,76}={0,2}(?!\S)")
_HEX = re.compile(r"(?:(?:\\x|0x)?[0-9a-fA-F]{2}[\s:,-]?){12,}")
_BINARY = re.compile(r"(?:[01]{8}[\s,]?){6,}")
_DECIMAL = re.compile(r"(?:\b\d{2,3}\b[\s,]{1,2}){9,}\d{2,3}\b")
_MIXED_GROUP = re.compile(r"[a-z][A-Z]|\d[A-Za-z]|[A-Za-z]\d|[A-Z]{2}[a-z]")
"""What tells base64 in groups from words: small letters, capitals and digits change places."""
_WORDS = re.compile(r"(?<![^\W\d_])[^\W\d_]{2,}+(?:[\s,.]++[^\W\d_]++){2,}")

_SPELLED = re.compile(r"(?<![^\W_])[^\W_]([\s.\-_*|·•,/\\~+])[^\W_](?:\1[^\W_](?![^\W_]))+")
_LEET = str.maketrans("013457@$!|€£", "oieastasiiee")
_LEET_WORD = re.compile(r"(?<!\S)(?=\S{0,60}[a-zA-Z])(?=\S{0,60}[0134578@$!|€£])\S{3,}")
_LATIN_NAME = re.compile(r"\b(?:LATIN|REGIONAL INDICATOR)\b.*\b([A-Z])(?: WITH\b.*)?$")
_LIKE = "аеорсухіјѕһԁԛԝѵкмтвнгԍɡıɑοαρνικυτεηϲϳоցօսհոզքɩəɐɔʁѡүҽᴦᎪᏏᏟᎠᎬᏀᎻᎥᎫᏦᏞᎷᏢᎡᏚᎢᏙᎳᎩᏃᏒᏕᏂᎽᏔᏧꓲꓮꓰꓳ＜＞〈〉⟨⟩‹›"
_OURS = "aeopcyxijshdqwvkmtbhrggiaoapvikutencjogouhnzpieacrwyerabcdeghijklmprstvwyzrshywdiaeo<><><><>"
_SHAPES = dict(zip(_LIKE, _OURS, strict=True))
"""Letters of other scripts and signs that look like Latin ones."""


_CJK = r"[\u3040-\u30ff\u3400-\u9fff]"
_TORN = re.compile(rf"(?<=[^\W\d_])-\s*\n\s*(?=[^\W\d_])|(?<={_CJK})\s+(?={_CJK})")
"""What lines that are broken for looks put into a word."""
_RUN_TOGETHER = re.compile(r"(?:[A-Z][a-z]{1,20}){5,}")


def readings(text: str) -> Iterator[str]:
    """The text without what draws nothing, then the other readings that differ from it; at most ``MAX_READINGS``."""
    seen: set[str] = set()
    for reading in _all(plain(text)):
        if reading and reading not in seen:
            seen.add(reading)
            yield reading
        if len(seen) >= MAX_READINGS:
            return


def _all(text: str) -> Iterator[str]:
    yield text
    latin = _latin(text)
    yield _LEET_WORD.sub(lambda m: m[0].translate(_LEET), latin)
    yield _SPELLED.sub(lambda m: m[0].replace(m[1], ""), latin)
    if _RUN_TOGETHER.search(latin):
        yield _RUN_TOGETHER.sub(lambda m: re.sub("(?=[A-Z])", " ", m[0]).strip(), latin)
    if len(_PRINTABLE.findall(text)) >= 3:
        yield quopri.decodestring(text.encode()).decode("utf-8", "replace")
    low = latin.lower()
    if any(word[::-1] in low for word in _TELLING):
        yield latin[::-1]
    for by in range(1, 26):
        if any(word in low for word in _told_in(by)):
            yield low.translate(_shifted(-by))


def plain(text: str) -> str:
    """Compatibility forms folded, entities and escapes read, torn words joined, nothing in it that draws nothing."""
    for _ in range(2):
        if "&" in text:
            text = html.unescape(text)
    if "\\" in text or "U+" in text:
        text = _ESCAPED.sub(_escaped, text)
    if text.count("%") > 2:
        text = unquote(text, errors="replace")
    return _TORN.sub("", visible(unicodedata.normalize("NFKC", stream_safe(visible(text)))))


def decoded(text: str, depth: int = 2) -> Iterator[str]:
    """What a text has in base64, hexadecimal, binary or as character codes, as far as it is words."""
    codes = [_base64(match[0]) for match in _first(_BASE64, text)]
    for match in _first(_GROUPS, text):
        groups = match[0].split()
        if sum(bool(_MIXED_GROUP.search(group)) for group in groups) * 2 > len(groups):
            codes.append(_base64("".join(groups)))
    for match in _first(_HEX, text):
        digits = re.sub(r"\\x|0x|[\s:,-]", "", match[0])
        codes.append(bytes.fromhex(digits[: len(digits) // 2 * 2]))
    codes += [bytes(int(bits, 2) for bits in re.findall(r"[01]{8}", match[0])) for match in _first(_BINARY, text)]
    for match in _first(_DECIMAL, text):
        numbers = [int(number) for number in re.findall(r"\d+", match[0])]
        codes += [bytes(numbers)] if all(32 <= number < 127 for number in numbers) else []
    for code in codes:
        words = code.decode("utf-8", "ignore")
        if words_in(words):
            yield words
        elif depth > 1 and _BASE64.fullmatch(words):  # wrapped once more
            yield from decoded(words, depth - 1)


def words_in(text: str) -> bool:
    """Whether something decoded is words and not chance."""
    letters = sum(char.isalpha() or char == " " for char in text)
    return len(text) >= 12 and letters > 0.75 * len(text) and bool(_WORDS.search(text))


def _first(pattern: re.Pattern[str], text: str) -> list[re.Match[str]]:
    return [match for match, _ in zip(pattern.finditer(text), range(_MAX_CODES), strict=False)]


def _base64(found: str) -> bytes:
    bare = found.rstrip("=").replace("-", "+").replace("_", "/")
    try:
        return base64.b64decode(bare + "=" * (-len(bare) % 4))
    except (binascii.Error, ValueError):
        return b""


def _escaped(match: re.Match[str]) -> str:
    code = int(match[5], 8) if match[5] else int(match[1] or match[2] or match[3] or match[4], 16)
    return chr(code) if code <= 0x10FFFF else ""


def _latin(text: str) -> str:
    """Look-alikes as Latin letters, unless the text is in another script; boxed, struck and accented letters too."""
    if text.isascii():
        return text
    folded = "".join(map(_letter, unicodedata.normalize("NFKD", text)))
    letters = [char for char in folded if char.isalpha()]
    return folded if sum(map(str.isascii, letters)) >= 0.9 * len(letters) else text


@lru_cache(maxsize=4096)
def _letter(char: str) -> str:
    if char.isascii() or unicodedata.combining(char):
        return char if char.isascii() else ""
    named = _LATIN_NAME.search(unicodedata.name(char, ""))
    return _SHAPES.get(char) or _SHAPES.get(char.lower()) or _SHAPES.get(char.upper()) or (named[1] if named else char)


@lru_cache(maxsize=25)
def _told_in(by: int) -> tuple[str, ...]:
    """The longer telling words as an alphabet shifted by so much writes them."""
    return tuple(word.translate(_shifted(by)) for word in _TELLING if len(word) > 6)


def _shifted(by: int) -> dict[int, int]:
    return {97 + at: 97 + (at + by) % 26 for at in range(26)}
