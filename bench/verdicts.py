"""``python -m ghost bench verdicts``: what the real pipeline makes of claims whose verdict is known."""

import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from bench import metrics
from bench.library import Library, library
from bench.results import Options, Progress, head, percentile, say, side_by_side
from bench.rows import ClaimRow, DocumentRow, Labels, read_claims, read_table
from config import load_settings
from ghost.events import EvidenceWeighed, RunEnded, VerdictReached
from ghost.types import Claim, Evidence, RunStatus, StanceLabel, Verdict
from ghost.workbench import Workbench

Answer = dict[str, Any]
"""What came of one claim."""
FAILED = "failed"
"""What was found where a run ended without a verdict. It is no label, so it is never right."""
_SIDES = (StanceLabel.SUPPORTS.value, StanceLabel.REFUTES.value)


def verdicts(claims: Path, corpus: Path | None, options: Options) -> dict[str, Any]:
    """Measure and return the result as one JSON object; without a corpus the seed facts are the evidence.

    Raises DataError on files that cannot be used, ConfigError and GhostError.
    """
    own = load_settings()
    table = read_claims(claims)
    labels = Labels.of(table)
    drawn = table.sample(options.limit, options.seed)
    documents = read_table(corpus, DocumentRow) if corpus else None
    result = head(
        "verdicts", options.command, own,
        seed=options.seed, limit=options.limit, workers=options.workers, claims=drawn.described,
    )  # fmt: skip
    settings = own.model_copy(update={"judge": options.judge or own.judge})
    with library(settings, documents, options.workers, Progress()) as opened:
        kept, judge = opened.workbench.tools.settings, opened.workbench.judge_info
        say(f"Verifying {len(drawn.rows):,} claims over {opened.corpus['passages']:,} passages; judge {judge.name}.")
        found = side_by_side(lambda row: asked(opened, row), drawn.rows, options.workers, "Claims")
        result |= {
            "judge": {"name": judge.name, "model": judge.model, "route": list(judge.route)},
            "corpus": opened.corpus,
            "models": kept["models"],
            "odds": kept["odds"],
            **figures(drawn.rows, found, labels, options.seed),
        }
    return result


def asked(opened: Library, row: ClaimRow) -> Answer:
    """Verify one claim and keep what the figures need."""
    verdict, evidence, ended, seconds = _run(opened.workbench, row.claim)
    stopped = ended is None or ended.status is not RunStatus.FINISHED or verdict is None
    return {
        "label": None if stopped or verdict is None else verdict.label.value,
        "confidence": None if stopped or verdict is None else verdict.confidence,
        "error": ((ended.error if ended else "") or "The run ended without a verdict.") if stopped else "",
        "seconds": seconds,
        "cost_usd": ended.usage.cost_usd if ended else 0.0,
        "evidence": opened.ranked([e.passage.id for e in evidence]),
        "citations": [
            {
                "documents": list(opened.documents.get(c.passage_id, ())),
                "stance": c.stance.value,
                "accepted": c.accepted,
            }
            for c in (verdict.citations if verdict and not stopped else ())
        ],
    }


