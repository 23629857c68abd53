"""What the rules of step 1 hand each other about one clause."""

from dataclasses import dataclass
from enum import Enum


class Kind(Enum):
    """What a clause turned out to be."""

    FACT = "fact"
    OPINION = "opinion"
    EMPTY = "empty"


@dataclass(frozen=True, slots=True)
class Weighed:
    """A clause and what the rules made of it."""

    kind: Kind
    confidence: float
    """Probability that ``kind`` is right, 0..1."""
    why: str
    """A plain sentence that names what in the text led here; empty for a plain fact."""
    rephrase: str = ""
    core: str = ""
    """The checkable statement; empty unless FACT."""
    taste: str = ""
    """The words of opinion: taken out of ``core``, or what makes it an OPINION; empty where there are none."""


def opinion_about(quote: str, why: str, sure: float, hint: str) -> Weighed:
    """An OPINION whose reason quotes the text: ``why`` with ``{}`` for the quote."""
    quote = quote.strip()
    return Weighed(Kind.OPINION, sure, why.format(f"“{quote}”"), hint, taste=quote)


def hint_for(quote: str) -> str:
    low = quote.lower()
    if any(w in low for w in ("delicious", "tasty", "yummy")):
        return "Name something that can be counted, for example “In a 2019 poll, most people in the UK liked X”."
    if any(w in low for w in ("best", "worst", "greatest", "better", "finest", "most ")):
        return "Name the measure, for example “X sold more copies than Y” or “X won the award in 2019”."
    if "too " in low:
        return "Give the figure and the limit it passes, for example “X is above the EU limit of Y”."
    if any(w in low for w in ("wrong", "right", "unfair", "immoral", "evil", "unethical")):
        return "Ask what it causes or what the law says, for example “X is illegal in Y”."
    return "Name a measure that others can check: a number, a date, a ranking, an award or a survey."
