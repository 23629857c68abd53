"""The canonical result: one run as JSON-safe values. The command line and everything that exports a run use it."""

from dataclasses import asdict
from datetime import date
from enum import Enum
from typing import Any

from ghost.reports.formatting import iso, on_topic, origins_line, snippet_ids
from ghost.reports.investigation import archived_copy, fact_checks, named_pages, page_notices, page_outcome
from ghost.reports.trace import limit_usage
from ghost.types import (
    Citation,
    Claim,
    Classification,
    Evidence,
    Passage,
    Reason,
    Review,
    Run,
    Statement,
    Verdict,
    cited_as,
)

_SCOPES = ("jurisdiction", "time", "population", "method")


def result(run: Run) -> dict[str, Any]:
    """Everything that is known of a run; ``verdict`` is None where the run ended without one.

    ``verdict`` is always the machine's; ``override`` is the analyst's, and ``final_label`` the one that counts.
    Dates and times are ISO 8601 (times in UTC), enums are their values, unknown dates are None.
    """
    statements = run.classification.statements if run.classification else ()
    citations = run.verdict.citations if run.verdict else ()
    passages = {e.passage.id: e.passage for e in run.evidence}
    snippets, noticed = snippet_ids(run), page_notices(run.steps)
    return {
        "run_id": run.id,
        **_fields(run, "status", "error", "started_at", "finished_at"),
        "claim": _claim(run.claim, run.classification),
        "verdict": _verdict(run.verdict, statements) if run.verdict else None,
        "final_label": run.label.value if run.label else None,
        **_review(run.review, run.verdict.label.value if run.verdict else None),
        "citations": [
            _citation(c, passages.get(c.passage_id)) | {"snippet": c.passage_id in snippets} for c in citations
        ],
        "origins": _origins(run),
        "fact_checks": fact_checks(run),
        "links": [
            {name: str(row.get(name) or "") for name in ("url", "state", "why", "verdict")}
            | {"told": page_outcome(row)}
            for row in named_pages(run.steps)
        ],
        "follows": str(run.settings.get("follows") or ""),
        "evidence": [
            _evidence(e) | {"notices": [{"kind": k, "text": t} for k, t in noticed.get(e.passage.source_url, ())]}
            for e in run.evidence
        ],
        "steps": [
            _fields(s, "name", "started_at", "seconds", "decision", "reason", "inputs", "outputs", "tokens", "cost_usd")
            for s in run.steps
        ],
        "usage": _fields(run.usage, "searches", "fetches", "tokens", "cost_usd", "seconds"),
        "unpriced_tokens": run.usage.unpriced_tokens,
        "judge": _fields(run.judge, "name", "model", "route"),
        "pipeline": run.pipeline.value,
        "settings": run.settings,
    }


def trace(run: Run) -> dict[str, Any]:
    """The trace of a run as JSON-safe values: what was done, by whom, with which settings, and what it took."""
    whole = result(run)
    kept = ("run_id", "status", "error", "started_at", "finished_at", "claim", "judge", "usage", "settings", "steps")
    return {name: whole[name] for name in kept} | {
        "verdict": _fields(run.verdict, "label", "confidence") if run.verdict else None,
        "limits": {s.name: s.limit for s in limit_usage(run)},
    }


def _fields(of: object, *names: str) -> dict[str, Any]:
    return {name: _plain(getattr(of, name)) for name in names}


def _plain(value: Any) -> Any:
    """A value as JSON has it."""
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, date):
        return iso(value)
    return list(value) if isinstance(value, tuple) else value


def _claim(claim: Claim, found: Classification | None) -> dict[str, Any]:
    return _fields(claim, "text", "context", "as_of", "found_at") | {
        "type": found.type.value if found else None,
        "type_confidence": found.confidence if found else None,
        "type_reason": found.reason if found else "",
        "check_worthiness": found.check_worthiness if found else None,
        "rephrase": found.rephrase if found else "",
        "statements": [_fields(s, "number", "text") for s in found.statements] if found else [],
        "scopes": [{"statement": s.number, **_fields(s.scopes, *_SCOPES)} for s in found.statements] if found else [],
        "corrected": found is not None and found.extracted is not None,
        "extracted": list(found.extracted) if found and found.extracted is not None else None,
    }


