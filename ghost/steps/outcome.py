"""What every step returns: the value for the next step, and what the trace keeps."""

from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Outcome(Generic[T]):
    """The result of one step."""

    value: T
    decision: str
    """What was decided, in a few words."""
    reason: str
    """Why, in a sentence."""
    inputs: dict[str, Any] = field(default_factory=dict)
    """JSON-safe."""
    outputs: dict[str, Any] = field(default_factory=dict)
    """JSON-safe."""


def count(number: int, singular: str, plural: str = "") -> str:
    """``1 passage``, ``3 passages``, ``no passages``."""
    word = singular if number == 1 else plural or singular + "s"
    return f"{number or 'no'} {word}"
