"""Ways from a claim to a verdict."""

from ghost.pipelines.article import read_article
from ghost.pipelines.seven_steps import Tools, utc_today, verify
from ghost.pipelines.what_if.decide import Change, NewDecision, decide
from ghost.pipelines.what_if.kept_run import KeptRun, can_decide_again, read_kept_run, returnable_passages
from ghost.pipelines.what_if.stability import Stability, Trial, stability

__all__ = [
    "Change",
    "KeptRun",
    "NewDecision",
    "Stability",
    "Tools",
    "Trial",
    "can_decide_again",
    "decide",
    "read_article",
    "read_kept_run",
    "returnable_passages",
    "stability",
    "utc_today",
    "verify",
]
