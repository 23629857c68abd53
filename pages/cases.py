"""Cases: related checks under a name, with notes. The address bar holds the open case."""

from ghost.ui.cases import cases_page
from ghost.ui.shared import resources, theme

opened = resources.ready()

with theme.page():
    cases_page(opened.workbench)