def figures(rows: Sequence[ClaimRow], found: Sequence[Answer], labels: Labels, seed: int) -> dict[str, Any]:
    """All figures of a result. A run that failed counts as wrong; what is said of confidence is of decided claims."""
    gold = [labels.wanted(row.label) for row in rows]
    given = [labels.found(answer["label"]) if answer["label"] else FAILED for answer in found]
    right = [g == f for g, f in zip(gold, given, strict=True)]
    answered = [i for i, answer in enumerate(found) if answer["label"]]
    sure = {i: answer["confidence"] for i, answer in enumerate(found) if answer["confidence"] is not None}
    rated = list(sure)  # an abstention has no confidence that could be right or wrong
    shares = {i: share for i, row in enumerate(rows) if (share := _evidence_found(row, found[i])) is not None}
    decided = [i for i in answered if given[i] in labels.decisive]

    def over(figure: Callable[[Sequence[str], Sequence[str]], float]) -> Callable[[Sequence[int]], float]:
        return lambda drawn: figure([gold[i] for i in drawn], [given[i] for i in drawn])

    def of_confidence(figure: Callable[[Sequence[float], Sequence[bool]], float]) -> Callable[[Sequence[int]], float]:
        return lambda drawn: figure([sure[rated[i]] for i in drawn], [right[rated[i]] for i in drawn])

    seconds = [answer["seconds"] for answer in found]
    result: dict[str, Any] = {
        "n": len(rows),
        "failed": [{"id": row.id, "error": a["error"]} for row, a in zip(rows, found, strict=True) if a["error"]],
        "labels": labels.described,
        "accuracy": metrics.accuracy(gold, given),
        "macro_f1": metrics.macro_f1(gold, given),
        "by_class": _rounded(metrics.by_class(gold, given)),
        "confusion": metrics.confusion(gold, given),
        "decided": {
            "n": len(decided),
            "share": round(len(decided) / len(rows), 4),
            "accuracy": metrics.mean([float(right[i]) for i in decided]) if decided else None,
        },
        "evidence_recall": metrics.mean(list(shares.values())) if shares else None,
        "claims_with_gold_evidence": len(shares),
        "citations": _citations(rows, found),
        "seconds_p50": round(percentile(seconds, 50), 4),
        "seconds_p95": round(percentile(seconds, 95), 4),
        "cost_usd_per_claim": round(sum(answer["cost_usd"] for answer in found) / len(found), 6),
        "ece": None,
        "ece_if_perfect": None,
        "brier": None,
        "coverage_accuracy": [],
        "reliability": [],
        "intervals": metrics.intervals(
            len(rows), [("accuracy", over(metrics.accuracy)), ("macro_f1", over(metrics.macro_f1))], seed
        ),
    }
    if rated:
        confidences, hits = list(sure.values()), [right[i] for i in rated]
        result |= {
            "ece": metrics.ece(confidences, hits),
            "ece_if_perfect": metrics.ece_if_perfect(confidences, seed),
            "brier": metrics.brier(confidences, hits),
            "coverage_accuracy": metrics.coverage_accuracy(confidences, hits),
            "reliability": metrics.reliability(confidences, hits),
        }
        result["intervals"] |= metrics.intervals(
            len(rated), [("ece", of_confidence(metrics.ece)), ("brier", of_confidence(metrics.brier))], seed
        )
    if shares:
        values = list(shares.values())
        result["intervals"] |= metrics.intervals(
            len(values), [("evidence_recall", lambda drawn: sum(values[i] for i in drawn) / len(drawn))], seed
        )
    return result


def _run(workbench: Workbench, claim: str) -> tuple[Verdict | None, tuple[Evidence, ...], RunEnded | None, float]:
    verdict: Verdict | None = None
    evidence: tuple[Evidence, ...] = ()
    ended: RunEnded | None = None
    started = time.perf_counter()
    for event in workbench.verify(Claim(claim)):
        match event:
            case EvidenceWeighed():
                evidence = event.evidence
            case VerdictReached():
                verdict = event.verdict
            case RunEnded():
                ended = event
    return verdict, evidence, ended, time.perf_counter() - started


def _evidence_found(row: ClaimRow, answer: Answer) -> float | None:
    """Share of the documents that take a side on the claim which became evidence; None when there are none."""
    sides = {gold.doc_id for gold in row.gold if gold.label.upper() in _SIDES}
    return len(sides.intersection(answer["evidence"])) / len(sides) if sides else None


def _citations(rows: Sequence[ClaimRow], found: Sequence[Answer]) -> dict[str, Any]:
    """How many citations the judge proposed and the gate accepted, and whether they say what the file says.

    Compared are those accepted citations that take a side, of documents whose label the file knows. A citation of
    something neutral claims nothing that could be wrong, and another sentence of that document may take a side.
    """
    proposed = [(row, c) for row, answer in zip(rows, found, strict=True) for c in answer["citations"]]
    accepted = [(row, c) for row, c in proposed if c["accepted"]]
    agrees = []
    for row, citation in accepted:
        gold = {one.doc_id: one.label.upper() for one in row.gold if one.label}
        if citation["stance"] in _SIDES and (known := {gold[i] for i in citation["documents"] if i in gold}):
            agrees.append(float(citation["stance"] in known))
    return {
        "proposed": len(proposed),
        "accepted": len(accepted),
        "of_gold_documents": len(agrees),
        "stance_agrees_with_gold": metrics.mean(agrees) if agrees else None,
    }


def _rounded(scores: dict[str, dict[str, float]]) -> dict[str, dict[str, float]]:
    return {label: {name: round(value, 4) for name, value in row.items()} for label, row in scores.items()}
