"""The Trace page: every run, step by step."""

from ghost.ui.trace.page import trace_page
from ghost.ui.trace.run_list import PARAMS, filter_of

__all__ = ["PARAMS", "filter_of", "trace_page"]
