"""What the workbench is set up to do: judge, models, data, providers, sources, every setting. Changes none."""

from ghost.ui.settings import page as settings_page
from ghost.ui.shared import resources, theme

workbench, chores = resources.workbench(), resources.chores()

with theme.page():
    settings_page.overview(workbench, chores)
