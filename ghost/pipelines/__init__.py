"""Ways from a claim to a verdict."""

from ghost.pipelines.article import listed
from ghost.pipelines.seven_steps import Tools, utc_today, verify
from ghost.pipelines.what_if.decide import Change, Decided, decide
from ghost.pipelines.what_if.kept_run import Kept, kept, wanted, weighed_again
from ghost.pipelines.what_if.stability import Stability, Turn, stability

__all__ = [
    "Change",
    "Decided",
    "Kept",
    "Stability",
    "Tools",
    "Turn",
    "decide",
    "kept",
    "listed",
    "stability",
    "utc_today",
    "verify",
    "wanted",
    "weighed_again",
]
