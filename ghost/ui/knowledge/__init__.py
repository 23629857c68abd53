"""The Knowledge base page: browse, curate, import, export and rate."""

from ghost.ui.knowledge.filters import ACTIVE, Browsing, browsing
from ghost.ui.knowledge.import_preview import problem_file
from ghost.ui.knowledge.page import knowledge_page

__all__ = ["ACTIVE", "Browsing", "browsing", "knowledge_page", "problem_file"]
