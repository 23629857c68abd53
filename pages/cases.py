"""Cases: checks that belong together, under a name, with notes. The address bar holds the case that is open."""

from ghost.ui import case, cases, entry, resources, theme

entry.through_app()
bench = resources.workbench()
wanted = cases.opened()

with theme.page():
    if wanted:
        case.detail(bench, wanted)
    else:
        cases.overview(bench)
