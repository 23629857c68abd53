"""The Trace page: every run, step by step."""

from ghost.ui.trace.filters import PARAMS, filter_of
from ghost.ui.trace.page import trace_page

__all__ = ["PARAMS", "filter_of", "trace_page"]
