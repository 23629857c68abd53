"""Step 6: write down what this run used, and admit what the investigation brought."""

from collections.abc import Iterable, Sequence
from typing import Protocol

from ghost.knowledge.values import AddReport, Use
from ghost.steps.outcome import Outcome, count
from ghost.types import Citation, Evidence, NewPassage


class Writable(Protocol):
    """What this step needs of the knowledge base."""

    def record_use(self, run_id: str, uses: Sequence[Use]) -> None:
        """Book that a run used these passages; safe to repeat."""
        ...

    def add(self, passages: Iterable[NewPassage]) -> AddReport:
        """Admit passages; duplicates merge, what is in doubt is quarantined."""
        ...


def index(
    run_id: str, evidence: Sequence[Evidence], found: Sequence[NewPassage], knowledge: Writable
) -> Outcome[AddReport | None]:
    """Book the use of each passage once per run (with its best relevance), then admit ``found``.

    Search snippets are evidence of their run only: they are neither booked nor admitted.
    """
    best = _best(evidence)
    knowledge.record_use(run_id, [_use(e, cited=False) for e in best.values()])
    report = knowledge.add(found) if found else None
    snippets = len({e.passage.id for e in evidence if e.passage.snippet})
    decision = f"{count(len(best), 'passage')} booked"
    if report:
        decision += f", {count(report.added, 'passage')} admitted"
    return Outcome(
        report,
        decision=decision,
        reason="Statistics of the passages used were updated"
        + (
            f"; {report.merged} merged, {report.quarantined} quarantined, {report.refused} refused."
            if report
            else "; there was nothing new to admit."
        )
        + (f" {count(snippets, 'search snippet')} stayed in this run only." if snippets else ""),
        inputs={"evidence": sorted(best), "found": len(found)},
        outputs={"booked": len(best), "admitted": report.added if report else 0},
    )


def book_citations(
    run_id: str, evidence: Sequence[Evidence], citations: Sequence[Citation], knowledge: Writable
) -> None:
    """Note which of the passages booked by ``index`` the verdict quotes; that is known only after step 7."""
    quoted = {c.passage_id for c in citations if c.accepted}
    if quoted:
        knowledge.record_use(run_id, [_use(e, cited=True) for i, e in _best(evidence).items() if i in quoted])


def _best(evidence: Sequence[Evidence]) -> dict[str, Evidence]:
    """Id of each passage of the knowledge base -> its most relevant reading, where several statements share it."""
    best: dict[str, Evidence] = {}
    for e in evidence:
        if e.passage.snippet:
            continue
        if e.passage.id not in best or e.relevance > best[e.passage.id].relevance:
            best[e.passage.id] = e
    return best


def _use(e: Evidence, cited: bool) -> Use:
    return Use(e.passage.id, e.relevance, e.stance.label, cited)
