"""What a report on a run shows, part by part; the templates say how."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from ghost.reports.disclosure import left_the_machine
from ghost.reports.evidence import (
    NOT_USED,
    EvidenceCard,
    decisive_cards,
    evidence_cards,
    evidence_sides,
    unused_sources,
)
from ghost.reports.formatting import confidence, leaning, money, on_topic, origins_line, quote_spans, scope
from ghost.reports.investigation import (
    any_search_answered,
    archived_copy,
    fact_check_coverage,
    fact_checks,
    may_search,
    named_pages,
    page_notices,
    page_outcome,
)
from ghost.reports.verdict_notes import (
    failure,
    pipeline_note,
    reasons_heading,
    remarks,
    verdict_lines,
    what_would_change,
)
from ghost.text import one_line
from ghost.types import DECIDED, Citation, Run, StanceLabel
from ghost.web import reviewer_of

MOST_UNUSED = 20
"""Pages that are listed though they were not used."""


@dataclass(frozen=True, slots=True)
class PassageView:
    """A passage of the evidence with its quotes and what is known of its page."""

    card: EvidenceCard
    text: tuple[tuple[str, bool], ...]
    """Its pieces in order, each with whether the verdict quotes it."""
    notices: Sequence[tuple[str, str]]
    archived: str
    """Address of a copy, or where to look for one; empty for what is not cited from the web."""
    archived_at: datetime | None


def report_values(run: Run) -> dict[str, Any]:
    """The parts of a report on a run, complete or as far as it got, by their names in the templates."""
    verdict, steps = run.verdict, run.steps
    citations = verdict.citations if verdict else ()
    made = evidence_cards(run.evidence, citations)
    shown = decisive_cards(made, citations)
    balance = evidence_sides(made, citations)
    searched = any_search_answered(steps)
    reviews = [row for row in fact_checks(run) if searched and row.get("statement")]
    left_out = unused_sources(run.evidence, steps)
    why = reasons_heading(verdict, run.review.override) if verdict else ""
    return {
        "run": run,
        "scope": [*scope(run.settings, run.classification), *pipeline_note(run)],
        "failure": failure(run),
        "verdicts": verdict_lines(run),
        "decided": verdict is not None and verdict.label in DECIDED,
        "leaning": leaning(verdict.leaning) if verdict else "",
        "sides": balance,
        "bar": [side for side in balance if side.stance is not StanceLabel.NEUTRAL],
        "explanation": list(_explanation(run)),
        "statements": list(_statements(run)),
        "why": why,
        "reasons": [reason.text for reason in verdict.reasons] if verdict and why else [],
        "changes": what_would_change(run.claim, verdict, run.evidence, may_search(run)) if verdict and why else [],
        "remarks": remarks(run),
        "shown": shown,
        "folded": evidence_sides([card for card in made if card not in shown], citations),
        "passages": _passages(run, made),
        "evidence": on_topic(run.evidence),
        "origins": origins_line(run.evidence),
        "rejected": [c for c in citations if not c.accepted],
        "coverage": fact_check_coverage(steps, bool(reviews)) if searched else [],
        "fact_checks": [
            (reviewer_of(row), row.get("claim") or "", row.get("rating") or "without a rating", row.get("url") or "")
            for row in reviews
        ],
        "added": [(str(row.get("url") or ""), page_outcome(row)) for row in named_pages(steps)],
        "unused_title": NOT_USED,
        "unused": left_out[:MOST_UNUSED],
        "unused_passages": sum(row.passages for row in left_out),
        "unused_more": max(0, len(left_out) - MOST_UNUSED),
        "disclosure": left_the_machine(run),
        "spent": money(run.usage.tokens, run.usage.cost_usd, run.usage.unpriced_tokens) if run.usage.tokens else "",
    }


def _explanation(run: Run) -> Iterator[tuple[str, int]]:
    """The explanation in pieces: words with 0, and marks with the number of evidence that is in the report."""
    numbers = {e.number for e in on_topic(run.evidence)}
    for piece in re.split(r"(\[[0-9]{1,6}\])", one_line(run.verdict.explanation) if run.verdict else ""):
        number = int(piece[1:-1]) if re.fullmatch(r"\[[0-9]+\]", piece) else 0
        if number in numbers:
            yield f"[{number}]", number
        elif piece:
            yield piece, 0


def _statements(run: Run) -> Iterator[tuple[str, str, str]]:
    """Each statement of a claim that has several, with its verdict, and its confidence or what it leans to."""
    statements = run.classification.statements if run.classification else ()
    decided = {s.statement: s for s in run.verdict.statements} if run.verdict else {}
    for s in statements if len(statements) > 1 else ():
        found = decided.get(s.number)
        beside = (confidence(found) or leaning(found.leaning)) if found else ""
        yield s.text, found.label.value if found else "", beside


def _passages(run: Run, made: Sequence[EvidenceCard]) -> dict[int, PassageView]:
    noticed, found = page_notices(run.steps), {}
    for card in made:
        cited = [c for c in (run.verdict.citations if run.verdict else ()) if c.n == card.number and c.accepted]
        found[card.number] = PassageView(
            card,
            tuple(_pieces(card.main.passage.text, cited)),
            noticed.get(card.main.passage.source_url, ()),
            archived_copy(cited[0], card.main.passage.origin) if cited else "",
            cited[0].archived_at if cited else None,
        )
    return found


def _pieces(text: str, cited: Sequence[Citation]) -> Iterator[tuple[str, bool]]:
    text, at = one_line(text), 0
    for start, end in quote_spans(text, [one_line(c.quote) for c in cited]):
        yield text[at:start], False
        yield text[start:end], True
        at = end
    yield text[at:], False
