"""How often Ghost is right: what the benchmark measured, and how often the analyst agrees."""

from ghost.ui import entry, quality, resources, theme

entry.through_app()
bench = resources.workbench()

with theme.page():
    quality.overview(bench)
