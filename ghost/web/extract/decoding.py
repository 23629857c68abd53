"""Bytes of a page as text, and the language of a text, whatever the page says about either."""

import codecs
import logging
import re
from dataclasses import dataclass
from functools import cache
from threading import Lock
from typing import Any

_TAG = re.compile(r"[A-Za-z]{2,3}(?=$|[-_])")
_CHARS = 2_000
_ENOUGH = 40
_CONFIDENT = 0.6
_lock = Lock()


def declared_language(tag: str) -> str:
    """The language of a tag such as ``en-GB``, without its country; empty when it is none."""
    found = _TAG.match(tag.strip())
    return found[0].lower() if found else ""


def language_of(text: str, declared: str = "") -> str:
    """ISO code of the language a text is in; the declared one where the text is too short to decide, else empty.

    Pages of every language are declared English by the template they were made with, so the text decides.
    """
    sample = text[:_CHARS]
    if sum(c.isalpha() for c in sample) < _ENOUGH:
        return declared
    language, confidence = next(iter(probabilities(sample).items()))
    return language if confidence >= _CONFIDENT or not declared else declared


def probabilities(text: str) -> dict[str, float]:
    """How likely a text is in each language that is known, by ISO code, the most likely first."""
    with _lock:  # loading it twice at once would cost its second twice
        identifier = _identifier()
    return {str(code): float(value) for code, value in identifier.rank(text[:_CHARS])}


@cache
def _identifier() -> Any:
    from py3langid.langid import MODEL_FILE, LanguageIdentifier

    return LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)


_MARKS = ((codecs.BOM_UTF8, "utf-8"), (codecs.BOM_UTF16_LE, "utf-16-le"), (codecs.BOM_UTF16_BE, "utf-16-be"))
_DECLARED = re.compile(rb"""charset\s*=\s*["']?\s*([A-Za-z0-9_.:-]{1,40})|<\?xml[^>]{0,60}encoding=["']([^"']{1,40})""")
_HEADER = re.compile(r"""charset\s*=\s*["']?\s*([A-Za-z0-9_.:-]{1,40})""", re.IGNORECASE)
_HEAD = 4_096
_SAMPLE = 40_000
"""Bytes that are enough to guess an encoding by; guessing costs more than decoding."""
# What browsers take. Python knows more (utf-7, unicode_escape, punycode), all of them good for hiding text or time.
_TAKEN = frozenset(
    """
ascii utf-8 utf-16 utf-16-le utf-16-be cp1250 cp1251 cp1252 cp1253 cp1254 cp1255 cp1256 cp1257 cp1258 cp866 cp874
iso8859-1 iso8859-2 iso8859-3 iso8859-4 iso8859-5 iso8859-6 iso8859-7 iso8859-8 iso8859-9 iso8859-10 iso8859-11
iso8859-13 iso8859-14 iso8859-15 iso8859-16 koi8-r koi8-u mac-roman mac-cyrillic tis-620
gb2312 gbk gb18030 big5 big5hkscs euc_jp shift_jis cp932 iso2022_jp euc_kr cp949
""".split()
)
_AS_BROWSERS_DO = {"ascii": "cp1252", "iso8859-1": "cp1252", "gb2312": "gb18030", "gbk": "gb18030",
                   "shift_jis": "cp932", "euc_kr": "cp949", "iso8859-9": "cp1254"}  # fmt: skip
_LIKELY = """
cp1250 cp1251 cp1252 cp1253 cp1254 cp1255 cp1256 cp1257 cp874 iso8859_2 koi8_r gb18030 big5 cp932 euc_jp cp949
""".split()
_MARKUP = re.compile(rb"<[^<>]{0,2000}>|&\w+;")
_GUESSED_BY = 8_000
_CLOSE = 0.1
"""Disorder, as charset-normalizer measures it, up to which an encoding may be the right one."""
_ODD = re.compile(r"(?<=[^\W\d_])[\x80-\xbf\xd7\xf7]|[\x80-\xbf](?=[^\W\d_])")


