"""Step 6: record what this run used, and admit what the investigation found."""

from collections.abc import Mapping, Sequence

from ghost.knowledge import AddReport, RunKnowledge, Use, id_of, key_of, normalise
from ghost.steps.investigate import Investigation
from ghost.steps.trace import Outcome, count
from ghost.types import Citation, Evidence, Passage, Status

MAX_DOUBTFUL = 10
"""The most suspicious passages that one run puts into quarantine."""


def index(
    run_id: str, evidence: Sequence[Evidence], found: Sequence[Investigation], knowledge: RunKnowledge
) -> Outcome[AddReport | None]:
    """Record the use of each passage once per run (with its best relevance), then admit what was ``found``.

    Only passages that became evidence are admitted. A passage and the run that found it are written together, so a
    process that is killed leaves neither or both. Passages beside them are admitted too, unused, where their page gave
    evidence: otherwise the next claim would be judged by one sentence that was chosen for this claim. Search snippets
    are evidence of their run only and are neither recorded nor admitted. Some of what looks suspicious goes to
    quarantine, with the reason; the run does not use it. What came of comparing notes with their pages is kept. Nothing
    of this happens in a frozen knowledge base.
    """
    best = _best(evidence)
    if knowledge.frozen:
        return _nothing_kept(best, found)
    read = {_stored_id(n.text, n.source_url): n for f in found for n in f.new}
    relevant = [i for i in read if i in best]
    offered = [read[i] for i in relevant]
    knowledge.record_use(run_id, [_use(i, e, cited=False) for i, e in best.items() if i not in relevant])
    pages = {e.passage.source_url for e in best.values()}
    nearby = dict.fromkeys(n for f in found for n in f.nearby)
    beside = [n for n in nearby if n.source_url in pages and n not in offered]
    doubtful = dict.fromkeys(n for f in found for n in f.doubtful)
    waiting = [n for n in doubtful if n.status is Status.QUARANTINED][:MAX_DOUBTFUL]
    uses = [_use(i, best[i], cited=False) for i in relevant]
    report = knowledge.add(offered, run_id=run_id, uses=uses) if offered else None
    more = knowledge.add(beside, run_id=run_id) if beside else None
    kept = knowledge.add(waiting, run_id=run_id) if waiting else None
    if checks := [check for f in found for check in f.checks]:
        knowledge.record_checks(checks)

    decision = f"{count(len(best), 'passage')} recorded"
    reason = "Statistics of the passages used were updated; there was nothing new to admit."
    if report:
        decision += f", {count(report.added, 'passage')} admitted"
        fates = f"{report.merged} merged, {report.quarantined} quarantined, {report.refused} refused."
        reason = f"Statistics of the passages used were updated; {fates}"
    if more and more.added:
        decision += f", {more.added} more of {'the same page' if len(pages) == 1 else 'their pages'}"
    if unused := len(read) - len(offered):
        reason += f" {count(unused, 'passage')} read became no evidence and stayed out."
    if kept and kept.quarantined:
        reason += f" {count(kept.quarantined, 'suspicious piece')} put into quarantine."
    if snippets := len({e.passage.id for e in evidence if e.passage.snippet}):
        reason += f" {count(snippets, 'search snippet')} stayed in this run only."
    return Outcome(
        report,
        decision=decision,
        reason=reason,
        inputs={"evidence": sorted(best), "found": sum(1 for f in found for _ in f.new)},
        outputs={
            "booked": len(best),
            "admitted": sum(r.added for r in (report, more) if r),
            "fates": [
                {"url": new.source_url, "action": outcome.action, "why": outcome.reason}
                for asked, answer in ((offered, report), (beside, more), (waiting, kept))
                for new, outcome in zip(asked, answer.outcomes if answer else (), strict=False)
            ],
        },
    )


def _nothing_kept(best: Mapping[str, Evidence], found: Sequence[Investigation]) -> Outcome[AddReport | None]:
    return Outcome(
        None,
        decision=f"{count(len(best), 'passage')} used",
        reason="The knowledge base is frozen for this run: no use is recorded, and nothing is admitted.",
        inputs={"evidence": sorted(best), "found": sum(1 for f in found for _ in f.new)},
        outputs={"booked": 0, "admitted": 0, "fates": []},
    )


def record_citations(
    run_id: str, evidence: Sequence[Evidence], citations: Sequence[Citation], knowledge: RunKnowledge
) -> None:
    """Record which of the passages from ``index`` the verdict quotes, which is known only after step 7."""
    quoted = {c.passage_id for c in citations if c.accepted}
    cited = {i: e for i, e in _best(evidence).items() if e.passage.id in quoted}
    if cited:
        knowledge.record_use(run_id, [_use(i, e, cited=True) for i, e in cited.items()])


def _best(evidence: Sequence[Evidence]) -> dict[str, Evidence]:
    """Id of each passage in the knowledge base -> its most relevant evidence, where several statements share it."""
    best: dict[str, Evidence] = {}
    for e in sorted(evidence, key=lambda e: -e.relevance):
        if not e.passage.snippet:
            best.setdefault(_id(e.passage), e)
    return best


def _id(passage: Passage) -> str:
    """The id in the knowledge base. What was read in this run gets it from text and address on admission."""
    return passage.id if passage.indexed_at else _stored_id(passage.text, passage.source_url)


def _stored_id(text: str, source_url: str) -> str:
    return id_of(key_of(normalise(text), normalise(source_url)))


def _use(passage_id: str, e: Evidence, cited: bool) -> Use:
    return Use(passage_id, e.relevance, e.stance.label, cited)
