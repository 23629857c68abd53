"""What the rules of step 1 leave open: clauses that no rule found an opinion in, read by the claim classifier."""

from collections.abc import Callable, Sequence
from dataclasses import replace

from ghost.judges.claims import loaded
from ghost.judges.claims.factual_part import factual_part
from ghost.judges.claims.reader import Reading, ReadsClaims
from ghost.judges.claims.taste import is_checkable_superlative
from ghost.judges.claims.weighed import Kind, Weighed

OPINION_LINE = 0.9
"""Probability at which a clause that no rule objects to is an opinion and ends there. On folds of the training examples
one fact in 130 reaches it (``stopped_0.9`` in the manifest): to stop a fact costs more than to look at an opinion."""
MIXED_LINE = 0.7
"""Probability at which a clause is taken to judge while it tells; chosen on folds of the training examples too."""
CUT_LINE = 0.8
"""Probability at which it is also cut to its factual part: a wrong cut changes the claim, a wrong type does not."""
MARKED_LINE = 0.5
"""The same two where a word of judgement stands in the clause; judging without one is rare."""
_MOST = 24
"""Clauses that are read; a claim with more is an article, and only its first statements are checked anyway."""


def settle(
    text: str, parts: Sequence[Weighed], reader: ReadsClaims, check: Callable[[], None] = lambda: None
) -> tuple[list[Weighed], float]:
    """The clauses with what the classifier makes of the open ones, and the check-worthiness of the whole text.

    Raises ModelError, and what ``check`` raises, which is called between two clauses.
    """
    asked = [p for p in parts if p.kind is Kind.FACT][:_MOST]
    texts = list(dict.fromkeys([text, *(p.core for p in asked)]))
    readings = dict(zip(texts, reader.read(texts), strict=True))
    worth = round(readings[text].check_worthiness, 4)
    out: list[Weighed] = []
    for part in parts:
        check()
        reading = readings.get(part.core) if part.kind is Kind.FACT else None
        out += [part] if reading is None else _read(part, reading, reader)
    return out, worth


def _read(part: Weighed, reading: Reading, reader: ReadsClaims) -> list[Weighed]:
    judging = reading.opinion + reading.mixed
    if part.taste:
        # The rules have taken the judging words out already.
        return [replace(part, confidence=round(max(part.confidence, 1 - reading.ambiguous), 2))]
    if is_checkable_superlative(part.core):
        return [part]
    is_loaded = loaded.is_loaded(part.core)
    line, cut_line = (MARKED_LINE, MARKED_LINE) if is_loaded else (MIXED_LINE, CUT_LINE)
    if judging >= cut_line and reading.opinion < OPINION_LINE:
        core = factual_part(part.core, reader)
        if core:
            return [Weighed(Kind.FACT, round(judging, 2), "", core=core, taste=_left_out(part.core, core))]
    if reading.opinion >= OPINION_LINE:
        return [
            Weighed(
                Kind.OPINION,
                round(reading.opinion, 2),
                f"“{_short(part.core)}” reads as a judgement, not as something that evidence can settle.",
                "Name a measure that others can check: a number, a date, an event, a ranking or a survey.",
                taste=_short(part.core),
            )
        ]
    if judging >= line:
        # In doubt, or nothing could be cut off: the clause is checked as it stands, and the type says that it judges.
        return [replace(part, confidence=round(max(reading.mixed, 0.5), 2), taste=_short(part.core))]
    sure = min(part.confidence, max(0.5, 1 - judging))
    return [replace(part, confidence=round(sure, 2))]


def _left_out(clause: str, core: str) -> str:
    """The words of the clause that the core does not have, as far as they stand together; else the clause."""
    kept = {w.strip(".,;:!?").casefold() for w in core.split()}
    gone = [w for w in clause.split() if w.strip(".,;:!?").casefold() not in kept]
    return _short(" ".join(gone).strip(" ,;:–—-.")) or _short(clause)


def _short(text: str) -> str:
    return text if len(text) <= 80 else text[:77] + "…"
