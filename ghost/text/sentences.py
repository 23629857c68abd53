"""Plain text in one form, and where its sentences begin and end."""

import hashlib
import re
import unicodedata
from collections.abc import Iterator

from ghost.text.invisible import stream_safe, visible

_SPACE = re.compile(r"\s+")
# The run of marks is taken from its beginning only: a page of a million dots must not be tried from every dot.
_SENTENCE_END = re.compile(
    r"(?<![.!?…])[.!?…]++[\"'”’»)\]]*+(?=\s)|[。！？]++[”’」』）]*+|[।॥؟۔։።፧၊။។៕]++[\"'”’»)\]]*+(?=\s)"
)
_SHORT = """
adm al amb approx apr asst atty aug ave blvd brig bros ca capt cdr cf ch cmdr co col corp cpl dec dept dr ed eds est etc
feb fig figs gen gov hon hwy inc insp jan jr jul jun lieut lt ltd maj mar max messrs min mr mrs ms msgr mt mts nos nov
oct op pp prof pt pvt rep rev sec sen sep sept sgt sr st supt vol vols vs
abs bd bzw chr dipl evtl exkl ggf hr hrsg ing inkl mio mrd nr str tsd usw vgl zb zzgl
dra dña srta sra sres uds dott sig avv exmo dhr mevr drs
"""
_ABBREVIATIONS = frozenset(_SHORT.split())
_NUMBERED = frozenset(("no", "art"))
"""Words, and abbreviations before a number only: "No. 7"."""
_DOTTED = re.compile(r"(?:^|[\s(\"'“‘])(?:[^\W\d_]\.|Ph\.)+$")  # initials and e.g. / i.e. / U.S. / Ph.D.
_PAUSE = re.compile(r"(?<=[;:,–—])\s")
_ORDINAL = re.compile(r"(?:^|[\s(])\d{1,2}\.$")
_MONTHS = frozenset(
    """
januar jänner februar feber märz april mai juni juli august september oktober november dezember desember december marts
maj
""".split()
)
_GERMAN = frozenset(
    """
der das dem und ist nicht wird wurde wurden werden hat sich ein eine einen einem einer im zu zum zur für mit auf von vom
bei nach
""".split()
)
_ENGLISH = frozenset("the of and is was to at by for from with that it he she".split())
_BEGINNINGS = frozenset(
    """
der die das ein eine er sie es wir ich ihr man im in am an auf bei danach dann dort hier doch aber und nach seit vor mit
für dies diese dieser dieses damit dabei als wenn so auch zu zum zur sein seine ihre kein keine
""".split()
)
"""What begins a sentence, and never stands behind an ordinal."""
_BACK = 60
_AHEAD = 20
_AROUND = 150
"""So far around a mark decides whether it ends a sentence; looking further would cost more than the text is long."""

Span = tuple[int, int]
"""Where something begins and ends in a text, as Python slices it."""


def normalise(text: str) -> str:
    """NFC, without control and invisible characters, every run of white space one blank.

    Invisible characters go because they can carry instructions that no reader sees, and lone surrogates because they
    cannot be stored. They go first: between accents they would hide how many a letter has.
    """
    text = unicodedata.normalize("NFC", stream_safe(visible(text)))
    return _SPACE.sub(" ", text).strip()


def spans(text: str, start: int = 0, end: int | None = None) -> Iterator[Span]:
    """The sentences of a normalised text; abbreviations, initials and decimals do not end one."""
    end = len(text) if end is None else end
    for match in _SENTENCE_END.finditer(text, start, end):
        if _ends(text, start, match, end):
            yield from _trimmed(text, start, match.end())
            start = match.end()
    yield from _trimmed(text, start, end)


def pieces(text: str, start: int, end: int, limit: int) -> Iterator[Span]:
    """The sentence itself, or what a very long one (a table, a list without stops) is cut into, at pauses."""
    while end - start > limit:
        pauses = [m.start() for m in _PAUSE.finditer(text, start, start + limit)]
        at = pauses[-1] if pauses and pauses[-1] - start > limit // 3 else text.rfind(" ", start, start + limit)
        at = at if at > start else start + limit
        yield from _trimmed(text, start, at)
        start = at
    yield from _trimmed(text, start, end)


def _trimmed(text: str, start: int, end: int) -> Iterator[Span]:
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    if start < end:
        yield start, end


def _ends(text: str, start: int, match: re.Match[str], end: int) -> bool:
    following = text[match.end() : min(end, match.end() + _AHEAD)].lstrip()
    if match.group().startswith(".") and not match.group().startswith("..."):
        before = text[max(start, match.start() - _BACK) : match.start() + 1]
        word = re.split(r"[\s(]", before)[-1].rstrip(".").lower()
        if word in _ABBREVIATIONS or _DOTTED.search(before) or (word in _NUMBERED and following[:1].isdigit()):
            return False
        if (
            following
            and _ORDINAL.search(before)
            and _counts(text, match.start(), re.split(r"\W", following)[0].lower())
        ):
            return False
    return not following[:1].islower()  # “What?” she asked.


def _counts(text: str, at: int, following: str) -> bool:
    """Whether the point at a place makes the number before it an ordinal: "am 3. Oktober", "in der 2. Bundesliga"."""
    if following in _MONTHS:
        return True
    if not following or following in _BEGINNINGS:
        return False
    around = text[max(0, at - _AROUND) : at + _AROUND].lower().split()
    german = sum(word in _GERMAN for word in around)
    return german > 1 and german > sum(word in _ENGLISH for word in around)


def text_hash(text: str) -> str:
    """SHA-256 of a text, which tells later whether a page still says what was read there."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
