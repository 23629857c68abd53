"""The canonical result: one run as JSON-safe values. The command line and everything that exports a run use it."""

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from ghost.reports.formatting import iso, on_topic, origins_line, snippet_ids
from ghost.reports.investigation import archived_copy, fact_checks, named_pages, origins_of, page_notices, page_outcome
from ghost.reports.trace import limit_usage
from ghost.types import (
    Citation,
    Claim,
    Classification,
    Evidence,
    Leaning,
    Origin,
    Reason,
    Review,
    Run,
    Statement,
    TraceStep,
    Usage,
    Verdict,
)


def result(run: Run) -> dict[str, Any]:
    """Everything that is known of a run; ``verdict`` is None where the run ended without one.

    ``verdict`` is always the machine's; ``override`` is the analyst's, and ``final_label`` the one that counts.
    Dates and times are ISO 8601 (times in UTC), enums are their values, unknown dates are None.
    """
    statements = run.classification.statements if run.classification else ()
    citations = run.verdict.citations if run.verdict else ()
    snippets, origins, noticed = snippet_ids(run), origins_of(run), page_notices(run.steps)
    return {
        "run_id": run.id,
        "status": run.status.value,
        "error": run.error,
        "started_at": iso(run.started_at),
        "finished_at": iso(run.finished_at),
        "claim": _claim(run.claim, run.classification),
        "verdict": _verdict(run.verdict, statements) if run.verdict else None,
        "final_label": run.label.value if run.label else None,
        **_review(run.review, run.verdict.label.value if run.verdict else None),
        "citations": [
            _citation(c)
            | {"snippet": c.passage_id in snippets}
            | _read_on(run, c.passage_id)
            | {"archive": _archive(c, origins.get(c.passage_id))}
            for c in citations
        ],
        "origins": _origins(run),
        "fact_checks": fact_checks(run),
        "links": [_link(row) for row in named_pages(run.steps)],
        "follows": str(run.settings.get("follows") or ""),
        "evidence": [
            _evidence(e) | {"notices": [{"kind": k, "text": t} for k, t in noticed.get(e.passage.source_url, ())]}
            for e in run.evidence
        ],
        "steps": [_step(s) for s in run.steps],
        "usage": _usage(run.usage),
        "unpriced_tokens": run.usage.unpriced_tokens,
        "judge": {
            "name": run.judge.name,
            "model": run.judge.model,
            "route": list(run.judge.route),
        },
        "settings": run.settings,
    }


def trace(run: Run) -> dict[str, Any]:
    """The trace of a run as JSON-safe values: what was done, by whom, with which settings, and what it took."""
    whole = result(run)
    kept = ("run_id", "status", "error", "started_at", "finished_at", "claim", "judge", "usage", "settings", "steps")
    return {name: whole[name] for name in kept} | {
        "verdict": None if run.verdict is None else {"label": run.verdict.label, "confidence": run.verdict.confidence},
        "limits": {s.name: s.limit for s in limit_usage(run)},
    }


def _link(row: Mapping[str, Any]) -> dict[str, Any]:
    """A page that the analyst named."""
    return {name: str(row.get(name) or "") for name in ("url", "state", "why", "verdict")} | {"told": page_outcome(row)}


def _archive(c: Citation, origin: Origin | None) -> dict[str, Any] | None:
    """An archived copy, or where to look for one; None for what is not from the web."""
    url = archived_copy(c, origin)
    return {"url": url, "found": bool(c.archived_url), "taken_at": iso(c.archived_at)} if url else None


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


def _read_on(run: Run, passage_id: str) -> dict[str, str | None]:
    """When the passage of a citation was fetched, and when it came into the knowledge base."""
    passage = next((e.passage for e in run.evidence if e.passage.id == passage_id), None)
    return {
        "retrieved_at": iso(passage.retrieved_at) if passage else None,
        "indexed_at": iso(passage.indexed_at) if passage else None,
    }


def _usage(used: Usage) -> dict[str, Any]:
    return {name: value for name, value in asdict(used).items() if name != "unpriced_tokens"}


