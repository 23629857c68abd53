"""What an investigation found, as candidates for the next round of step 3."""

from collections.abc import Collection, Iterable, Sequence

import numpy as np

from ghost.inference import Encoder
from ghost.knowledge import embedded_text
from ghost.steps.investigate.history import Investigation
from ghost.steps.investigate.page_passages import Finding
from ghost.steps.retrieve import Candidates
from ghost.types import Candidate, Passage, Statement
from ghost.web import page_key

FUSION_CONSTANT = 60


def with_findings(
    candidates: Candidates,
    found: Investigation,
    statements: Sequence[Statement],
    searched_for: Sequence[Statement],
    encoder: Encoder | None,
) -> Candidates:
    """The candidates with the new snippets and the passages of the pages that were read.

    Snippets are added for the statements that were ``searched_for``: one found for a statement may bear on another.
    """
    candidates = _with_snippets(candidates, found.snippets, statements, {s.number for s in searched_for}, encoder)
    return with_page_passages(candidates, found.findings, found.replaced)


def with_page_passages(
    candidates: Candidates, findings: Iterable[Finding], replaced: Collection[str] = ()
) -> Candidates:
    """The candidates with passages of pages, the strongest first.

    Snippets of the pages at the addresses ``replaced`` are removed, because the pages themselves were read.
    """
    gone = {page_key(url) for url in replaced}
    kept = {
        n: [c for c in hits if not (c.passage.snippet and page_key(c.passage.source_url) in gone)]
        for n, hits in candidates.items()
    }
    by_statement: dict[int, dict[str, Finding]] = {}
    for f in findings:
        by_statement.setdefault(f.statement, {}).setdefault(f.passage.id, f)
    for number, mine in by_statement.items():
        known = {c.passage.id for c in kept.get(number, [])}
        new = [f for f in mine.values() if f.passage.id not in known]
        new.sort(key=lambda f: (-f.stance_strength, f.passage.id))
        kept[number] = [
            *kept.get(number, []),
            *(Candidate(f.passage, r, 1 / (FUSION_CONSTANT + r), semantic=f.cosine) for r, f in enumerate(new, 1)),
        ]
    return kept


def _with_snippets(
    candidates: Candidates,
    snippets: Sequence[Passage],
    statements: Sequence[Statement],
    numbers: Collection[int],
    encoder: Encoder | None,
) -> Candidates:
    """The candidates with the snippets added for these statements, in the order of the search engine."""
    asked = [s for s in statements if s.number in numbers]
    cosines = _cosines(snippets, asked, encoder)
    more = {
        s.number: [
            Candidate(p, rank, 1 / (FUSION_CONSTANT + rank), semantic=cosines[row][rank - 1])
            for rank, p in enumerate(snippets, start=1)
        ]
        for row, s in enumerate(asked)
    }
    return {s.number: [*candidates.get(s.number, []), *more.get(s.number, [])] for s in statements}


def _cosines(
    snippets: Sequence[Passage], statements: Sequence[Statement], encoder: Encoder | None
) -> list[list[float | None]]:
    """One row per statement. Passages are encoded with their title in front, as in the knowledge base."""
    if encoder is None or not snippets or not statements:
        return [[None] * len(snippets) for _ in statements]
    vectors = encoder.encode([embedded_text(p.text, p.title) for p in snippets])
    found: np.ndarray = encoder.encode([s.text for s in statements]) @ vectors.T
    return [[float(cosine) for cosine in row] for row in found]
