"""What a research keeps: passages through step 6, then facts, episodes and coverage, each only once."""

from dataclasses import replace

from ghost.knowledge import pack
from ghost.records import NewCoverage, NewEpisode, NewFact, text_key
from ghost.research.parts import Parts
from ghost.research.questions import question_key, topic_key
from ghost.research.web import Gathered
from ghost.steps import Outcome, count, index
from ghost.types import Coverage, Evidence, GateDecision, Origin, Status, SubQuestion


def record(parts: Parts, research_id: str, topic: str, question: SubQuestion, gathered: Gathered) -> Outcome[Gathered]:
    """Admit what was found for a question and remember it. What was not admitted does not answer it either.

    Raises StoreError and ModelError.
    """
    evidence = [
        Evidence(
            n, 1, e.passage, e.stance, e.stance.relevance, e.passage.credibility, 0.0, e.score, e.group, n, e.cosine
        )
        for n, e in enumerate(gathered.excerpts, start=1)
    ]
    admitted = index(research_id, evidence, gathered.found, parts.knowledge)
    known = {p.id: p for p in parts.knowledge.get([e.passage.id for e in gathered.excerpts])}
    kept = tuple(
        replace(e, passage=known[e.passage.id])
        for e in gathered.excerpts
        if e.passage.id in known and known[e.passage.id].status is Status.ACTIVE
    )
    # What came from the library or an import is no find of the web, and is not remembered as one.
    facts = tuple(
        NewFact(e.passage.text, e.passage.id, e.passage.source_url, e.passage.title)
        for e in kept
        if e.passage.origin in (Origin.WEB, Origin.FACT_CHECK)
    )
    pages = (*gathered.pages, *gathered.reused)
    titles = [page.title or page.url for page in pages]
    vectors = parts.memory.encode([question.text, *titles])
    episodes = tuple(
        NewEpisode(page.url, page.title, page.digest, sum(f.url == page.url for f in facts), pack(vector))
        for page, vector in zip(pages, vectors[1:], strict=True)
    )
    nothing = gathered.searched and not (gathered.excerpts or gathered.weak or gathered.problems)
    covered = parts.memory.store.remember(
        NewCoverage(
            topic, question.text, text_key(topic_key(topic)), text_key(question_key(question.text)), research_id,
            facts, episodes, gathered.searches, gathered.fetches, pack(vectors[0]), parts.memory.model, nothing=nothing,
        )
    )  # fmt: skip
    left = len(gathered.excerpts) - len(kept)
    reason = admitted.reason + (f" {count(left, 'excerpt')} not admitted, so not used." if left else "")
    return Outcome(
        replace(gathered, excerpts=kept, refused=0 if kept else left),
        f"{count(len(facts), 'fact')} and {count(len(gathered.pages), 'page')} remembered",
        f"{admitted.decision.capitalize()}. {reason}",
        admitted.inputs | {"question": question.text},
        admitted.outputs
        | {"coverage_id": covered.id if covered else "", "facts": list(covered.facts) if covered else []},
    )


def record_match(
    parts: Parts, research_id: str, topic: str, question: SubQuestion, decision: GateDecision, covered: Coverage
) -> None:
    """Remember that a question asks the same as an earlier one, with the same evidence. Raises StoreError."""
    vector = parts.memory.encode([question.text])[0]
    parts.memory.store.remember(
        NewCoverage(
            topic, question.text, text_key(topic_key(topic)), text_key(question_key(question.text)), research_id,
            (), (), covered.searches, covered.fetches, pack(vector), parts.memory.model, covered.id,
            known=decision.evidence,
        )
    )  # fmt: skip
