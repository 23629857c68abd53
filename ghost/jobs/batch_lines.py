"""From rows to claims: what can be checked, what is there twice, and what is left out and why."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from ghost.errors import ClaimError
from ghost.jobs.batch_sheet import Row, Sheet
from ghost.records import NewItem
from ghost.types import Claim, tidy_claim

NAMED = 12
"""Line numbers that a sentence lists at most."""


@dataclass(frozen=True, slots=True)
class Columns:
    """Which column of a sheet holds what, by its position."""

    claim: int
    context: int | None = None
    found_at: int | None = None


@dataclass(frozen=True, slots=True)
class Lines:
    """The claims of a sheet."""

    items: tuple[NewItem, ...]
    blank: tuple[int, ...]
    """Numbers of the lines that are blank; they are left out."""

    @property
    def checked(self) -> tuple[NewItem, ...]:
        """Those that are checked, each claim once."""
        return tuple(item for item in self.items if not item.refused and item.same_as is None)

    @property
    def repeated(self) -> tuple[NewItem, ...]:
        """Those that repeat a claim further up."""
        return tuple(item for item in self.items if item.same_as is not None)

    @property
    def refused(self) -> tuple[NewItem, ...]:
        """Those that cannot be checked, each with the reason."""
        return tuple(item for item in self.items if item.refused)

    @property
    def remarks(self) -> tuple[str, ...]:
        """What a reader of the results must know of the list, in sentences."""
        found = []
        if self.blank:
            found.append(
                f"{_counted(self.blank, 'blank line was', 'blank lines were')} left out: {listed(self.blank)}."
            )
        if lines := [item.line for item in self.repeated]:
            found.append(
                f"{_counted(lines, 'line repeats', 'lines repeat')} a claim further up, which is checked once: "
                f"{listed(lines)}."
            )
        if lines := [item.line for item in self.refused]:
            found.append(f"{_counted(lines, 'line', 'lines')} cannot be checked: {listed(lines)}.")
        return tuple(found)


def claims_of(sheet: Sheet, columns: Columns, max_chars: int) -> Lines:
    """The claims of a sheet in its order; a line that cannot be checked stays in, with the reason."""
    items: list[NewItem] = []
    blank: list[int] = []
    first: dict[tuple[str, str, str], int] = {}
    for row in sheet.rows:
        if not row.cells and not row.problem:
            blank.append(row.line)
            continue
        item = _item(row, columns, len(sheet.head), max_chars)
        if not item.refused:
            key = (item.claim, item.context, item.found_at)
            if key in first:
                item = replace(item, same_as=first[key])
            else:
                first[key] = len(items) + 1
        items.append(item)
    return Lines(tuple(items), tuple(blank))


def _item(row: Row, columns: Columns, width: int, max_chars: int) -> NewItem:
    cells = row.cells + ("",) * (width - len(row.cells))
    if row.problem:
        return NewItem(row.line, "", cells=cells, refused=row.problem)
    text, context, found_at = (
        cells[n] if n is not None else "" for n in (columns.claim, columns.context, columns.found_at)
    )
    if not text.strip():
        return NewItem(row.line, "", cells=cells, refused="The cell of the claim is empty.")
    try:
        claim = tidy_claim(Claim(text, context, found_at=found_at), max_chars)
    except ClaimError as error:
        # Kept short: the whole cell is still among the cells, where nothing is looked up.
        return NewItem(row.line, text[:max_chars].replace("\x00", ""), cells=cells, refused=str(error))
    if columns.found_at is not None:  # the cells are exported with the results, and an address may hold a password
        cells = (*cells[: columns.found_at], claim.found_at or "", *cells[columns.found_at + 1 :])
    return NewItem(row.line, claim.text, claim.context, claim.found_at or "", cells)


def listed(lines: Sequence[int]) -> str:
    """``4, 9 and 12``; long lists are cut."""
    shown = [f"{line:,}" for line in lines[:NAMED]]
    if len(lines) > NAMED:
        return f"{', '.join(shown)} and {len(lines) - NAMED:,} more"
    return " and ".join(filter(None, [", ".join(shown[:-1]), shown[-1] if shown else ""]))


def _counted(of: Sequence[object], one: str, many: str) -> str:
    return f"{len(of):,} {one if len(of) == 1 else many}"
