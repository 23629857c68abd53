"""Numbers in one form of writing, whatever groups their digits: 48 310, 48'310 and 1.234.567 have commas."""

import re

_GROUPED = re.compile(
    r"(?<![\w.,/+])(?<!\w-)(?<!\d:)[1-9]\d{0,2}(?P<gap>[ \u00a0\u202f\u2009'’ʼ.])\d{3}(?:(?P=gap)\d{3})*"
    r"(?:[.,](?P<places>\d{1,2}))?(?!\w|[.,/]\d|(?P=gap)\d|-[a-z])"
)
_APART = re.compile(
    r"(?:\b(?:jan\w*|feb\w*|march|mar|april|apr|may|june?|july?|aug\w*|sept?\w*|oct\w*|nov\w*|dec\w*|no|nos|nr|number|"
    r"page|chapter|room|route|flight|figure|table|section|article|line|gate|call|dial|ring|phone|tel|telephone|fax|"
    r"apollo|boeing|airbus|windows|code|pin|id)\b[.:]?|(?<!\d)(?![12]\d{3}\b)\d+) $",
    re.IGNORECASE,
)
"""Behind these a number stands apart from the next one: "May 12 300 people", "call 555 123", "1 200 300"."""
_BEFORE = 16
_COUNTED = re.compile(
    r"\s(?!per\b|percent|points?\b|times\b|degrees?\b|seconds?\b|minutes?\b|hours?\b|and\b|or\b|to\b|[a-z]{1,3}\b|"
    r"hundred|thousand|[mbtr]+illion|\w*(?:met(?:re|er)s?|grams?|miles?|lit(?:re|er)s?|tons?|tonnes?|feet|hectares?)\b)"
    r"[a-z]"
)
"""What is counted in whole things: a point before three digits groups them there. In 3.142 metres it does not."""
_MINUS = re.compile(r"(?<![\w)\]])\u2212(?=\d)")


def plain_numbers(text: str) -> str:
    """The text with commas where anything else groups digits, and a hyphen for a minus sign.

    A blank groups them only where nothing says that two numbers stand side by side: "in 2010 300 houses".
    """
    return _GROUPED.sub(_with_commas, _MINUS.sub("-", text))


def _with_commas(found: re.Match[str]) -> str:
    gap, places = found["gap"], found["places"]
    written = found[0] if places is None else found[0][: -len(places) - 1]
    before = found.string[max(0, found.start() - _BEFORE) : found.start()]
    if gap == " " and _APART.search(before):
        return found[0]
    if gap == "." and written.count(".") == 1:  # it groups digits, or is the decimal point
        comma, counted = found[0][len(written) :].startswith(","), _COUNTED.match(found.string, found.end())
        if not (comma or (places is None and counted)):
            return found[0]
    return written.replace(gap, ",") + (f".{places}" if places else "")
