"""The knowledge base in charts: sources, age, use, a map, and findings to review."""

from ghost.ui.analytics import analytics_page
from ghost.ui.shared import resources, theme

opened = resources.ready()

with theme.page():
    analytics_page(opened.workbench)
