"""How often Ghost is right: the benchmark's results, and how often the analyst agrees."""

from ghost.ui.quality import quality_page
from ghost.ui.shared import resources, theme

opened = resources.ready()

with theme.page():
    quality_page(opened.workbench)
