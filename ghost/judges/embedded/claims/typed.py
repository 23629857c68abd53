"""What the claim classifier makes of a claim: its type, and which of its clauses are left to be checked."""

from collections.abc import Callable, Sequence

from ghost.judges.embedded.claims.factual_part import factual_part, without_frame
from ghost.judges.embedded.claims.reader import Reading, ReadsClaims
from ghost.types import ClaimType, Classification, ReasonCode, Statement

MAX_STATEMENTS = 8
"""More parts than this make no claim but an article; the rest is left out and the reason says so."""
STOPS = 0.5
"""Probability of an opinion, or of saying too little, at which a run ends: in the text as it was pasted, in its clauses
together, and in each of them."""
LEFT_OUT = 0.8
"""A clause among others is left out from this probability of an opinion on: a wrong cut changes the claim, a wrong type
does not."""
CUT = 0.6
"""A clause is cut to its factual part, if it has one, from this probability of judging on."""
_MOST = 24
"""Clauses that are read."""


def typed(
    text: str, clauses: Sequence[str], reader: ReadsClaims, check: Callable[[], None] = lambda: None
) -> Classification:
    """The type of a text with these clauses, and the statements they make, as ``reader`` reads them.

    Raises ModelError, and what ``check`` raises, which is called between two clauses.
    """
    said = len(clauses)
    clauses = clauses[:_MOST]
    texts = (text, " ".join(clauses), *clauses)
    unique = list(dict.fromkeys(texts))
    read = dict(zip(unique, reader.read(unique), strict=True))
    whole, together, *each = (read[one] for one in texts)
    readings = (whole, together, *each)
    worth = round(whole.check_worthiness, 4)
    if (sure := min(r.opinion for r in readings)) >= STOPS:
        return _opinion(clauses[0], sure, worth)
    if (sure := min(r.ambiguous for r in readings)) >= STOPS:
        return _too_vague(sure, worth)
    kept: list[str] = []
    left: list[str] = []
    for clause, reading in zip(clauses, each, strict=True):
        check()
        if len(clauses) > 1 and reading.opinion >= LEFT_OUT:
            left.append(_short(clause))
            continue
        core = ""
        if (judges := reading.mixed + reading.opinion) >= STOPS and len(kept) < MAX_STATEMENTS:
            core = factual_part(clause, reader) if judges >= CUT else without_frame(clause, reader)
        if core:
            left.append(_left_out(clause, core))
        kept.append(core or clause)
    if not kept:  # nothing is plainly a fact, and nothing so plainly an opinion that the run would end
        kept, left, mixed = list(clauses), [], True
    else:
        mixed = bool(left) or _judges(whole)
    sure = whole.mixed + whole.opinion if mixed else whole.factual
    return _checkable(kept, left, mixed, max(0.5, sure), worth, said)


def factual(clauses: Sequence[str]) -> Classification:
    """The clauses taken for facts, where nobody reads them."""
    return _checkable(clauses, (), False, 0.7, None, len(clauses))


def _judges(reading: Reading) -> bool:
    return reading.mixed + reading.opinion > reading.factual


def _checkable(
    kept: Sequence[str], left: Sequence[str], mixed: bool, sure: float, worth: float | None, said: int
) -> Classification:
    first: dict[str, str] = {}
    for text in kept:
        first.setdefault(text.casefold(), text)
    texts = list(first.values())
    statements = tuple(Statement(n, text) for n, text in enumerate(texts[:MAX_STATEMENTS], 1))
    what = "one statement" if len(statements) == 1 else f"{len(statements)} statements"
    if left:
        reason = f"It mixes facts and opinion: “{left[0]}” cannot be checked and was left out; {what} can be."
    elif mixed:
        reason = f"It mixes facts and opinion; {what} can be checked, judging words included."
    else:
        reason = f"It makes {what} that evidence can support or refute."
    if len(texts) > MAX_STATEMENTS:
        reason += f" Only the first {MAX_STATEMENTS} of {max(said, len(texts))} statements are checked."
    kind = ClaimType.MIXED if mixed else ClaimType.FACTUAL
    return Classification(kind, round(sure, 2), statements, reason, check_worthiness=worth)


def _opinion(clause: str, sure: float, worth: float) -> Classification:
    return Classification(
        ClaimType.OPINION,
        round(sure, 2),
        (),
        f"“{_short(clause)}” reads as a judgement, not as something that evidence can settle.",
        "Name a measure that others can check: a number, a date, an event, a ranking or a survey.",
        ReasonCode.OPINION,
        check_worthiness=worth,
    )


def _too_vague(sure: float, worth: float) -> Classification:
    return Classification(
        ClaimType.AMBIGUOUS,
        round(sure, 2),
        (),
        "It does not say clearly enough who or what is meant.",
        "Say who or what it is about, what happened, and where or when.",
        ReasonCode.AMBIGUOUS,
        check_worthiness=worth,
    )


def _left_out(clause: str, core: str) -> str:
    """The words of the clause that the core does not have, as far as they stand together; else the clause."""
    kept = {w.strip(".,;:!?").casefold() for w in core.split()}
    gone = [w for w in clause.split() if w.strip(".,;:!?").casefold() not in kept]
    return _short(" ".join(gone).strip(" ,;:–—-.")) or _short(clause)


def _short(text: str) -> str:
    return text if len(text) <= 80 else text[:77] + "…"
