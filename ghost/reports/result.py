"""The canonical result: one run as JSON-safe values. The command line and everything that exports a run use it."""

from dataclasses import asdict
from typing import Any

from ghost.reports.plain import iso, snippet_ids
from ghost.types import Citation, Claim, Classification, Evidence, Reason, Run, Statement, TraceStep, Usage, Verdict


def result(run: Run) -> dict[str, Any]:
    """Everything that is known of a run; ``verdict`` is None where the run ended without one.

    Dates and times are ISO 8601 (times in UTC), enums are their values, unknown dates are None.
    """
    statements = run.classification.statements if run.classification else ()
    citations = run.verdict.citations if run.verdict else ()
    snippets = snippet_ids(run)
    return {
        "run_id": run.id,
        "status": run.status.value,
        "error": run.error,
        "started_at": iso(run.started_at),
        "finished_at": iso(run.finished_at),
        "claim": _claim(run.claim, run.classification),
        "verdict": _verdict(run.verdict, statements) if run.verdict else None,
        "citations": [_citation(c) | {"snippet": c.passage_id in snippets} for c in citations],
        "evidence": [_evidence(e) for e in run.evidence],
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
    }


def _verdict(verdict: Verdict, statements: tuple[Statement, ...]) -> dict[str, Any]:
    texts = {s.number: s.text for s in statements}
    return {
        "label": verdict.label.value,
        "confidence": verdict.confidence,
        "explanation": verdict.explanation,
        "contested": verdict.contested,
        "reasons": _reasons(verdict.reasons),
        "statements": [
            {
                "number": s.statement,
                "text": texts.get(s.statement, ""),
                "label": s.label.value,
                "confidence": s.confidence,
                "support": s.support,
                "refute": s.refute,
                "contested": s.contested,
                "reasons": _reasons(s.reasons),
            }
            for s in verdict.statements
        ],
    }


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
        "retrieved_at": iso(p.retrieved_at),
        "indexed_at": iso(p.indexed_at),
        "stance": {"label": e.stance.label.value, **asdict(e.stance)},
        "relevance": e.relevance,
        "credibility": e.credibility,
        "access_bonus": e.access_bonus,
        "final": e.final,
        "group": e.group,
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
