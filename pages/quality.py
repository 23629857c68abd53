"""How often Ghost is right: what the benchmark measured, and how often the analyst agrees."""

from ghost.ui.quality import page as quality_page
from ghost.ui.shared import resources, theme

workbench = resources.workbench()

with theme.page():
    quality_page.overview(workbench)
