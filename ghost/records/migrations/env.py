"""Run by Alembic: connects the migration steps with the connection that ``migrate`` hands over."""

from alembic import context

from ghost.records.migrations import is_full_text_table
from ghost.records.tables import metadata

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=metadata,
    transactional_ddl=True,  # SQLite can undo the creation of tables, Alembic only has to be told
    render_as_batch=True,
    include_name=lambda name, kind, _parents: kind != "table" or not is_full_text_table(name or ""),
)
context.run_migrations()
