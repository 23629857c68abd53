"""Step 5: look outside the knowledge base for what is missing, in stages: trusted, fact-checkers, broad."""

from collections.abc import Sequence
from dataclasses import dataclass

from ghost.budget import Budget
from ghost.errors import ProviderError
from ghost.steps.outcome import Outcome, count
from ghost.types import NewPassage, Reason, ReasonCode, Statement
from ghost.web.search import Hit, SearchProvider, Stage

HITS_PER_STAGE = 5


@dataclass(frozen=True, slots=True)
class Investigation:
    """What the search brought."""

    hits: tuple[Hit, ...] = ()
    """Search snippets; they are unread and never enter the knowledge base."""
    passages: tuple[NewPassage, ...] = ()
    """Text that was read and may be admitted."""
    reasons: tuple[Reason, ...] = ()
    """Why the search brought less than hoped."""


def investigate(
    statements: Sequence[Statement], providers: Sequence[SearchProvider], web: bool, budget: Budget
) -> Outcome[Investigation]:
    """Search for each open statement; without a provider this reports so and brings nothing."""
    inputs = {"statements": [s.text for s in statements], "providers": [p.name for p in providers], "web": web}
    if not web or not providers:
        why = "The web is switched off for this run." if not web else "No search provider is set up."
        reason = Reason(ReasonCode.NO_PROVIDER, why, "Add a source to the knowledge base and verify the claim again.")
        return Outcome(
            Investigation(reasons=(reason,)),
            decision="nothing searched",
            reason=f"{why} Nothing left this machine.",
            inputs=inputs,
            outputs={"searches": []},
        )
    hits: list[Hit] = []
    log: list[dict[str, object]] = []
    failures: list[str] = []
    for statement in statements:
        for provider in providers:
            budget.spend(searches=1)
            entry: dict[str, object] = {"query": statement.text, "provider": provider.name, "stage": Stage.BROAD}
            try:
                found = provider.search(statement.text, (), HITS_PER_STAGE, min(10.0, budget.seconds_left))
            except ProviderError as error:
                failures.append(f"{provider.name}: {error}")
                log.append(entry | {"error": str(error)})
                continue
            hits += found
            log.append(entry | {"hits": [{"url": h.url, "title": h.title} for h in found]})
    reasons = (Reason(ReasonCode.PROVIDER_DOWN, "; ".join(failures), "Try again later."),) if failures else ()
    return Outcome(
        Investigation(tuple(hits), reasons=reasons),
        decision=count(len(hits), "hit"),
        reason=f"{count(len(log), 'search', 'searches')}, {count(len(failures), 'failure')}."
        " Pages are not read in this version, so nothing was admitted.",
        inputs=inputs,
        outputs={"searches": log},
    )
