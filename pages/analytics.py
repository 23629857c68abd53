"""The knowledge base in charts: where it comes from, how old it is, what it is used for, and what deserves a look."""

from ghost.ui import analytics, entry, resources, theme

entry.through_app()
bench = resources.workbench()

with theme.page():
    analytics.overview(bench)
