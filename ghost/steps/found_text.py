"""Step 5 for the page the claim was found at: read for its text only, by which its copies are known."""

from collections.abc import Generator
from dataclasses import replace

from ghost.budget import Budget
from ghost.errors import GhostError
from ghost.events import Event
from ghost.steps.account import news
from ghost.steps.investigation import Investigation, Outside, Trail
from ghost.steps.outcome import Outcome
from ghost.steps.reading import PageReader
from ghost.types import Claim
from ghost.web import Stage, canonical

FOUND_PAGE = "found_page"
"""The stage of this page, as the trace and the events call it."""


def read_found_page(
    claim: Claim, outside: Outside, budget: Budget, trail: Trail
) -> Generator[Event, None, Outcome[Investigation]]:
    """The page fetched and its text kept for the run; it is no evidence, and whatever comes of it is an outcome."""
    sieve = outside.sieve(Stage.BROAD, claim)
    reader = PageReader((), outside, sieve, budget, canonical(claim.found_at or ""), trail.found_text)
    try:
        for source in reader.go([reader.found_at], {}):
            yield news(source, FOUND_PAGE)
    except GhostError as stopped:
        stopped.partial = {"searches": [], "sources": [s.as_row() for s in reader.read]}
        raise
    why = " ".join(s.why for s in reader.read if not reader.found_text)
    known = "Copies of its text in the knowledge base and on the web do not count for the claim."
    unknown = f"Its copies in the knowledge base are not known: {why.rstrip('.')}."
    return Outcome(
        Investigation(
            sources=tuple(reader.read), trail=replace(trail.with_pages(reader.read), found_text=reader.found_text)
        ),
        decision=f"the page the claim was found at: {'read' if reader.found_text else 'not read'}",
        reason=known if reader.found_text else unknown,
        inputs={"stage": FOUND_PAGE, "web": True},
        outputs={"searches": [], "sources": [s.as_row() for s in reader.read]},
    )
