"""Step 6: record what this run used, and admit what the investigation found."""

from collections.abc import Iterable, Sequence
from typing import Protocol

from ghost.knowledge import Action, AddReport, Use, id_of, key_of, normalise
from ghost.steps.trace import Outcome, count
from ghost.types import Citation, Evidence, NewPassage, Passage, Status

MAX_DOUBTFUL = 10
"""The most suspicious passages that one run puts into quarantine."""


class Writable(Protocol):
    """What this step needs of the knowledge base."""

    def record_use(self, run_id: str, uses: Sequence[Use]) -> None:
        """Record that a run used these passages; safe to repeat."""
        ...

    def add(self, new: Iterable[NewPassage], *, run_id: str = "", uses: Sequence[Use] = ()) -> AddReport:
        """Admit passages and record that the run used them; duplicates merge, doubtful ones are quarantined."""
        ...


def index(
    run_id: str,
    evidence: Sequence[Evidence],
    found: Sequence[NewPassage],
    knowledge: Writable,
    doubtful: Sequence[NewPassage] = (),
    nearby: Sequence[NewPassage] = (),
) -> Outcome[AddReport | None]:
    """Record the use of each passage once per run (with its best relevance), then admit ``found``.

    Only passages that became evidence are admitted. A passage and the run that found it are written together, so a
    process that is killed leaves neither or both. Passages ``nearby`` are admitted too, unused, where their page gave
    evidence: otherwise the next claim would be judged by one sentence that was chosen for this claim. Search snippets
    are evidence of their run only and are neither recorded nor admitted. Some of ``doubtful`` go to quarantine, with
    the reason; the run does not use them.
    """
    best = _best(evidence)
    read = {_stored_id(n.text, n.source_url): n for n in found}
    relevant = {i: best[i] for i in read if i in best}
    offered = [read[i] for i in relevant]
    knowledge.record_use(run_id, [_use(i, e, cited=False) for i, e in best.items() if i not in relevant])
    report = None
    if offered:
        uses = [_use(i, e, cited=False) for i, e in relevant.items()]
        report = knowledge.add(offered, run_id=run_id, uses=uses)
    pages = {e.passage.source_url for e in best.values()}
    beside = [n for n in dict.fromkeys(nearby) if n.source_url in pages and n not in offered]
    more = knowledge.add(beside, run_id=run_id) if beside else None
    waiting = [n for n in dict.fromkeys(doubtful) if n.status is Status.QUARANTINED][:MAX_DOUBTFUL]
    kept = knowledge.add(waiting, run_id=run_id) if waiting else None
    snippets = len({e.passage.id for e in evidence if e.passage.snippet})
    decision = f"{count(len(best), 'passage')} booked"
    if report:
        decision += f", {count(report.added, 'passage')} admitted"
    if more and more.added:
        decision += f", {more.added} more of {'the same page' if len(pages) == 1 else 'their pages'}"
    unused = len(read) - len(offered)
    fates = (*_fates(offered, report), *_fates(beside, more), *_fates(waiting, kept))
    return Outcome(
        report,
        decision=decision,
        reason="Statistics of the passages used were updated"
        + (
            f"; {report.merged} merged, {report.quarantined} quarantined, {report.refused} refused."
            if report
            else "; there was nothing new to admit."
        )
        + (f" {count(unused, 'passage')} read became no evidence and stayed out." if unused else "")
        + (f" {count(kept.quarantined, 'suspicious piece')} put into quarantine." if kept and kept.quarantined else "")
        + (f" {count(snippets, 'search snippet')} stayed in this run only." if snippets else ""),
        inputs={"evidence": sorted(best), "found": len(found)},
        outputs={
            "booked": len(best),
            "admitted": (report.added if report else 0) + (more.added if more else 0),
            "fates": [_fate(n, action, why) for n, action, why in fates],
        },
    )


def record_citations(
    run_id: str, evidence: Sequence[Evidence], citations: Sequence[Citation], knowledge: Writable
) -> None:
    """Record which of the passages from ``index`` the verdict quotes, which is known only after step 7."""
    quoted = {c.passage_id for c in citations if c.accepted}
    if quoted:
        cited = {i: e for i, e in _best(evidence).items() if e.passage.id in quoted}
        knowledge.record_use(run_id, [_use(i, e, cited=True) for i, e in cited.items()])


def _best(evidence: Sequence[Evidence]) -> dict[str, Evidence]:
    """Id of each passage in the knowledge base -> its most relevant evidence, where several statements share it."""
    best: dict[str, Evidence] = {}
    for e in evidence:
        if e.passage.snippet:
            continue
        stored = _id(e.passage)
        if stored not in best or e.relevance > best[stored].relevance:
            best[stored] = e
    return best


def _id(passage: Passage) -> str:
    """The id in the knowledge base. What was read in this run gets it from text and address on admission."""
    return passage.id if passage.indexed_at else _stored_id(passage.text, passage.source_url)


def _stored_id(text: str, source_url: str) -> str:
    return id_of(key_of(normalise(text), normalise(source_url)))


def _use(passage_id: str, e: Evidence, cited: bool) -> Use:
    return Use(passage_id, e.relevance, e.stance.label, cited)


def _fates(offered: Sequence[NewPassage], report: AddReport | None) -> list[tuple[NewPassage, Action, str]]:
    outcomes = report.outcomes if report else ()
    return [(n, o.action, o.reason) for n, o in zip(offered, outcomes, strict=False)]


def _fate(new: NewPassage, action: Action, why: str) -> dict[str, str]:
    return {"url": new.source_url, "action": action, "why": why}
