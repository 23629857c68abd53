"""How the workbench is set up: judge, models, data, search providers, sources, every setting. Changes nothing."""

from ghost.ui.settings import settings_page
from ghost.ui.shared import resources, theme

workbench, tasks = resources.workbench(), resources.tasks()

with theme.page():
    settings_page(workbench, tasks)
