"""Check a claim: enter it, watch the seven steps, read the verdict. The address bar holds the run."""

from ghost.ui.shared import resources, sharing, theme
from ghost.ui.verify import verify_page

opened = resources.ready()

with theme.page():
    sharing.worker_note(opened.workbench)
    verify_page(opened.workbench, opened.jobs)