def _verdict(verdict: Verdict, statements: tuple[Statement, ...]) -> dict[str, Any]:
    texts = {s.number: s.text for s in statements}
    return _fields(verdict, "label", "confidence", "explanation", "contested", "truth_percentage", "harm") | {
        "leaning": _fields(verdict.leaning, "label") if verdict.leaning else None,
        "reasons": _reasons(verdict.reasons),
        "statements": [
            {"number": s.statement, "text": texts.get(s.statement, "")}
            | _fields(s, "label", "confidence", "support", "refute", "contested")
            | {"leaning": _fields(s.leaning, "label") if s.leaning else None}
            | {"reasons": _reasons(s.reasons)}
            for s in verdict.statements
        ],
    }


def _reasons(reasons: tuple[Reason, ...]) -> list[dict[str, str]]:
    return [_fields(r, "code", "text", "remedy") for r in reasons]


def _citation(c: Citation, passage: Passage | None) -> dict[str, Any]:
    archived = archived_copy(c, passage.origin if passage else None)
    names = ("n", "statement", "passage_id", "quote", "url", "domain", "title", "published_at")
    return _fields(c, *names, "kind", "intake", "publisher", "stance", "accepted", "why") | {
        "cited_as": cited_as(c),
        "as_of": c.as_of or None,
        "retrieved_at": iso(passage.retrieved_at) if passage else None,
        "indexed_at": iso(passage.indexed_at) if passage else None,
        "archive": {"url": archived, "found": bool(c.archived_url), "taken_at": iso(c.archived_at)}
        if archived
        else None,
    }


def _evidence(e: Evidence) -> dict[str, Any]:
    p = e.passage
    read = ("text", "domain", "title", "publisher", "origin", "snippet", "source_type", "published_at", "as_late_as")
    came = ("kind", "intake", "text_hash", "trusted")
    weighed = ("statement", "relevance", "credibility", "access_bonus", "final", "group", "timing", "time_weight")
    return {
        "n": e.number,
        "passage_id": p.id,
        "url": p.source_url,
        "as_of": p.as_of or None,
        "frame": asdict(p.frame) if p.frame.kind else None,
        "stance": {"label": e.stance.label.value, **asdict(e.stance)},
        "same_origin_because": e.kin,
        "correction": _fields(e.correction, "id", "label", "statement", "at") if e.correction else None,
        **_fields(p, *read, *came, "retrieved_at", "indexed_at", "rated"),
        **_fields(e, *weighed, "rank", "unreadable"),
    }


def _origins(run: Run) -> dict[str, Any]:
    """How many links the evidence has and how many independent origins, and what makes some of them one."""
    evidence = on_topic(run.evidence)
    groups = dict.fromkeys(e.group for e in evidence)
    return {
        "summary": origins_line(run.evidence),
        "independent": len(groups),
        "groups": [
            {
                "group": group,
                "evidence": list(dict.fromkeys(e.number for e in evidence if e.group == group)),
                "why": list(dict.fromkeys(e.kin for e in evidence if e.group == group and e.kin)),
            }
            for group in groups
        ],
    }


def _review(review: Review, machine: str | None) -> dict[str, Any]:
    """``machine`` is the machine's label."""
    override = None
    if review.override and machine:
        confirms = review.override.label.value == machine
        override = _fields(review.override, "label", "reason", "at") | {"confirms": confirms}
    return {
        "override": override,
        "error_reports": [_fields(e, "kind", "note", "at") for e in review.errors],
        "source_marks": [_fields(m, "target", "name", "reason", "at") for m in review.marks],
    }
