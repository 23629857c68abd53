"""What is chosen for one run."""

from dataclasses import dataclass
from typing import Any

from ghost.steps import Extracted
from ghost.types import Pipeline


@dataclass(frozen=True, slots=True)
class RunOptions:
    """How a claim is to be checked. The options narrow the settings and never widen them."""

    web: bool = True
    """Whether this run may search."""
    allowed: tuple[str, ...] = ()
    """Sites to keep to; empty: all that the settings allow."""
    denied: tuple[str, ...] = ()
    """Sites to leave out."""
    extracted: Extracted | None = None
    """The result of step 1, where it is known already."""
    links: tuple[str, ...] = ()
    """Pages to read first."""
    follows: str = ""
    """Id of a run that this one does anew with other pages."""
    judge: str = ""
    cloud_fallback: bool = True
    pipeline: str = ""
    """The way to take; empty: as the settings say."""

    def kept(self) -> dict[str, Any]:
        """What the run keeps of them among its settings, once its pipeline is chosen."""
        judge = {"judge_here": self.judge, "cloud_fallback_here": self.cloud_fallback}
        return {
            "allowed_here": list(self.allowed),
            "denied_here": list(self.denied),
            "links": list(self.links),
            "follows": self.follows,
            "pipeline": self.pipeline or Pipeline.SEVEN_STEPS.value,
            **(judge if self.judge or not self.cloud_fallback else {}),
        }
