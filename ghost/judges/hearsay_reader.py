"""A stance reader for texts that report what others say (``hearsay.py``): only what a text says itself is its word.

A verdict on the sentence before it decides how that one counts, a verdict on something that is not in the text counts
for nothing, and what posts, rumours or unnamed people say supports nothing by itself. That somebody said it is another
matter: a statement on that is read as it stands.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from ghost.inference.base import StanceReader
from ghost.judges.hearsay import SAYS, hearsay, verdict
from ghost.judges.polarity import content
from ghost.judges.ratings import followed
from ghost.judges.teller import teller
from ghost.knowledge.text import sentences
from ghost.types import Stance
from ghost.web.rating import Meaning, answer, asks, denies, labelled

_KNOWN = 4096
"""Texts whose parts are remembered: one is read for many statements."""
_REPORT = re.compile(rf"\b{SAYS}\s+that\s+(?P<what>\S.{{10,}})$", re.IGNORECASE | re.DOTALL)
"""A report and what is reported."""
_CLAUSES = re.compile(r";\s+")
"""“It is said to be older; records begin in 1270.”: the records are not hearsay."""
_REST = re.compile(r"[:;–—]\s*(?P<rest>\S.{15,})$", re.DOTALL)
"""What a verdict goes on to say: its reasons."""


class HearsayReader:
    """A stance reader that knows what a text says from what it reports. Same interface, same order."""

    def __init__(self, reader: StanceReader) -> None:
        self.reader = reader
        """What reads the parts."""
        self.name = f"{reader.name} + hearsay"

    @property
    def checksum(self) -> str:
        """Of the weights; this has none."""
        return self.reader.checksum

    def read(self, pairs: Sequence[tuple[str, str]]) -> list[Stance]:
        """The stance of each (passage text, statement text), in the order given."""
        plans = [_asked_of(_planned(passage), passage, statement) for passage, statement in pairs]
        asked = [(part, statement) for plan, (_, statement) in zip(plans, pairs, strict=True) for part in plan.asked]
        read = iter(self.reader.read(asked))
        return [plan.stance([next(read) for _ in plan.asked]) for plan in plans]


@dataclass(frozen=True, slots=True)
class _Plan:
    """Which parts of a passage are read, and how their stances make that of the passage."""

    whole: str
    reported: tuple[str, ...] = ()
    """What is only reported, or what the verdict is on, in one or two forms of words."""
    own: str = ""
    """What the text says in its own name."""
    means: Meaning | None = None
    """The verdict on what is reported."""
    silent: bool = False
    """Whether it says nothing by itself: hearsay alone, or a verdict on something that is not in the text."""

    @property
    def asked(self) -> list[str]:
        """The parts to read: the whole, what is reported, what the text says itself; as far as needed."""
        if self.silent:
            return [self.whole]
        return [*([] if self.means else [self.whole]), *self.reported, *([self.own] if self.own else [])]

    def stance(self, read: Sequence[Stance]) -> Stance:
        """That of the passage, from those of ``asked``."""
        if self.silent:
            return _limited(read[0], 0.0, 0.0)
        if self.means:
            # Small models miss the same claim in other words: the form in which they see it counts.
            seen = max(read[: len(self.reported)], key=lambda s: s.supports)
            found = followed(seen, self.means)
            return _together(found, read[-1]) if self.own else found
        if not self.reported:
            return read[0]
        whole, reported, own = read
        # What denies the report refutes a statement that is reported, and the report alone refutes none.
        refutes = 1.0 if reported.supports >= reported.refutes else own.refutes
        return _limited(whole, own.supports, refutes)


def judged(text: str) -> bool:
    """Whether a text brings a verdict on what it says or reports, so that its sentences cannot be read apart."""
    plan = _planned(text)
    return plan.means is not None or plan.whole != text


def _asked_of(plan: _Plan, passage: str, statement: str) -> _Plan:
    """The plan of a passage for one statement: that somebody said it stays true where what was said is false."""
    if hearsay(statement):
        return _Plan(passage)
    told = plan.reported[0] if plan.reported else plan.whole
    who = teller(statement)
    if not who or not (plan.means or plan.silent or plan.reported):
        return plan
    if any(who & teller(sentence) for sentence in sentences(told)):
        return replace(plan, reported=(told,), means=Meaning.TRUE) if plan.means else _Plan(passage)
    # “Posts say that the agency said it. This is false.” is about the agency; else nobody knows whose words are meant.
    return replace(plan, means=Meaning.MISLEADING) if plan.means and not who & content(told) else plan


@lru_cache(_KNOWN)
def _planned(passage: str) -> _Plan:
    parts = sentences(passage)
    if plan := _rated_plan(passage, parts):
        return plan
    verdicts = [verdict(part, before) for before, part in zip(["", *parts], parts, strict=False)]
    at = next((i for i, found in enumerate(verdicts) if found), None)
    if at is None:
        parts = [clause for part in parts for clause in _CLAUSES.split(part)]
        said = [hearsay(part) or asks(part) for part in parts]
        reported, own = (
            " ".join(p for p, only in zip(parts, said, strict=True) if only is kind) for kind in (True, False)
        )
        return _Plan(passage, (reported,), own, silent=not own) if reported else _Plan(passage)
    more = _REST.search(parts[at])
    after = " ".join(([more["rest"]] if more else []) + parts[at + 1 :])
    if at == 0:
        return _planned(after) if after else _Plan(passage, silent=True)
    report = _REPORT.search(parts[at - 1])
    forms = (" ".join(parts[:at]), *([report["what"]] if report else []))
    return _Plan(passage, forms, after, verdicts[at])


def _rated_plan(passage: str, parts: Sequence[str]) -> _Plan | None:
    """The plan of a text with a label before a claim, “FALSE: …”, or with a question and the answer to it."""
    for i, part in enumerate(parts):
        if label := labelled(part):
            return _Plan(passage, (label[0],), " ".join((*parts[:i], *parts[i + 1 :])), label[1])
        if i and asks(parts[i - 1]) and (said := answer(part)):
            means = Meaning.MIXED if denies(parts[i - 1]) else said[0]  # “Was it not sold? No.” may mean either
            own = " ".join(filter(None, (*parts[: i - 1], said[1], *parts[i + 1 :])))
            return _Plan(passage, (parts[i - 1],), own, means)
    return None


def _limited(whole: Stance, supports: float, refutes: float) -> Stance:
    """The stance with no more of either side than this; the rest is open."""
    s, r = min(whole.supports, supports), min(whole.refutes, refutes)
    return Stance(s, r, whole.neutral + whole.supports - s + whole.refutes - r, whole.off_topic)


def _together(verdict: Stance, rest: Stance) -> Stance:
    """What a verdict and what follows it say together: either side as plainly as the plainer of the two says it."""
    supports, refutes = max(verdict.supports, rest.supports), max(verdict.refutes, rest.refutes)
    if (sides := supports + refutes) >= 1.0:
        return Stance(supports / sides, refutes / sides, 0.0, 0.0)
    off_topic = min(verdict.off_topic, rest.off_topic, 1.0 - sides)
    return Stance(supports, refutes, 1.0 - sides - off_topic, off_topic)
