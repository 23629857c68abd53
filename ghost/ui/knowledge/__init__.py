"""The Knowledge base page: browse, curate, import, export and rate."""

from ghost.ui.knowledge.browse import ACTIVE, Browsing, browsing
from ghost.ui.knowledge.form import added_text
from ghost.ui.knowledge.import_preview import problem_file
from ghost.ui.knowledge.page import knowledge_page

__all__ = ["ACTIVE", "Browsing", "added_text", "browsing", "knowledge_page", "problem_file"]
