"""Ways from a claim to a verdict."""

from ghost.pipelines.article import check_article, read_article
from ghost.pipelines.base import Tools, utc_today
from ghost.pipelines.decide_again import RunReadings
from ghost.pipelines.options import RunOptions
from ghost.pipelines.seven_steps import verify
from ghost.pipelines.single_conversation import converse
from ghost.pipelines.stability import Stability, Trial, stability
from ghost.pipelines.what_if import (
    Change,
    KeptRun,
    NewDecision,
    can_decide_again,
    decide,
    read_kept_run,
    returnable_passages,
)

__all__ = [
    "Change",
    "KeptRun",
    "NewDecision",
    "RunOptions",
    "RunReadings",
    "Stability",
    "Tools",
    "Trial",
    "can_decide_again",
    "check_article",
    "converse",
    "decide",
    "read_article",
    "read_kept_run",
    "returnable_passages",
    "stability",
    "utc_today",
    "verify",
]
