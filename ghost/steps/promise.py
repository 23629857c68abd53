"""The snippet check: which of the hits are worth opening first?"""

import time
from collections.abc import Sequence

from ghost.budget import Budget
from ghost.errors import Cancelled
from ghost.inference import Encoder, StanceReader
from ghost.judges import Judge
from ghost.knowledge import embedded_text
from ghost.types import Passage, Statement

SETTLES = 0.9
"""From this probability of a side on, a snippet of a known source settles its statement by itself."""
PATIENCE = 15.0
"""Seconds that a language model may think about the order of the pages."""
KNOWN = 0.75
"""Credibility of a source whose snippet is believed unread."""


def most_promising(
    hits: Sequence[Passage],
    statements: Sequence[Statement],
    reader: StanceReader,
    encoder: Encoder | None,
    budget: Budget,
    judge: Judge | None = None,
) -> list[Passage]:
    """The hits in the order in which their pages should be opened.

    A snippet that settles a statement is evidence as it stands: its page is opened last, to see whether the page bears
    it out. Among the others, what is nearer to a statement comes first, and what is more credible among the near.
    """
    if not hits or not statements:
        return list(hits)
    budget.check()
    near = [0.0] * len(hits)
    if encoder is not None:
        vectors = encoder.encode([embedded_text(p.text, p.title) for p in hits])
        near = [float(n) for n in (vectors @ encoder.encode([s.text for s in statements]).T).max(axis=1)]
    said = _said(hits, statements, judge, budget) if judge and len(hits) > 1 else None
    settled = _settled(hits, statements, reader) if said is None else said
    all_of_them = {s.number for s in statements}

    def settles(i: int) -> bool:
        return hits[i].credibility >= KNOWN and settled[i] >= all_of_them

    order = sorted(range(len(hits)), key=lambda i: (settles(i), -(near[i] + 0.3 * hits[i].credibility), i))
    return [hits[i] for i in order]


def _said(
    hits: Sequence[Passage], statements: Sequence[Statement], judge: Judge, budget: Budget
) -> tuple[frozenset[int], ...] | None:
    """What the judge says settles; None when it leaves that, or is too slow for a question of mere order."""
    until = time.monotonic() + PATIENCE
    mine = budget.until(lambda: time.monotonic() > until or budget.seconds_to_look <= 0)
    try:
        return judge.check_snippets(statements, hits, mine)
    except Cancelled:
        budget.check()  # the analyst's wish ends the run
        return None


def _settled(
    hits: Sequence[Passage], statements: Sequence[Statement], reader: StanceReader
) -> tuple[frozenset[int], ...]:
    """The numbers of the statements that each hit settles, as the stance model reads it."""
    stances = iter(reader.read([(p.text, s.text) for p in hits for s in statements]))
    return tuple(
        frozenset([n for n, stance in [(s.number, next(stances)) for s in statements]
                   if max(stance.supports, stance.refutes) >= SETTLES])
        for _ in hits
    )  # fmt: skip
