"""Reports on the workbench itself: settings, models, stores, connections. Changes no setting and shows no secret."""

from ghost.diagnostics.checks import (
    MODEL_QUESTION,
    SEARCH_QUESTION,
    ask_model,
    ask_provider,
    check_stores,
    free_bytes,
    places,
    rebuild_index,
    size_of,
    size_words,
    stage_words,
    unused_providers,
)
from ghost.diagnostics.models import Model, bundled_models, fetch_stance_model, stance_models, verify_models, versions
from ghost.diagnostics.variables import SiteReport, Variable, site_report, variable_of, variables

__all__ = [
    "MODEL_QUESTION", "SEARCH_QUESTION", "Model", "SiteReport", "Variable", "ask_model", "ask_provider",
    "bundled_models", "check_stores", "fetch_stance_model", "free_bytes", "places", "rebuild_index", "site_report",
    "size_of", "size_words", "stage_words", "stance_models", "unused_providers", "variable_of", "variables",
    "verify_models", "versions",
]  # fmt: skip
