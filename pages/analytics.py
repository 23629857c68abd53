"""The knowledge base in charts: where it comes from, how old it is, what it is used for, and what deserves a look."""

from ghost.ui.analytics import page as analytics_page
from ghost.ui.shared import resources, theme

workbench = resources.workbench()

with theme.page():
    analytics_page.overview(workbench)
