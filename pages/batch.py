"""Check many claims: add a list, follow its progress, read and export the results."""

from ghost.ui.batch import batch_page
from ghost.ui.shared import resources, sharing, theme

opened = resources.ready()

with theme.page():
    sharing.worker_note(opened.workbench)
    batch_page(opened.workbench, opened.batches)
