"""Numbers in a sentence of a judge, in figures or in words: each must come from its sources."""

import re
import unicodedata
from collections.abc import Iterator

_NUMBER = re.compile(r"(?<![\w])\d[\d.,\u00a0\u202f' ]*\d|\d")
_SIGN = re.compile(r"(?<!\w)(?:(\d{1,4})\s?)?([¼-¾⅐-⅟↉])|(?<![^\W\d_])([²³¹⁰-⁹₀-₉Ⅰ-ↈ①-⓿❶-➓])")
"""Fractions, alone or after a whole number; superscripts and the like, which after a letter (km²) are part of it."""
_BIG = frozenset("hundred hundreds thousand thousands million millions billion billions trillion dozen dozens".split())
"""Compared as words: what stands before them is a number by itself."""
_UNITS = {word: n for n, word in enumerate("one two three four five six seven eight nine".split(), 1)}
_TEENS = {
    word: n
    for n, word in enumerate(
        "ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen".split(), 10
    )
}
_TENS = {word: n * 10 for n, word in enumerate("twenty thirty forty fifty sixty seventy eighty ninety".split(), 2)}
_NTHS = {
    "third": 3,
    "quarter": 4,
    "fourth": 4,
    "fifth": 5,
    "sixth": 6,
    "seventh": 7,
    "eighth": 8,
    "ninth": 9,
    "tenth": 10,
}
_TIMES = {"zero": 0.0, "half": 0.5, "twice": 2.0, "thrice": 3.0}
_LIKE = {
    **dict.fromkeys(("halves", "halved", "halving"), 0.5),
    **dict.fromkeys(("double", "doubled", "doubles", "doubling", "both", "pair", "second"), 2.0),
    **dict.fromkeys(("triple", "tripled", "triples", "trebled"), 3.0),
    **{nth: float(n) for nth, n in _NTHS.items()},
}
"""More words that contain a small number."""
_FROM_TWO = "|".join(list(_UNITS)[1:])
_LARGE = re.compile(
    rf"\b(?:(?P<tens>{'|'.join(_TENS)})(?:[-\s](?P<unit>{'|'.join(_UNITS)}))?|(?P<teen>{'|'.join(_TEENS)}))\b", re.I
)
_SMALL = re.compile(rf"\b(?:{_FROM_TWO}|{'|'.join(_TIMES)})\b", re.I)
_PART = re.compile(
    rf"\b(?:(?:an?|one)[-\s](?P<one>{'|'.join(_NTHS)})(?=\s+of\b)|"
    rf"(?P<many>{_FROM_TWO})[-\s](?P<of>{'|'.join(_NTHS)})s\b)",
    re.I,
)
"""“a third of”, “two thirds”; “a third source” is none."""
_RATIO = re.compile(r"(?<![\d/.,])(\d{1,3})\s?[/⁄]\s?([1-9]\d{0,2})(?![\d/])")
_WORD = re.compile(r"[^\W\d_]+")

_Numbers = Iterator[tuple[str, set[str]]]
"""The number as written, and its possible values."""


def stray_number(own: str, leans_on: str, read: str) -> str:
    """The first number in a judge's ``own`` words that ``leans_on`` (quotes, claim) lacks; empty when there is none.

    Small ones in words may also stand elsewhere in what was ``read``, or count sources.
    """
    words = {w.lower() for w in _WORD.findall(leans_on)}
    figures = {form for _, forms in _exact(leans_on) for form in forms}
    for number, forms in (*_figures(own), *_large(own)):
        if not forms & figures:
            return number
    for word in _WORD.findall(own):
        if word.lower() in _BIG and word.lower() not in words:
            return word
    small = figures | {form for _, forms in (*_exact(read), *_alike(leans_on), *_alike(read)) for form in forms}
    return next((number for number, forms in _small(own) if not forms & small), "")


def _exact(text: str) -> _Numbers:
    """Every number of a text that is written as a number."""
    yield from _figures(text)
    yield from _large(text)
    yield from _parts(text)
    for m in _RATIO.finditer(text):
        yield m.group(), {_written(int(m[1]) / int(m[2]))}
    for word in _WORD.findall(text):
        if word.lower() in _UNITS:
            yield word, {str(_UNITS[word.lower()])}


def _alike(text: str) -> _Numbers:
    for word in _WORD.findall(text):
        if (value := (_TIMES | _LIKE).get(word.lower())) is not None:
            yield word, {_written(value)}


def _figures(text: str) -> _Numbers:
    for m in _SIGN.finditer(text):
        if (value := unicodedata.numeric(m[2] or m[3], None)) is not None:
            yield m.group(), {_written(value + int(m[1] or 0))}
    for number in _NUMBER.findall(_SIGN.sub(" ", text)):
        yield number.strip(), _forms(number)


