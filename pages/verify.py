"""Check a claim: enter it, watch the seven steps, read the verdict. The address bar holds the run."""

from ghost.ui.shared import entry, resources, theme
from ghost.ui.verify import article, compose, place, report

entry.through_app()
workbench, runner = resources.workbench(), resources.runner()
here = place.here()

with theme.page():
    place.way_back(here)
    if here.article and not here.run:
        article.article(workbench, runner, here.article)
    elif not here.run:
        compose.claim_form(workbench, runner)
    else:
        report.check(workbench, runner, here.run)
