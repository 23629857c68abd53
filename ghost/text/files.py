"""Files: written whole or not at all, and read in the encoding that their bytes prove, or words suggest, or refused.

A file that is not Unicode gives no proof. Statistics over bytes fail on a list of a few sentences and yield readable
nonsense ("Most zosta³ otwarty"), so a guess counts only if nearly all words with special letters are words of some
language of that encoding. Of several encodings, the one that needs the fewest languages is taken.
"""

import codecs
import errno
import itertools
import os
import re
import shutil
import time
import uuid
from collections import Counter
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

ENCODINGS = {
    "": "Detect",
    "utf-8": "UTF-8",
    "utf-16": "UTF-16",
    "cp1252": "Western European (Windows)",
    "iso8859-15": "Western European (ISO)",
    "cp1250": "Central European (Windows)",
    "cp1251": "Cyrillic (Windows)",
    "cp1253": "Greek (Windows)",
    "cp1254": "Turkish (Windows)",
    "cp1256": "Arabic (Windows)",
    "cp932": "Japanese (Shift JIS)",
    "gb18030": "Chinese (GB 18030)",
    "cp949": "Korean",
}
"""What a user can choose: Python's name for it, and ours."""
_SAMPLE = 200_000
"""Bytes of lines with special letters that are looked at."""
_UNEXPLAINED = 0.05
"""Share of words that need not belong to any language: names, typing errors."""
_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),  # before UTF-16, whose mark it starts with
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_LANGUAGES: dict[str, tuple[str, ...]] = {
    "cp1252": (
        "äöüß", "àâæçéèêëîïôœûüÿ", "áéíóúüñ", "ãáâàçéêíóôú", "àéèíó", "åäöéüšž", "æøåéóàü", "ëïéóöüèá", "áðéíóúýþæö",
    ),
    "cp1250": (
        "ąćęłńóśźż", "áčďéěíňóřšťúůýž", "áäčďéíĺľňóôŕšťúýž", "áéíóöőúüű", "ăâîşţ", "čćđšž", "äöüß",
    ),
    "cp1255": ("אבגדהוזחטיכךלמםנןסעפףצץקרשת",),
    "cp1251": ("".join(map(chr, range(0x0430, 0x0460))) + "ґ",),
    "cp1253": ("αβγδεζηθικλμνξοπρσςτυφχψωάέήίόύώϊϋΐΰ",),
    "cp1254": ("çğıöşüiâîû", "äöüß"),
    "cp932": ("kana",),
    "cp949": ("hangul",),
}  # fmt: skip
"""Special letters of each language of an encoding; in this order where nothing else decides."""
_KANA = re.compile("[\u3041-\u30fa]")
_JAPANESE, _KOREAN = (
    re.compile("[\u3005\u3041-\u30ff\u4e00-\u9fff]+"),
    re.compile("(?<![a-z])[\uac00-\ud7a3]+(?![a-z])"),
)
_POINTS = re.compile("[\u05b0-\u05c7]")
"""Hebrew vowel points; Cyrillic capitals become these when read as Hebrew."""
_SIGN = r"[¡-¿×÷\x80-\x9f\ufffd”„†‡‰ˆ˜‚]"
_WORD = re.compile(rf"[^\W\d_]+(?:{_SIGN}+[^\W\d_]*)*|{_SIGN}+[^\W\d_]+")
_UNITS = re.compile(r"(?:^[¿¡µ«„“”‚]+)|(?<=^[kcdmMK]m)[²³]$|(?<=^m)[²³]$|[®©°»«”„‰]+$|(?<=\w)´(?=\w)|º$|ª$")
"""Signs that stand beside letters in ordinary text."""


@dataclass(frozen=True, slots=True)
class DecodedFile:
    """The text of a file and how it was read."""

    text: str
    encoding: str
    """Python's name for it."""
    guessed: bool = False
    """Whether nothing in the file proves the encoding."""


def write_whole(path: Path, pieces: Iterable[bytes], private: bool = False) -> None:
    """Beside its place first, so that a file that was there is replaced whole or not at all. Raises OSError.

    A ``private`` one is for this user alone.

    A pipe or a device is written to as it is: there is nothing to replace.
    """
    if path.exists() and not path.is_file() and not path.is_dir():
        with path.open("wb") as stream:
            stream.writelines(pieces)
        return
    if path.is_dir() or not path.name:
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
    place = _target(path)
    beside = place.with_name(f".{uuid.uuid4().hex}.part")  # a name that nobody's file has
    for left in place.parent.glob(f".{'[0-9a-f]' * 32}.part"):  # of a process that was killed
        with suppress(OSError):
            if time.time() - left.stat().st_mtime > 3600:
                left.unlink()
    try:
        with open(beside, "xb", opener=lambda name, how: os.open(name, how, 0o600 if private else 0o666)) as file:
            file.writelines(pieces)
            file.flush()
            os.fsync(file.fileno())
        if place.exists() and not private:
            shutil.copymode(place, beside)
        beside.replace(place)
    except BaseException:
        with suppress(OSError):
            beside.unlink(missing_ok=True)
        raise


