"""Check many claims: hand in a list, watch it being worked through, read and export the results."""

from ghost.ui.batch import detail, form
from ghost.ui.shared import resources, theme

workbench, engine = resources.workbench(), resources.batches()
batch_id = detail.opened()

with theme.page():
    if batch_id:
        detail.detail(workbench, engine, batch_id)
    else:
        form.overview(workbench, engine)
