"""Texts in codes that a machine reads as easily as words."""

import base64
import binascii
import quopri
import re
from collections.abc import Iterator

_BASE64 = re.compile(r"[A-Za-z0-9+/_-]{20,}={0,2}")
_GROUPS = re.compile(r"(?<!\S)(?:[A-Za-z0-9+/_-]{2,76}\s{1,3}){2,200}[A-Za-z0-9+/_-]{1,76}={0,2}(?!\S)")
"""Base64 in groups or lines; words look like that too."""
_HEX = re.compile(r"(?:(?:\\x|0x)?[0-9a-fA-F]{2}[\s:,-]?){12,}")
_BINARY = re.compile(r"(?:[01]{8}[\s,]?){6,}")
_DECIMAL = re.compile(r"(?:\b\d{2,3}\b[\s,]{1,2}){9,}\d{2,3}\b")
_PRINTABLE = re.compile(r"=(?:[0-9A-F]{2}|[ \t]{0,3}\r?\n)")
_WORDS = re.compile(r"(?<![^\W\d_])[^\W\d_]{2,}+(?:[\s,.]++[^\W\d_]++){2,}")


def readable(text: str) -> bool:
    """Whether something decoded is words and not chance."""
    return (
        len(text) >= 12 and bool(_WORDS.search(text)) and sum(c.isalpha() or c == " " for c in text) > 0.75 * len(text)
    )


def quoted_printable(text: str) -> str:
    """A text with the escapes of e-mails read; empty without any."""
    if len(_PRINTABLE.findall(text)) < 3:
        return ""
    return quopri.decodestring(text.encode()).decode("utf-8", "replace")


def decoded(text: str) -> Iterator[str]:
    """What stands in a text in base64, hexadecimal, binary or as character codes, as far as it is words."""
    for found in _BASE64.findall(text)[:8]:
        yield from _readable(_bytes_of_base64(found))
    for match in list(_GROUPS.finditer(text))[:8]:
        groups = match[0].split()
        if sum(map(_is_code, groups)) * 2 > len(groups):
            yield from _readable(_bytes_of_base64("".join(groups)))
    for match in list(_HEX.finditer(text))[:4]:
        digits = re.sub(r"\\x|0x|[\s:,-]", "", match[0])
        yield from _readable(bytes.fromhex(digits[: len(digits) // 2 * 2]))
    for match in list(_BINARY.finditer(text))[:4]:
        yield from _readable(bytes(int(b, 2) for b in re.findall(r"[01]{8}", match[0])))
    for match in list(_DECIMAL.finditer(text))[:4]:
        codes = [int(n) for n in re.findall(r"\d+", match[0])]
        if all(32 <= c < 127 for c in codes):
            yield from _readable(bytes(codes))


def _bytes_of_base64(found: str) -> bytes:
    bare = found.rstrip("=").replace("-", "+").replace("_", "/")
    try:
        return base64.b64decode(bare + "=" * (-len(bare) % 4))
    except (binascii.Error, ValueError):
        return b""


def _readable(raw: bytes) -> Iterator[str]:
    text = raw.decode("utf-8", "ignore")
    if raw and len(text) == len(raw) and _BASE64.fullmatch(text):  # wrapped once more
        yield from _readable(_bytes_of_base64(text))
    if readable(text):
        yield text


def _is_code(group: str) -> bool:
    """Whether a group of letters is none that stands in a sentence: it changes between small and capital letters."""
    return bool(re.search(r"[a-z][A-Z]|\d[A-Za-z]|[A-Za-z]\d|[A-Z]{2}[a-z]", group))
