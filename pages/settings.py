"""What the workbench is set up to do: judge, models, data, providers, sources, every setting. Changes none."""

from ghost.ui import entry, resources, settings, theme

entry.through_app()
bench, chores = resources.workbench(), resources.chores()

with theme.page():
    settings.overview(bench, chores)
