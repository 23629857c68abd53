"""Lists show a verdict below the bound as what it is now: open. The verdict that the run stored stays as it was."""

from alembic import op

revision = "0013"
down_revision = "0012"

_BOUND = 0.6
_DECIDED = "('True', 'False', 'Partially True', 'Misleading')"


def upgrade() -> None:
    """Bring the labels by which runs and batch lines are listed to the rule by which pages draw them."""
    op.execute(
        "UPDATE runs SET label = 'Not Enough Evidence' "
        f"WHERE label IN {_DECIDED} AND json_extract(verdict, '$.confidence') < {_BOUND}"
    )
    op.execute(
        f"UPDATE batch_items SET label = 'Not Enough Evidence' WHERE label IN {_DECIDED} AND confidence < {_BOUND}"
    )
    op.execute(f"UPDATE batch_items SET confidence = NULL WHERE label NOT IN {_DECIDED}")