def _claim(claim: Claim, found: Classification | None) -> dict[str, Any]:
    return {
        "text": claim.text,
        "context": claim.context,
        "as_of": iso(claim.as_of),
        "found_at": claim.found_at,
        "type": found.type.value if found else None,
        "type_confidence": found.confidence if found else None,
        "type_reason": found.reason if found else "",
        "check_worthiness": found.check_worthiness if found else None,
        "rephrase": found.rephrase if found else "",
        "statements": [{"number": s.number, "text": s.text} for s in found.statements] if found else [],
        "corrected": found is not None and found.extracted is not None,
        "extracted": list(found.extracted) if found and found.extracted is not None else None,
    }


def _verdict(verdict: Verdict, statements: tuple[Statement, ...]) -> dict[str, Any]:
    texts = {s.number: s.text for s in statements}
    return {
        "label": verdict.label.value,
        "confidence": verdict.confidence,
        "leaning": _leaning(verdict.leaning),
        "explanation": verdict.explanation,
        "contested": verdict.contested,
        "reasons": _reasons(verdict.reasons),
        "statements": [
            {
                "number": s.statement,
                "text": texts.get(s.statement, ""),
                "label": s.label.value,
                "confidence": s.confidence,
                "leaning": _leaning(s.leaning),
                "support": s.support,
                "refute": s.refute,
                "contested": s.contested,
                "reasons": _reasons(s.reasons),
            }
            for s in verdict.statements
        ],
    }


def _leaning(leaning: Leaning | None) -> dict[str, Any] | None:
    return {"label": leaning.label.value, "probability": leaning.probability} if leaning else None


def _reasons(reasons: tuple[Reason, ...]) -> list[dict[str, str]]:
    return [{"code": r.code.value, "text": r.text, "remedy": r.remedy} for r in reasons]


def _citation(c: Citation) -> dict[str, Any]:
    return {
        "n": c.n,
        "statement": c.statement,
        "passage_id": c.passage_id,
        "quote": c.quote,
        "url": c.url,
        "domain": c.domain,
        "title": c.title,
        "published_at": iso(c.published_at),
        "as_of": c.as_of or None,
        "stance": c.stance.value,
        "accepted": c.accepted,
        "why": c.why,
    }


def _evidence(e: Evidence) -> dict[str, Any]:
    p = e.passage
    return {
        "n": e.number,
        "statement": e.statement,
        "passage_id": p.id,
        "text": p.text,
        "url": p.source_url,
        "domain": p.domain,
        "title": p.title,
        "publisher": p.publisher,
        "origin": p.origin.value,
        "snippet": p.snippet,
        "source_type": p.source_type.value,
        "published_at": iso(p.published_at),
        "as_of": p.as_of or None,
        "as_late_as": iso(p.as_late_as),
        "retrieved_at": iso(p.retrieved_at),
        "indexed_at": iso(p.indexed_at),
        "stance": {"label": e.stance.label.value, **asdict(e.stance)},
        "relevance": e.relevance,
        "credibility": e.credibility,
        "rated": p.rated,
        "access_bonus": e.access_bonus,
        "final": e.final,
        "group": e.group,
        "same_origin_because": e.kin,
        "timing": e.timing.value,
        "time_weight": e.time_weight,
        "rank": e.rank,
    }


def _step(s: TraceStep) -> dict[str, Any]:
    return {
        "name": s.name,
        "started_at": iso(s.started_at),
        "seconds": s.seconds,
        "decision": s.decision,
        "reason": s.reason,
        "inputs": s.inputs,
        "outputs": s.outputs,
        "tokens": s.tokens,
        "cost_usd": s.cost_usd,
    }


def _review(review: Review, machine: str | None) -> dict[str, Any]:
    """The review as JSON-safe values of the canonical result; ``machine`` is the machine's label."""
    override = review.override
    return {
        "override": {
            "label": override.label.value,
            "reason": override.reason,
            "at": iso(override.at),
            "confirms": override.label.value == machine,
        }
        if override and machine
        else None,
        "error_reports": [{"kind": e.kind.value, "note": e.note, "at": iso(e.at)} for e in review.errors],
        "source_marks": [
            {"target": m.target, "name": m.name, "reason": m.reason, "at": iso(m.at)} for m in review.marks
        ],
    }
