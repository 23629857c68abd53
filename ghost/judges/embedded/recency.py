"""What the date of a piece of evidence means: little for what always holds, much for what may have changed since.

The rule is small so that anyone can follow it, and it only ever takes weight away:

1. Under an as-of date, evidence that may be from later counts ``UNDATED_WEIGHT``: it has no date, its page was changed
   after that day, its date is a guess, or it holds for a month or a year that ends after that day.
2. For a statement about the present that sources contradict each other on, and for one of which a source says that it
   is no longer so, a source counts ``OUTDATED_WEIGHT`` when one of the other side is newer by more than ``GAP`` and of
   no lower standing; without a date it counts ``UNDATED_WEIGHT`` beside a dated one. Standing matters because anybody
   can put today's date on a page.
3. Where what is said holds for a while only (an office, a price, a population) and everything that takes a side is
   older than ``OLD``, nothing is settled: the reason says how old the newest is.
4. What holds from a later year on than that of the as-of date takes no side on a statement about the present. What is
   over, and an office that is not held yet, the stance model reads rightly by itself.

The date of a fact that says for which year, month or day it holds is that one, whenever it was published. A year is
only newer or older than another date when all of it is.
"""

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import date, timedelta

from ghost.judges.embedded.odds import TAKES_SIDE, says
from ghost.judges.embedded.polarity import OVER, SAME_WORDS, content
from ghost.knowledge import sentences
from ghost.text import PARTICIPLES
from ghost.types import Evidence, StanceLabel, Statement, Timing

UNDATED_WEIGHT = 0.9
OUTDATED_WEIGHT = 0.25
OLD_WEIGHT = 0.8
GAP = timedelta(days=30)
"""Closer dates do not tell which of two sources is the newer."""
OLD = timedelta(days=730)
MIN_PARTICIPLE = 4
"""Letters that a word in "ed" must exceed to be a participle and not a bed or a seed."""
STANDING = 0.1
"""So much less credible than what it contradicts a newer source may be."""

_OFFICES = (
    "president|prime minister|premier|chancellor|king|queen|monarch|pope|mayor|governor|senator|minister|secretary of|"
    "ceo|chief executive|chair(?:man|woman|person)?|head|leader|director|captain|coach|manager|speaker|"
    "ambassador|champion"
)
_NOW = re.compile(
    r"\b(?:currently|now|nowadays|today|at present|presently|at the moment|latest|newest|most recent|current|incumbent|"
    r"reigning|to date|so far|this (?:year|month|week)|right now|as of today)\b",
    re.IGNORECASE,
)
_PASSING = re.compile(
    r"\b(?:is|are|isn't|serves as|remains)\s+(?:not\s+)?(?:the\s+|an?\s+|still\s+)?(?:[\w-]+\s+){0,3}"
    rf"(?:{_OFFICES})\b|"
    rf"\bthe\s+(?:[\w-]+\s+){{0,2}}(?:{_OFFICES})\b(?:\s+(?:of|for)\s[^.,;]{{1,40}})?\s+(?:is|are)\b|"
    r"\b(?:holds|hold) (?:the )?(?:office|post|position|title)\b|\b(?:leads|heads|governs|rules|chairs|coaches)\b|"
    r"\bpopulation\b|\binhabitants\b|\bresidents\b|\bpeople live\b|"
    # "The repair cost 31 million" is over; "repairs cost 31 million" may not be.
    r"\b(?:costs|cost of|price of|priced at|exchange rate)\b|(?<=s )(?<!this )cost\b|"
    r"\b(?:unemployment|inflation|interest) rate\b|\bstill\b|"
    r"\b(?:is|are)\s+(?:not\s+|still\s+|no longer\s+)?(?:open|closed|banned|legal|illegal|alive|married|single|"
    r"for sale|available|in force|under construction|missing|suspended|on strike|in prison|at war|bankrupt|empty|"
    r"free to use)\b|"
    r"\bno longer\b",
    re.IGNORECASE,
)
_RECORDS = re.compile(
    r"\brecords?\b|\b(?:largest|biggest|tallest|highest|fastest|richest|longest|oldest|youngest|deepest|smallest|"
    r"strongest|heaviest|most \w+)\b",
    re.IGNORECASE,
)
_UP_TO_NOW = re.compile(
    r"\b(?:has|have|hasn't|haven't)\s+(?:(?:not|never|now|already|since|also|just|finally)\s+){0,2}(?:been\s+)?(?P<did>[a-z]+)\b"
)
"""What has been done by now may not have been when an older source wrote."""
_PAST = re.compile(r"\b(?:was|were|wasn't|weren't|had|became|used to)\b|\b(?:1\d|20)\d\d\b", re.IGNORECASE)


