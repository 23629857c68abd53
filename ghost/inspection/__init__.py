"""Looking at the workbench itself: settings, models, stores, providers. Changes nothing and shows no secret."""

from ghost.inspection.sites import Lists, Standing, standing
from ghost.inspection.stance_models import StanceModel
from ghost.inspection.stores import bytes_in_words
from ghost.inspection.variables import Variable, variable_of, variables

__all__ = [
    "Lists",
    "StanceModel",
    "Standing",
    "Variable",
    "bytes_in_words",
    "standing",
    "variable_of",
    "variables",
]
