"""Cases: related checks under a name, with notes. The address bar holds the open case."""

from ghost.ui.cases import cases_page
from ghost.ui.shared import resources, theme

workbench = resources.workbench()

with theme.page():
    cases_page(workbench)
