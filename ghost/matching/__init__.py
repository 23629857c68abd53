"""Claim match: whether two claims or questions say the same, the opposite, or something else."""

from ghost.matching.candidates import nearest
from ghost.matching.decision import KIND, RELATIONS, MatchModel
from ghost.matching.features import NAMES
from ghost.matching.matcher import ClaimMatcher, SecondReader, confirmed, load_matcher
from ghost.matching.measure import Measured, measure
from ghost.matching.statements import Asked, asked

__all__ = [
    "KIND",
    "NAMES",
    "RELATIONS",
    "Asked",
    "ClaimMatcher",
    "MatchModel",
    "Measured",
    "SecondReader",
    "asked",
    "confirmed",
    "load_matcher",
    "measure",
    "nearest",
]
