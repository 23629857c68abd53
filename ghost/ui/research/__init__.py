"""The Research page: a topic broken into questions, what memory has for each, and what came of it."""

from ghost.ui.research.page import research_page
from ghost.ui.research.skills import EXAMPLE

__all__ = ["EXAMPLE", "research_page"]