_A_YEAR = r"\b((?:1\d|20)\d\d)\b(?!\s*(?:[%°]|m\b|km\b|people\b|[a-z]{4,}s\b))"
"""A year, and not so many metres or people."""
_BEGINS = re.compile(rf"\b(?:since|from|as of|starting|beginning|effective)\b[^.;:()]{{0,25}}?{_A_YEAR}", re.IGNORECASE)
"""A period with its beginning."""


def about_the_present(statement: str) -> bool:
    """Whether an older source may have been right to say otherwise: on an office, a record, a deed done by now."""
    if any(_done(m["did"]) for m in _UP_TO_NOW.finditer(statement)):
        return True
    return passing(statement) or (_RECORDS.search(statement) is not None and not _PAST.search(statement))


def _done(word: str) -> bool:
    """Whether what follows "has" is a participle and not a thing that somebody has."""
    return word in PARTICIPLES or (word.endswith("ed") and len(word) > MIN_PARTICIPLE)


def passing(statement: str) -> bool:
    """The narrower kind: what is expected to change within years, so that old evidence alone settles nothing."""
    if _NOW.search(statement):
        return True
    return _PASSING.search(statement) is not None and not _PAST.search(statement)


def timed(statement: Statement, evidence: Sequence[Evidence], as_of: date | None, today: date | None) -> list[Evidence]:
    """The evidence for one statement with what its dates mean; ``today`` is the day of the run."""
    day = as_of or today
    evidence = _without_future(evidence, statement.text, day) if day else evidence
    marked = [_undated(e) if as_of and e.timing is not Timing.OVER and _may_be_later(e, as_of) else e for e in evidence]
    over = not _PAST.search(statement.text) and any(_says_over(e, statement.text) for e in marked)
    if not over and not about_the_present(statement.text):
        return marked
    takers = {side: [e for e in marked if _takes(e, side)] for side in (StanceLabel.SUPPORTS, StanceLabel.REFUTES)}
    against = {
        StanceLabel.SUPPORTS: takers[StanceLabel.REFUTES],
        StanceLabel.REFUTES: takers[StanceLabel.SUPPORTS],
    }
    marked = [_beside(e, against[e.stance.label]) if _sided(e) else e for e in marked]
    dates = [e.passage.latest for side in takers.values() for e in side]
    if day and dates and passing(statement.text) and all(d and day - d > OLD for d in dates):
        marked = [
            replace(e, timing=Timing.OLD, time_weight=OLD_WEIGHT) if _sided(e) and e.timing is Timing.FINE else e
            for e in marked
        ]
    return marked


def _without_future(evidence: Sequence[Evidence], statement: str, day: date) -> list[Evidence]:
    """The evidence, of which what begins after a day takes no side on what holds on it."""
    if _PAST.search(statement):
        return list(evidence)
    return [e if e.correction or not _begins_later(e, statement, day) else _over(e) for e in evidence]


def _over(e: Evidence) -> Evidence:
    return replace(e, stance=e.stance.at_most(0.0, 0.0), timing=Timing.OVER)


def _begins_later(e: Evidence, statement: str, day: date) -> bool:
    """Whether what a passage says of a statement's matter holds only from a later year on."""
    if not any(int(found[1]) > day.year for found in _BEGINS.finditer(e.passage.text)):
        return False
    wanted = content(statement)
    same = [part for part in sentences(e.passage.text) if len(content(part) & wanted) >= SAME_WORDS * len(wanted)]
    return any(int(found[1]) > day.year for part in same for found in _BEGINS.finditer(part))


def _beside(e: Evidence, against: Sequence[Evidence]) -> Evidence:
    """A piece of evidence weighed beside what contradicts it."""
    mine = e.passage.latest
    rivals = [o for o in against if o.credibility >= e.credibility - STANDING]
    dates = [d for o in rivals if (d := o.passage.earliest)]
    if not dates:
        return e
    if mine is None:
        return _undated(e)
    if max(dates) - mine > GAP:
        return replace(e, timing=Timing.OUTDATED, time_weight=OUTDATED_WEIGHT)
    return e


def _may_be_later(e: Evidence, as_of: date) -> bool:
    return e.passage.latest is None or (e.passage.until or as_of) > as_of


def _undated(e: Evidence) -> Evidence:
    return replace(e, timing=Timing.UNDATED, time_weight=UNDATED_WEIGHT)


def _sided(e: Evidence) -> bool:
    return _takes(e, StanceLabel.SUPPORTS) or _takes(e, StanceLabel.REFUTES)


def _says_over(e: Evidence, statement: str) -> bool:
    """Whether a passage contradicts a statement with a sentence on its matter that says that something is over."""
    about = content(statement)
    return _takes(e, StanceLabel.REFUTES) and any(
        OVER.search(part) and content(part) & about for part in sentences(e.passage.text)
    )


def _takes(e: Evidence, side: StanceLabel) -> bool:
    """As the decision sees it, so that what decides nothing makes nothing else count less."""
    return e.stance.label is side and says(e, side) >= TAKES_SIDE
