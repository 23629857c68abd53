"""Between an investigation and the next look: what was found becomes candidates, and evidence keeps its numbers."""

from collections.abc import Collection, Iterable, Sequence

import numpy as np

from ghost.inference import Encoder
from ghost.knowledge import embedded_text
from ghost.steps.investigate.page_passages import Finding
from ghost.steps.retrieve import Candidates
from ghost.types import Candidate, Passage, Statement
from ghost.web import page_key

FUSION_CONSTANT = 60


def with_snippets(
    candidates: Candidates,
    snippets: Sequence[Passage],
    statements: Sequence[Statement],
    open_ones: Collection[int],
    encoder: Encoder | None,
) -> Candidates:
    """The candidates with the snippets added for each open statement, ranked as the search engine ranked them.

    A snippet found for one statement may also bear on another one; what is settled is left as it is.
    """
    asked = [s for s in statements if s.number in open_ones]
    cosines = _cosines(snippets, asked, encoder)
    more = {
        s.number: [
            Candidate(p, rank, 1 / (FUSION_CONSTANT + rank), semantic=cosines[row][rank - 1])
            for rank, p in enumerate(snippets, start=1)
        ]
        for row, s in enumerate(asked)
    }
    return {s.number: [*candidates.get(s.number, []), *more.get(s.number, [])] for s in statements}


def with_found(candidates: Candidates, found: Iterable[Finding], replaced: Collection[str]) -> Candidates:
    """The candidates with the passages of the pages that were read, the most telling first.

    Snippets of the pages at the addresses ``replaced`` go: the page itself has been looked at.
    """
    gone = {page_key(url) for url in replaced}
    kept = {
        n: [c for c in hits if not (c.passage.snippet and page_key(c.passage.source_url) in gone)]
        for n, hits in candidates.items()
    }
    by_statement: dict[int, dict[str, Finding]] = {}
    for f in found:
        by_statement.setdefault(f.statement, {}).setdefault(f.passage.id, f)
    for number, mine in by_statement.items():
        known = {c.passage.id for c in kept.get(number, [])}
        new = sorted(
            (f for f in mine.values() if f.passage.id not in known), key=lambda f: (-f.stance_strength, f.passage.id)
        )
        kept[number] = [
            *kept.get(number, []),
            *(Candidate(f.passage, r, 1 / (FUSION_CONSTANT + r), semantic=f.nearness) for r, f in enumerate(new, 1)),
        ]
    return kept


def _cosines(
    snippets: Sequence[Passage], statements: Sequence[Statement], encoder: Encoder | None
) -> list[list[float | None]]:
    """One row per statement; read with the title in front, as the knowledge base reads its passages."""
    if encoder is None or not snippets or not statements:
        return [[None] * len(snippets) for _ in statements]
    vectors = encoder.encode([embedded_text(p.text, p.title) for p in snippets])
    found: np.ndarray = encoder.encode([s.text for s in statements]) @ vectors.T
    return [[float(cosine) for cosine in row] for row in found]
