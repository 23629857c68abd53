"""Check many claims: hand in a list, watch it being worked through, read and export the results."""

from ghost.ui import batch, batch_form, entry, resources, theme

entry.through_app()
bench, engine = resources.workbench(), resources.batches()
batch_id = batch.opened()

with theme.page():
    if batch_id:
        batch.detail(bench, engine, batch_id)
    else:
        batch_form.overview(bench, engine)
