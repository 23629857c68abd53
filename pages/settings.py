"""How the workbench is set up: judge, models, data, search providers, sources, every setting. Changes nothing."""

from ghost.ui.settings import settings_page
from ghost.ui.shared import resources, theme

opened = resources.ready()

with theme.page():
    settings_page(opened.workbench, opened.tasks)
