"""Asking a search provider one harmless question, to see whether it works."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from ghost.errors import ProviderError
from ghost.web import SearchProvider, Stage

QUESTION = "Moon"
"""The words that are sent: nothing of anybody's work."""
LIMIT = 3

STAGES = {Stage.TRUSTED: "trusted sources", Stage.FACT_CHECK: "fact-checkers", Stage.BROAD: "the whole web"}


@dataclass(frozen=True, slots=True)
class Needed:
    """A provider that is not asked."""

    name: str
    lacks: tuple[str, ...]
    """Settings that it needs and that are not set; empty when naming it in the list is enough."""


def ask(provider: SearchProvider, seconds: float) -> str:
    """Send the question and say what came; raises ProviderError in words when nothing did."""
    try:
        hits = provider.search(QUESTION, (), LIMIT, seconds)
    except ProviderError:
        raise
    except Exception as error:  # an adapter should not let anything else through, and this page must say it if it does
        raise ProviderError(f"{provider.recipient} could not be asked: {type(error).__name__}.") from error
    if not hits:
        return f"It answered, and had nothing for “{QUESTION}”."
    return f"It answered with {len(hits)} {'result' if len(hits) == 1 else 'results'}."


def stages_of(provider: SearchProvider) -> str:
    """Where it is asked, in words."""
    named = [words for stage, words in STAGES.items() if stage in provider.stages]
    return "in every stage" if len(named) == len(STAGES) else f"for {' and '.join(named)}"


def not_asked(known: Mapping[str, tuple[str, ...]], named: Collection[str], settings: object) -> tuple[Needed, ...]:
    """The providers that there are and that the settings do not name, each with what it still needs."""
    return tuple(
        Needed(name, tuple(field for field in needs if not getattr(settings, field, None)))
        for name, needs in known.items()
        if name not in named
    )
