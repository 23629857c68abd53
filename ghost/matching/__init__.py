"""Claim match: whether two claims or questions say the same, the opposite, or something else."""

from ghost.matching.blocks import block_keys
from ghost.matching.candidates import Candidates
from ghost.matching.decision import KIND, RELATIONS, MatchModel, barred, may_be_same, surely_same
from ghost.matching.features import NAMES
from ghost.matching.matcher import ClaimMatcher, Matcher, load_matcher
from ghost.matching.measure import Measured, measure
from ghost.matching.namesakes import has_namesake
from ghost.matching.page_sentences import read_page_sentences
from ghost.matching.scopes import scopes_of, unnamed, with_scopes
from ghost.matching.slots import names_all
from ghost.matching.statements import Asked, asked

__all__ = [
    "KIND",
    "NAMES",
    "RELATIONS",
    "Asked",
    "Candidates",
    "ClaimMatcher",
    "MatchModel",
    "Matcher",
    "Measured",
    "asked",
    "barred",
    "block_keys",
    "has_namesake",
    "load_matcher",
    "may_be_same",
    "measure",
    "names_all",
    "read_page_sentences",
    "scopes_of",
    "surely_same",
    "unnamed",
    "with_scopes",
]
