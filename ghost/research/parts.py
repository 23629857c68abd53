"""What a research works with; wired by the workbench."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from ghost.budget import Limits
from ghost.inference import Encoder
from ghost.judges import ResearchWriter
from ghost.knowledge import KnowledgeBase
from ghost.matching import ClaimMatcher
from ghost.pipelines import Tools
from ghost.research.gate import Gate
from ghost.research.memory import Memory


class MakesTools(Protocol):
    """Gives what the web phase works with; only sites that are allowed here, and none that are denied, count."""

    def __call__(self, web: bool, allowed: tuple[str, ...], denied: tuple[str, ...]) -> Tools: ...


@dataclass(frozen=True, slots=True)
class Parts:
    """Everything that a research works with."""

    knowledge: KnowledgeBase
    memory: Memory
    gate: Gate
    encoder: Encoder
    matcher: Callable[[], ClaimMatcher]
    tools: MakesTools
    writer: Callable[[str], ResearchWriter | None]
    """The language model for a judge that was asked for; None where the embedded models plan and write."""
    limits: Callable[[], Limits]
