"""How every report and page writes things down: dates, sources, numbers, confidence, and where quotes are in a text."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import UTC, date, datetime
from typing import Any, Protocol

from ghost.text import one_line
from ghost.types import (
    DECIDED,
    Citation,
    Classification,
    Evidence,
    Harm,
    Intake,
    Kind,
    Label,
    Leaning,
    Passage,
    Run,
    StanceLabel,
    StatementVerdict,
    Timing,
    Verdict,
    cited_as,
    in_own_words,
)

SNIPPET = "search snippet, page not read"
"""What a reader must know of evidence that a search engine showed."""
_INTAKES = {
    Intake.READ: "read by Ghost on {}",
    Intake.READ_EARLIER: "read by an earlier version, text not kept",
    Intake.ENTERED: "entered by hand, not checked against the page yet",
}

TIMINGS = {
    Timing.FINE: "",
    Timing.UNDATED: "without a date, counts less",
    Timing.OUTDATED: "older than what contradicts it, counts less",
    Timing.OLD: "too old to settle it",
    Timing.OVER: "does not say what holds now",
}
"""What the date of a piece of evidence means, in words."""


UNREADABLE = "Ghost could not read this passage"
"""Of evidence that the stance model read against its own words."""
READINGS = {
    StanceLabel.SUPPORTS: "supports",
    StanceLabel.REFUTES: "contradicts",
    StanceLabel.NEUTRAL: "neither supports nor contradicts",
}
"""What a person says that a passage does to a statement."""


def remark(e: Evidence) -> str:
    """What must be known of a piece of evidence besides its stance: who read it, or what its date means; or nothing."""
    if e.correction:
        return f"read by you: {READINGS[e.correction.label]}"
    if e.unreadable:
        return UNREADABLE
    late = e.passage.until
    if e.timing is Timing.UNDATED and e.passage.latest and late:
        return f"may be from as late as {late.isoformat()}, counts less"
    return TIMINGS[e.timing]


def web_address(url: str) -> str:
    """The URL when it is a plain http(s) address that can be printed as one word, else an empty string."""
    return url if re.fullmatch(r"https?://[!-~]+", url, re.IGNORECASE) else ""


def iso(moment: date | datetime | None) -> str | None:
    """A date or a time (in UTC) in ISO 8601; None stays None. Times are kept in UTC, so a bare one is UTC too."""
    if isinstance(moment, datetime):
        return (moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)).isoformat()
    return moment.isoformat() if moment else None


def day(moment: date | datetime | None) -> str:
    """The day for a person; an unknown date is said to be unknown."""
    if isinstance(moment, datetime):
        moment = moment.date()
    return moment.isoformat() if moment else "date unknown"


def dated(of: Passage | Citation) -> str:
    """The date of a source for a person: for when it holds where it says so, and the day of its publication."""
    if not of.as_of:
        return day(of.published_at)
    return f"as of {of.as_of}" + (f", published {day(of.published_at)}" if of.published_at else "")


def published(of: Passage | Citation) -> str:
    """The same where it stands alone: ``published 2020-01-01``, or ``as of 2024``."""
    return f"published {day(of.published_at)}" if of.published_at and not of.as_of else dated(of)


def credibility(e: Evidence) -> str:
    """How far the source is believed; that nobody has rated it is said, since the number is that of all such."""
    if e.passage.library_rating is not None:
        return f"{e.credibility:.2f} (library)"
    return f"{e.credibility:.2f}" if e.passage.rated else f"{e.credibility:.2f} (unrated)"


def source(of: Passage | Citation) -> str:
    """How to call the source in a list: by its own name only where its words were read there."""
    if not in_own_words(of):
        return one_line(cited_as(of))
    if isinstance(of, Passage):
        return one_line(of.source_name)
    return one_line(of.domain or of.title or "unnamed source")


def heading(of: Passage | Citation) -> str:
    """The title of the page and its source, as a heading; a note has the title where it says what to check."""
    name = source(of)
    own_title = of.title and of.kind is not Kind.NOTE and of.title not in (of.publisher, of.domain)
    return f"{one_line(of.title)}, {name}" if own_title and one_line(of.title) != name else name


def intake(p: Passage, shown: Callable[[date | datetime | None], str] = day) -> str:
    """How a passage came by its words; ``shown`` writes the day."""
    read = _INTAKES[p.intake].format(shown(p.retrieved_at))
    words = SNIPPET if p.snippet else p.kind.value if p.kind is Kind.NOTE else read
    return f"{words}, marked as trusted" if p.trusted else words


def counted(number: int, one: str, many: str) -> str:
    """``1 page was``, ``2 pages were``."""
    return f"{number:,} {one if number == 1 else many}"


def money(tokens: int, cost_usd: float, unpriced: int) -> str:
    """What tokens have cost, without a figure where nobody knows the price."""
    if unpriced >= tokens:
        return f"{tokens:,} tokens, price not known"
    rest = f" and {unpriced:,} tokens whose price is not known" if unpriced else ""
    return f"{tokens:,} tokens, US$ {cost_usd:.4f}{rest}"


def percent(probability: float) -> str:
    """``82%``; never a rounded-up certainty."""
    return f"{min(round(probability * 100), 99 if probability < 1 else 100)}%"


def snippet_ids(run: Run) -> frozenset[str]:
    """Ids of the evidence that is only what a search engine showed of a page."""
    return frozenset(e.passage.id for e in run.evidence if e.passage.snippet)


def on_topic(evidence: Sequence[Evidence]) -> tuple[Evidence, ...]:
    """The evidence without what is off topic, which is no evidence; runs of older versions kept it among it."""
    return tuple(e for e in evidence if e.stance.label is not StanceLabel.OFF_TOPIC)


def origins_line(evidence: Sequence[Evidence]) -> str:
    """``6 links, 2 independent origins``: how many places say it, and how many of them on their own.

    Passages without an address count by their document, that is, by title, or else each on its own. Empty without
    any evidence that is on the topic.
    """
    evidence = on_topic(evidence)
    if not evidence:
        return ""
    places = {e.passage.source_url or e.passage.title or e.passage.id for e in evidence}
    groups = {e.group for e in evidence}
    links = counted(len(places), "link", "links")
    return f"{links}, {counted(len(groups), 'independent origin', 'independent origins')}"


def scope(settings: Mapping[str, Any], found: Classification | None) -> list[str]:
    """What the analyst has set for this run besides the claim, one sentence each: sites, and corrected statements."""
    notes = []
    for key, words in (("allowed_here", "Only these sites were searched"), ("denied_here", "Sites left out")):
        if sites := settings.get(key):
            notes.append(f"{words}: {', '.join(map(str, sites))}")
    if found and found.extracted is not None:
        said = "; ".join(f"“{text}”" for text in found.extracted) or "nothing to check"
        notes.append(f"The analyst corrected the statements; step 1 had extracted: {said}")
    return notes


_LEVELS = ((0.9, "High"), (0.75, "Medium"), (0.0, "Low"))
"""What confidence is called from which share on."""
NOT_MEASURED = "Confidence not measured for this model"


class Judged(Protocol):
    """What has a label and its confidence: a verdict, or a row of a list."""

    @property
    def label(self) -> Label | None: ...
    @property
    def confidence(self) -> float | None: ...


def confidence(of: Judged) -> str:
    """``High confidence (92%)``; empty for an abstention, which has a reason instead."""
    if of.label not in DECIDED:
        return ""
    if of.confidence is None:
        # Without a basis it rests on how somebody reads a passage, and of a statement that is not known.
        by_model = not isinstance(of, StatementVerdict) and of.label in (Label.TRUE, Label.FALSE)
        if isinstance(of, Verdict) and of.basis is None and of.probability is not None:
            by_model = False
        return NOT_MEASURED if by_model else "Confidence not measured for this verdict"
    level = next(word for least, word in _LEVELS if round(of.confidence, 2) >= least)
    return f"{level} confidence ({percent(of.confidence)})"


def of_100(share: float) -> str:
    """The same number as a sentence."""
    return f"Of 100 verdicts like this one, {percent(share)[:-1]} were right."


def truth(percentage: float | None) -> str:
    """``97% true``; empty without a figure."""
    return "" if percentage is None else f"{percentage:.0f}% true"


def harm(found: Harm | None) -> str:
    """``high potential harm``; empty for low harm, and without an assessment."""
    return f"{found.value} potential harm" if found and found is not Harm.LOW else ""


_LEANS = {
    Label.TRUE: "true",
    Label.FALSE: "false",
    Label.PARTIALLY_TRUE: "partially true",
    Label.MISLEADING: "misleading",
}


def leaning(found: Leaning | None) -> str:
    """``leans towards false``: small grey text in the report on an abstention, never a verdict; empty without one.

    Lists, headings and whatever else stands for the verdict leave it out.
    """
    return f"leans towards {_LEANS[found.label]}" if found else ""


_TYPOGRAPHY = str.maketrans({"\u2018": "'", "\u2019": "'", "\u201c": '"', "\u201d": '"', "\u00a0": " "})


def quote_spans(text: str, quotes: Iterable[str]) -> list[tuple[int, int]]:
    """Beginning and end of each quote in the text, in order, overlapping ones as one.

    Both have to be on one line already; typographic quotes count as plain ones. A quote that is not in the text, or
    is empty, has no place.
    """
    searched = text.translate(_TYPOGRAPHY)
    found = ((searched.find(quote.translate(_TYPOGRAPHY)), len(quote)) for quote in quotes if quote)
    places: list[tuple[int, int]] = []
    for start, length in sorted(hit for hit in found if hit[0] >= 0):
        if places and start <= places[-1][1]:
            places[-1] = (places[-1][0], max(places[-1][1], start + length))
        else:
            places.append((start, start + length))
    return places