def _large(text: str) -> _Numbers:
    for m in _LARGE.finditer(text):
        tens, unit, teen = (m[name].lower() if m[name] else "" for name in ("tens", "unit", "teen"))
        yield m.group(), {str(_TEENS[teen] if teen else _TENS[tens] + _UNITS.get(unit, 0))}


def _parts(text: str) -> _Numbers:
    for m in _PART.finditer(text):
        many = _UNITS[m["many"].lower()] if m["many"] else 1
        yield m.group(), {_written(many / _NTHS[(m["of"] or m["one"]).lower()])}


def _small(own: str) -> _Numbers:
    """The small numbers in words that do not count sources."""
    yield from _parts(own)
    for pattern in (_PART, _LARGE):
        own = pattern.sub(lambda m: " " * len(m.group()), own)
    for m in _SMALL.finditer(own):
        word = m.group().lower()
        if not counts_sources(word, own[: m.start()], own[m.end() :]):
            value = _TIMES.get(word, float(_UNITS.get(word, 0)))
            yield m.group(), {_written(value)} | ({"50"} if word == "half" else set())


def _written(value: float) -> str:
    return f"{value:g}"


def _forms(number: str) -> set[str]:
    """The possible values of a number: 20,000 and 20.000 and 20 000 are the same, and so are 8.50 and 8,5."""
    bare = re.sub(r"[\s\u00a0\u202f']", "", number).strip(".,")
    forms = {re.sub(r"[.,]", "", bare)} if re.fullmatch(r"\d{1,3}(?:[.,]\d{3})+", bare) else set()
    decimal = bare.replace(",", ".")
    if decimal.count(".") == 1:
        forms.add(decimal.rstrip("0").rstrip("."))
    elif "." not in decimal:
        forms.add(decimal.lstrip("0") or "0")
    else:
        forms.add(decimal.replace(".", ""))
    return (
        forms | {part.lstrip("0") or "0" for part in re.split(r"[\s.,]+", number) if part} if " " in number else forms
    )


_SPEAKS = (
    r"(?:sources?|passages?|reports?|articles?|pages?|texts?|documents?|papers?|studies|reviews?|websites?|outlets?|"
    r"media|newspapers?|publishers?|fact[-\s]check(?:s|ers?)?|citations?|quotes?|quotations?|statements?|claims?|"
    r"sentences?|readings?|versions?|accounts?|origins?|reasons?|things|questions?|figures|numbers|dates|evidence|"
    r"pieces of evidence|parts of (?:it|the (?:claim|statement)))"
)
_KIND = (
    r"(?:independent|other|different|separate|further|more|such|reliable|credible|trusted|unrelated|distinct|similar|"
    r"cited|given|quoted|listed|named|unnamed|news|official|scientific|academic|government|published|local|main|recent|"
    r"older|newer|earlier|later|contradictory|conflicting|contradicting|competing|opposing|supporting|refuting|or|to|"
    r"two|three|four|five|six|seven|eight|nine)"
)
_COUNTED = re.compile(
    rf"(?:[-\s]+{_KIND})*(?:\s+of\s+(?:the|these|those|its|their)(?:\s+{_KIND})*)?[-\s]+{_SPEAKS}\b|"
    r"\s+of\s+(?:them|these|those|which)\b(?!\s+\w+s\b)",
    re.IGNORECASE,
)
"""What follows a number that counts sources: “two independent sources”, “two of them”."""
_REFERS_BACK = re.compile(r"\b(?:the|these|those|all|other|both|between)\s+$", re.IGNORECASE)
_ALONE = re.compile(
    r"\s*(?:[.,;:!?)\[]|$)|\s+(?:are|do|don|say|agree|differ|disagree|contradict|support|report|confirm|give|put|cite|"
    r"name)\b",
    re.IGNORECASE,
)
"""“The two differ”, but not “the two drivers”."""
_MIXES_UP = re.compile(
    r"\b(?:mix|confus|conflat|compar|combin|merg|blend|join)\w*\s+(?:up\s+|together\s+)?(?:the(?:se)?\s+)?$",
    re.IGNORECASE,
)
"""What a claim does to two things: “mixes up two towns”."""
_NAMES_A_PART = re.compile(r"\b(?:first|second|other|latter|former|later|earlier|this|that)\s+$", re.IGNORECASE)
_HALF_WORD = re.compile(
    r"[-\s](?:true|truths?|false|right|wrong|correct)\b|-(?!million|billion|dozen|hour|century)\w", re.IGNORECASE
)
"""“Half true” is a rating, and “a half-brother” is not one of two."""


def counts_sources(word: str, before: str, after: str) -> bool:
    """Whether a small number word between these texts counts sources or what they say."""
    if _COUNTED.match(after):
        return True
    if word == "half":
        return bool(_NAMES_A_PART.search(before) or _HALF_WORD.match(after))
    if _MIXES_UP.search(before):
        return True
    return bool(_REFERS_BACK.search(before) and _ALONE.match(after))
