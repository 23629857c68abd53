"""The knowledge base: browse and curate what verdicts rest on. Link parameters: ghost/ui/knowledge/filters.py."""

from ghost.ui.knowledge import knowledge_page
from ghost.ui.shared import resources, theme

opened = resources.ready()

with theme.page():
    knowledge_page(opened.workbench)
