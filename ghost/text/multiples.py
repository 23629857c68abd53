"""How many times as much: "tripled" against "from 100 to 300"."""

import re
from collections.abc import Iterator

from ghost.text.quantities import amounts, bound_before, equal_kind

_VERBS = {"doubled": 2.0, "tripled": 3.0, "trebled": 3.0, "quadrupled": 4.0, "quintupled": 5.0, "halved": 0.5}
_TIMES = {w: float(n) for n, w in enumerate("three four five six seven eight nine ten".split(), 3)} | {"twice": 2.0}
_MULTIPLE = re.compile(
    rf"\b(?:(?P<verb>{'|'.join(_VERBS)})(?!\s(?:down|up|back|over)\b)|(?P<twice>twice)\s(?:as|the)\b|"
    rf"(?P<times>\d{{1,4}}|{'|'.join(_TIMES)})(?:\stimes\s(?:as|the)\b|-?fold\b))",
    re.IGNORECASE,
)
_FROM = re.compile(r"\bfrom\s$", re.IGNORECASE)
_TO = re.compile(r"(?:\s[^\W\d_]+){0,4}\sto\s(?:about\s|around\s|nearly\s)?")
_YEARS = (1000, 2100)
_ALIKE = 0.1
"""Multiples that differ by less than this part are one: words round them."""


def other_multiple(passage: str, statement: str) -> bool:
    """Whether both say how many times as much something became, and nothing in the passage is as in the statement."""
    there = [*_multiples(passage), *_ratio(passage)]
    return bool(there) and any(
        not any(abs(asked - found) <= _ALIKE * asked for found in there) for asked in _multiples(statement)
    )


def _multiples(text: str) -> Iterator[float]:
    """The multiples that a text names; of "more than doubled" nothing sure is known."""
    for found in _MULTIPLE.finditer(text):
        word = (found["verb"] or found["twice"] or found["times"]).lower()
        if not bound_before(text, found.start()):
            yield _VERBS.get(word) or _TIMES.get(word) or float(word)


def _ratio(text: str) -> Iterator[float]:
    """How many times as much the second of two amounts is; with a third one it is not sure what became what."""
    found = [one for one in amounts(text) if one.unit or one.thing or not _YEARS[0] <= one.value <= _YEARS[1]]
    if len(found) == 2 and _FROM.search(text, max(0, found[0].start - 6), found[0].start):
        before, after = found
        goes_on = _TO.fullmatch(text, before.end, after.start) and equal_kind(before, after)
        if goes_on and before.value > 0 and after.value > 0:
            yield after.value / before.value