@dataclass(frozen=True, slots=True)
class Decoded:
    """The text of a page and how it was decoded."""

    text: str
    encoding: str
    note: str = ""
    """What a reader should know of it, in one sentence; empty when all was as declared."""


def decode(body: bytes, content_type: str = "", charset: str = "") -> Decoded:
    """The text of ``body``; never fails. What the bytes prove counts more than what the page declares."""
    for mark, codec in _MARKS:
        if body.startswith(mark):
            return Decoded(body[len(mark) :].decode(codec, "replace"), codec)
    declared = [c for c in _declared(body, content_type, charset) if not c.startswith("utf-16")]
    # Text that is not UTF-8 passes for it by accident next to never, so UTF-8 goes first.
    for codec in ("utf-8", *declared):
        found = None if "iso2022_jp" in declared else _strictly(body, codec)
        if found is None:
            continue
        odd = bool(declared) and codec not in declared and not body.isascii()
        return Decoded(found, codec, f"The page says {declared[0]}, but is {codec}." if odd else "")
    if "iso2022_jp" in declared:  # plain ASCII to UTF-8, so it is asked for in its own right
        return Decoded(body.decode("iso2022_jp", "replace"), "iso2022_jp")
    for codec in (*declared[:1], "utf-8") if declared else ("utf-8",):
        text = body.decode(codec, "replace")
        if text.count("\ufffd") * 200 < len(text):
            return Decoded(text, codec, f"Some characters are not {codec} and were lost.")
    return _guessed(body)


def _declared(body: bytes, content_type: str, charset: str) -> list[str]:
    found = _DECLARED.search(body[:_HEAD])
    header = _HEADER.search(content_type[:500])
    inside = (found[1] or found[2]).decode("ascii", "replace") if found else ""
    names = (charset[:40], header[1] if header else "", inside)
    return list(dict.fromkeys(codec for name in names if (codec := _codec(name))))


def _codec(name: str) -> str:
    try:
        codec = codecs.lookup(name.strip() or "none").name
    except (LookupError, ValueError):
        return ""
    return _AS_BROWSERS_DO.get(codec, codec) if codec in _TAKEN else ""


def _strictly(body: bytes, codec: str) -> str | None:
    try:
        return body.decode(codec)
    except UnicodeDecodeError as error:
        if codec == "utf-8" and error.start >= len(body) - 3:  # cut off inside a character
            return body.decode(codec, "replace")
        if codec.startswith("cp125"):  # browsers read the few places that Windows left empty as control characters
            return body.decode(codec, "replace") if body.decode(codec, "replace").count("\ufffd") < 5 else None
        return None


def _guessed(body: bytes) -> Decoded:
    """By charset-normalizer among the encodings of the web, on the words alone: markup is ASCII in all of them."""
    from charset_normalizer import from_bytes

    logging.getLogger("charset_normalizer").setLevel(logging.CRITICAL)
    words = b" ".join(_MARKUP.sub(b" ", body[:_SAMPLE]).split())[:_GUESSED_BY]
    found = [m for m in from_bytes(words, cp_isolation=list(_LIKELY)) if m.chaos <= _CLOSE] if words else []
    ranked = sorted(
        enumerate(found), key=lambda match: (_oddities(str(match[1])), -_likelihood(str(match[1])), match[0])
    )
    codec = _codec(ranked[0][1].encoding) if ranked else "cp1252"
    return Decoded(body.decode(codec, "replace"), codec, f"The encoding was guessed: {codec}.")


def _oddities(text: str) -> int:
    """Signs and control characters next to letters, as no language writes them: "mie¶cie"."""
    return len(_ODD.findall(text))


def _likelihood(text: str) -> float:
    """How sure it is of one language, in steps: what differs by less is no difference."""
    return round(next(iter(probabilities(text).values())), 2)
