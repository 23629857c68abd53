"""Cases: checks that belong together, under a name, with notes. The address bar holds the case that is open."""

from ghost.ui.cases import case_list, detail
from ghost.ui.shared import resources, theme

workbench = resources.workbench()
wanted = case_list.opened()

with theme.page():
    if wanted:
        detail.detail(workbench, wanted)
    else:
        case_list.overview(workbench)
