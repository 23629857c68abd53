"""The Cases page: checks grouped under a name."""

from ghost.ui.cases.page import cases_page

__all__ = ["cases_page"]
