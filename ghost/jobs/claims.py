"""From rows to claims: which are checked, which repeat an earlier line, and which are left out and why."""

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, replace

from ghost.errors import ClaimError
from ghost.jobs.sheet import Row, Sheet
from ghost.matching import ClaimMatcher
from ghost.records import NewItem
from ghost.reports import counted
from ghost.text import is_address
from ghost.types import Claim, tidy_claim

MOST_COMPARED = 1_000
"""Claims of a list that are held against each other, which takes some milliseconds for each."""
LISTED = 12
"""Line numbers in a sentence at most."""
_SUPERSCRIPTS = str.maketrans({c: f"^{n}" for n, c in enumerate("⁰¹²³⁴⁵⁶⁷⁸⁹")})
_INNER_MARKS = re.compile(r"(?<!\d)[.,:;](?!\d)|(?<=[^\W\d_])[.,:;](?=\d)|(?<=\d)[.,:;](?!\d)|[!?…\"“”„‟«»‹›()\[\]{}]")
_QUOTES = re.compile("['’‘‚`´]")
_HYPHEN = re.compile(r"(?<=[^\W\d_])[-‐‑‒–—](?=[^\W\d_])|(?<=\s)[-‒–—](?=\s)")


@dataclass(frozen=True, slots=True)
class Columns:
    """The positions of the columns that are read."""

    claim: int
    context: int | None = None
    found_at: int | None = None


@dataclass(frozen=True, slots=True)
class ClaimList:
    """The claims of a sheet."""

    items: tuple[NewItem, ...]
    blank: tuple[int, ...]
    """Numbers of the blank lines, which are left out."""

    @property
    def checked(self) -> tuple[NewItem, ...]:
        """The items that are checked, each claim once."""
        return tuple(item for item in self.items if not item.refused and item.same_as is None)

    @property
    def repeated(self) -> tuple[NewItem, ...]:
        """The items that repeat an earlier claim and get its result."""
        return tuple(item for item in self.items if item.same_as is not None)

    @property
    def refused(self) -> tuple[NewItem, ...]:
        """The items that cannot be checked, with the reason."""
        return tuple(item for item in self.items if item.refused)

    def first_line(self, item: NewItem) -> int | None:
        """The line with the same claim that is checked instead of this one; None when there is none."""
        return self.items[item.same_as - 1].line if item.same_as is not None else None

    @property
    def remarks(self) -> tuple[str, ...]:
        """Sentences about the lines that are not checked."""
        found = []
        if lines := [f"{line:,}" for line in self.blank]:
            found.append(f"{counted(len(lines), 'blank line was', 'blank lines were')} left out: {_listed(lines)}.")
        if lines := [f"{item.line:,} (same as {self.first_line(item):,})" for item in self.repeated]:
            found.append(
                f"{counted(len(lines), 'line repeats', 'lines repeat')} an earlier claim and "
                f"{'gets' if len(lines) == 1 else 'get'} its result: {_listed(lines)}."
            )
        if lines := [f"{item.line:,}" for item in self.refused]:
            found.append(f"{counted(len(lines), 'line', 'lines')} cannot be checked: {_listed(lines)}.")
        return tuple(found)


def claims_of(sheet: Sheet, columns: Columns, max_chars: int) -> ClaimList:
    """The claims of a sheet in its order. Lines that cannot be checked stay in the list with the reason."""
    items: list[NewItem] = []
    blank: list[int] = []
    first: dict[tuple[str, str, str], int] = {}
    for row in sheet.rows:
        if not row.cells and not row.problem:
            blank.append(row.line)
            continue
        item = _item(row, columns, len(sheet.head), max_chars)
        if not item.refused:
            key = (same_claim_key(item.claim), same_claim_key(item.context), item.found_at)
            if (earlier := first.setdefault(key, len(items) + 1)) <= len(items):
                item = replace(item, same_as=earlier)
        items.append(item)
    return ClaimList(tuple(items), tuple(blank))


def join_repeats(found: ClaimList, matcher: ClaimMatcher) -> ClaimList:
    """The same list, in which a claim that says what an earlier one says in other words shares its check.

    Only claims with the same context and address are held against each other; a list of more than ``MOST_COMPARED``
    claims stays as it is.
    """
    alike: dict[tuple[str, str], list[int]] = {}
    for place, item in enumerate(found.items):
        if not item.refused and item.same_as is None:
            alike.setdefault((item.context, item.found_at), []).append(place)
    if sum(map(len, alike.values())) > MOST_COMPARED:
        return found
    first: dict[int, int] = {}
    for places in alike.values():
        repeats = matcher.repeats([found.items[place].claim for place in places])
        first |= {places[later]: places[earlier] for later, earlier in repeats.items()}
    joined = [
        # Lines that repeat one of them word for word follow it to where it is checked.
        replace(item, same_as=first[to] + 1) if (to := _checked_at(place, item)) in first else item
        for place, item in enumerate(found.items)
    ]
    return replace(found, items=tuple(joined))


def _checked_at(place: int, item: NewItem) -> int:
    return place if item.same_as is None else item.same_as - 1


def same_claim_key(text: str) -> str:
    """Equal for texts that differ only in case, width, punctuation or spaces. Signs of numbers count: -5, 3.5, 10²."""
    text = unicodedata.normalize("NFKC", text.translate(_SUPERSCRIPTS)).casefold()
    text = _HYPHEN.sub(" ", _INNER_MARKS.sub(" ", _QUOTES.sub("", text)))
    return " ".join(text.split()) or text


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
        if is_address(text.strip()):
            raise ClaimError("This is an address, not a claim.")
        claim = tidy_claim(Claim(text, context, found_at=found_at), max_chars)
    except ClaimError as error:
        # Shortened, because the whole text is still among the cells.
        return NewItem(row.line, text[:max_chars].replace("\x00", ""), cells=cells, refused=str(error))
    if columns.found_at is not None:  # the cells are exported with the results, and an address may hold a password
        cells = (*cells[: columns.found_at], claim.found_at or "", *cells[columns.found_at + 1 :])
    return NewItem(row.line, claim.text, claim.context, claim.found_at or "", cells)


def _listed(words: Sequence[str]) -> str:
    """``4, 9 and 12``; a long list is shortened."""
    if len(words) > LISTED:
        return f"{', '.join(words[:LISTED])} and {len(words) - LISTED:,} more"
    return " and ".join(filter(None, [", ".join(words[:-1]), words[-1]]))
