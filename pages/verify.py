"""Check a claim: enter it, watch the seven steps, read the verdict. The address bar holds the run."""

from ghost.ui import article, compose, entry, place, report, resources, theme

entry.through_app()
bench, runner = resources.workbench(), resources.runner()
here = place.here()

with theme.page():
    place.way_back(here)
    if here.article and not here.run:
        article.article(bench, runner, here.article)
    elif not here.run:
        compose.claim_form(bench, runner)
    else:
        report.check(bench, runner, here.run)
