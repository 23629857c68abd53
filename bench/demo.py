"""``python -m ghost bench demo``: live investigations over the demo web, against what is known of its claims."""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from bench.metrics import intervals
from bench.results import Progress, head, percentile
from config import Settings
from ghost.demo_web import DemoClaim, DemoWeb, demo_claims, values
from ghost.events import RunStarted
from ghost.types import Claim, Label, Run, StanceLabel, same_page
from ghost.workbench import Workbench, build

OPEN = (Label.NOT_ENOUGH_EVIDENCE.value, Label.NOT_VERIFIABLE.value)


def demo(limit: int, seed: int, only: Sequence[str] = (), command: str = "") -> dict[str, Any]:
    """Verify the labelled claims with the embedded judge, in the order of the file, in one fresh knowledge base.

    A claim may find what an earlier one has brought in, as an analyst's would. ``only`` takes the claims with these
    ids, ``limit`` so many from the beginning; 0 takes all.
    """
    claims = [c for c in demo_claims() if not only or c.id in only][: limit or None]
    progress = Progress()
    rows = []
    with (
        TemporaryDirectory(prefix="ghost-bench-") as folder,
        DemoWeb(0) as web,
        build(Settings(**values(web, Path(folder).resolve())), judge="embedded") as workbench,
    ):
        models = workbench.tools.settings["models"]
        for done, claim in enumerate(claims, start=1):
            rows.append(_row(claim, _verified(workbench, claim), web))
            progress("Investigating claims", done, len(claims))
    limit = limit or (len(claims) if only else 0)
    about = head("demo", command, models=models, seed=seed, limit=limit)
    return {**about, **figures(rows, seed), "claims": rows}


def figures(rows: Sequence[dict[str, Any]], seed: int) -> dict[str, Any]:
    """What the answers come to: right, open, on a wrong side, and whether what was quoted stands where it should."""
    right = [row["label"] == row["found"] for row in rows]
    decided = [row for row in rows if row["found"] not in OPEN]
    quoted = [row for row in decided if row["label"] == row["found"] and row["pages"]]
    from_right = [bool(row["from_right_pages"]) for row in quoted]

    def accuracy(drawn: Sequence[int]) -> float:
        return sum(right[i] for i in drawn) / len(drawn)

    return {
        "n": len(rows),
        "accuracy": accuracy(range(len(rows))),
        "intervals": intervals(len(rows), [("accuracy", accuracy)], seed),
        "open_though_known": sum(row["found"] in OPEN and row["label"] not in OPEN for row in rows),
        "wrong": sum(row["label"] != row["found"] for row in decided),
        "right_quoting_right_pages": sum(from_right) / len(from_right) if from_right else None,
        "seconds_p50": percentile([row["seconds"] for row in rows], 50),
        "seconds_p95": percentile([row["seconds"] for row in rows], 95),
        "confusion": dict(sorted(Counter(f"{row['label']} > {row['found']}" for row in rows).items())),
    }


def _verified(workbench: Workbench, claim: DemoClaim) -> Run:
    events = list(workbench.verify(Claim(claim.claim, as_of=claim.as_of)))
    started = next(event for event in events if isinstance(event, RunStarted))
    run = workbench.runs.get(started.run_id)
    assert run is not None, "every run is recorded"
    return run


def _row(claim: DemoClaim, run: Run, web: DemoWeb) -> dict[str, Any]:
    verdict = run.verdict
    cited = {c.n for c in verdict.citations if c.accepted and c.stance is not StanceLabel.NEUTRAL} if verdict else set()
    addresses = {web.plain(e.passage.source_url) for e in run.evidence if e.number in cited and e.passage.source_url}
    return {
        "id": claim.id,
        "claim": claim.claim,
        "label": claim.label.value,
        "found": verdict.label.value if verdict else run.status.value,
        "confidence": verdict.confidence if verdict else None,
        "reasons": [reason.code.value for reason in verdict.reasons] if verdict else [run.error],
        "pages": sorted(claim.pages),
        "cited_pages": sorted(addresses),
        "from_right_pages": any(same_page(a, page) for a in addresses for page in claim.pages),
        "seconds": run.usage.seconds,
    }
