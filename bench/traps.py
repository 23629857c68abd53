"""What makes a pair of claim and evidence hard for a small model: where the two differ in a small, telling thing."""

import re

TRAPS = ("negation", "number", "date", "entity", "quantifier")

_NEGATION = re.compile(
    r"\b(?:not|never|no|nobody|none|nothing|cannot|neither|nor|without|fails? to|failed to|unable)\b|n['’]t\b", re.I
)
_MONTH = (
    "january|february|march|april|may|june|july|august|september|october|november|december|"
    "jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec"
)
_DATE = re.compile(
    rf"\b(?:1[0-9]{{3}}|20[0-9]{{2}})(?:s|\b)|\b(?:{_MONTH})\.? [0-9]{{1,4}}\b|\b[0-9]{{1,2}} (?:{_MONTH})\b|"
    r"\b(?:mon|tues|wednes|thurs|fri|satur|sun)day\b",
    re.I,
)
_WORDS = (
    "two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen "
    "nineteen twenty thirty forty fifty sixty seventy eighty ninety hundred thousand million billion dozen half twice "
    "first second third"
)
_NUMBER = re.compile(rf"[0-9]+(?:[.,][0-9]+)*|\b(?:{'|'.join(_WORDS.split())})\b", re.I)
_QUANTIFIER = re.compile(
    r"\b(?:all|every|each|any|some|most|many|few|several|only|always|often|sometimes|rarely|usually|at least|"
    r"at most|more than|less than|fewer than|majority|minority|exactly|entire|both|nearly|almost)\b",
    re.I,
)
_NAME = re.compile(r"(?<![.!?]\s)(?<!^)(?<![\"“(])\b[A-Z][\w'’-]+")
"""A capital that does not begin a sentence."""


def traps(claim: str, evidence: str) -> tuple[str, ...]:
    """Which traps lie between the two.

    Negation: one of them denies something and the other does not. Number, date, entity: the claim has one that the
    evidence has not, while the evidence has another one. Quantifier: the claim has one that the evidence has not.
    """
    found = {
        "negation": bool(_NEGATION.search(claim)) != bool(_NEGATION.search(evidence)),
        "number": _another(_numbers(claim), _numbers(evidence)),
        "date": _another(_all(_DATE, claim), _all(_DATE, evidence)),
        "entity": _another(_names(claim), _names(evidence), evidence.casefold()),
        "quantifier": bool(_all(_QUANTIFIER, claim) - _all(_QUANTIFIER, evidence)),
    }
    return tuple(name for name in TRAPS if found[name])


def _another(claimed: set[str], said: set[str], text: str = "") -> bool:
    return bool(said - claimed) and any(one not in text for one in claimed - said)


def _numbers(text: str) -> set[str]:
    """Figures without those of a date; ``1,000`` and ``1000`` are one."""
    return {number.replace(",", "") for number in _all(_NUMBER, _DATE.sub(" ", text))}


def _names(text: str) -> set[str]:
    return _all(_NAME, text)


def _all(pattern: re.Pattern[str], text: str) -> set[str]:
    return {match.casefold() for match in pattern.findall(text)}