def _target(path: Path) -> Path:
    try:
        return path.resolve() if path.is_symlink() else path
    except RuntimeError:  # links that lead to one another
        raise OSError(errno.ELOOP, os.strerror(errno.ELOOP), str(path)) from None


def decode_file(data: bytes, encoding: str = "") -> DecodedFile:
    """The text of a file. ``encoding`` is used unless the bytes prove another one.

    Raises ValueError with a sentence for an unknown encoding, one that does not fit, or none that fits.
    """
    for mark, codec in _MARKS:
        if data.startswith(mark):
            return DecodedFile(data[len(mark) :].decode(codec, "replace"), codec)
    if wide := _utf_16(data):
        return DecodedFile(data.decode(wide, "replace"), wide)
    try:
        return DecodedFile(data.decode("utf-8"), "utf-8")
    except UnicodeDecodeError:
        pass
    if encoding:
        return DecodedFile(_decoded(data, _known(encoding)), _known(encoding))
    codec = _guess(data)
    if not codec:
        raise ValueError("The file is not UTF-8, and its encoding cannot be detected. Choose one, or save it as UTF-8.")
    return DecodedFile(data.decode(codec, "replace"), codec, guessed=True)


def _known(encoding: str) -> str:
    try:
        info = codecs.lookup(encoding.strip())
        b"a".decode(info.name)
    except (LookupError, UnicodeError, ValueError, AssertionError):
        raise ValueError(f"There is no text encoding {encoding[:40]!r}. Try cp1252, cp1251 or shift_jis.") from None
    if info.name in ("utf-7", "unicode_escape", "raw_unicode_escape", "punycode", "idna"):
        raise ValueError(f"The encoding {encoding[:40]!r} is not supported. Save the file as UTF-8.")
    return {"ascii": "cp1252", "iso8859-1": "cp1252", "shift_jis": "cp932"}.get(info.name, info.name)


def _decoded(data: bytes, codec: str) -> str:
    try:
        return data.decode(codec)
    except UnicodeDecodeError:
        text = data.decode(codec, "replace")
        # Files of Windows programs may have a few of the bytes that Windows left unassigned.
        if codec.startswith("cp125") and text.count("\ufffd") < 5:
            return text
    name = ENCODINGS.get(codec) or codec
    raise ValueError(f"The file is not in the encoding {name}. Choose another one.")


def _utf_16(data: bytes) -> str:
    """UTF-16 without a mark: in plain text, every other byte is zero."""
    head = data[:4_000]
    if len(head) < 8 or head.count(0) < len(head) // 4:
        return ""
    even, odd = head[::2].count(0), head[1::2].count(0)
    if odd > 8 * even:
        return "utf-16-le"
    return "utf-16-be" if even > 8 * odd else ""


def _guess(data: bytes) -> str:
    """The encoding whose languages explain the words, by as few languages as possible; else empty."""
    sample = b"\n".join(line for line in re.split(rb"[\r\n]+", data) if not line.isascii())
    if len(sample) > _SAMPLE:
        sample = sample[: sample.rfind(b"\n", 0, _SAMPLE)]
    found = {codec: needed for codec in _LANGUAGES if (needed := _languages_needed(sample, codec))}
    return min(found, key=lambda codec: found[codec], default="")


def _languages_needed(sample: bytes, codec: str) -> int:
    """How many languages explain the words; 0 when they leave too many unexplained."""
    try:
        text = sample.decode(codec)
    except UnicodeDecodeError:
        return 0
    if codec in ("cp932", "cp949"):
        letters = [c for c in text if not c.isascii() and c.isalpha()]
        own = _JAPANESE if codec == "cp932" else _KOREAN
        fitting = sum(len(word) for word in own.findall(text))
        native = codec == "cp949" or bool(_KANA.search(text))
        return int(native and bool(letters) and fitting >= len(letters) * (1 - _UNEXPLAINED))
    if codec == "cp1255" and _POINTS.search(text):
        return 0
    words = [word for word in _WORD.findall(text) if not word.isascii()]
    fits = [_fitting(word, _LANGUAGES[codec]) for word in words]
    left = Counter(found for found in fits if found)
    if sum(left.values()) < len(words) * (1 - _UNEXPLAINED):
        return 0
    needed = 0
    while left:
        best = Counter(language for found, n in left.items() for language in found for _ in range(n)).most_common(1)
        left = Counter({found: n for found, n in left.items() if best[0][0] not in found})
        needed += 1
    return max(needed, 1)


def _fitting(word: str, languages: tuple[str, ...]) -> tuple[int, ...]:
    """Numbers of the languages that can spell the word; none for signs and capitals inside it."""
    word = _UNITS.sub("", word).replace("İ", "i")
    pairs = itertools.pairwise(word)
    if any(a.islower() and b.isupper() and not (a.isascii() and b.isascii()) for a, b in pairs):
        return ()
    # Italian has these at the end of a word only, Portuguese this one before an e.
    word = re.sub("[ìòùÌÒÙ]$", "", word).replace("õe", "oe")
    special = {c for c in word.lower() if not c.isascii()}
    mixed = any(c.isascii() and c.isalpha() for c in word)
    return tuple(
        number
        for number, letters in enumerate(languages)
        if special <= set(letters) and not (mixed and letters[0] in "аαא")  # such scripts do not mix with Latin
    )
