"""The Verify page: what its address names."""

from typing import TYPE_CHECKING

from ghost.jobs import Runner
from ghost.ui.shared.actions import show_notice
from ghost.ui.verify.address import back_to_article, current_view
from ghost.ui.verify.article import article_page
from ghost.ui.verify.form import form_page
from ghost.ui.verify.report import run_page

if TYPE_CHECKING:
    from ghost.workbench import Workbench


def verify_page(workbench: "Workbench", runner: Runner) -> None:
    """A run, an article, or the form to enter one."""
    view = current_view()
    back_to_article(view)
    if view.run:
        run_page(workbench, runner, view.run)
    elif view.article:
        article_page(workbench, runner, view.article)
    else:
        form_page(workbench, runner)
    show_notice("verify", f"{view.run} {view.article}")
