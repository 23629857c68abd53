"""The list for a new batch, kept in the session so that it survives a visit to another page."""

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import streamlit as st

from ghost.errors import ClaimError
from ghost.jobs import ClaimList, Columns, Sheet, claims_of, read_sheet, sheet_of_text


@dataclass(frozen=True, slots=True)
class UploadedFile:
    """A file as it was uploaded."""

    name: str
    body: bytes
    digest: str


def keep_upload() -> None:
    """Keep the uploaded file: its widget forgets it on another page. For callbacks."""
    given = st.session_state.get("batch_upload")
    forget()
    if given is not None:
        body = given.getvalue()
        st.session_state["batch_file"] = UploadedFile(given.name, body, hashlib.sha256(body).hexdigest())


def forget() -> None:
    """Drop the file and what was read from it. For callbacks."""
    for name in ("file", "sheet", "lines", "column", "context", "found_at", "head", "encoding"):
        st.session_state.pop(f"batch_{name}", None)


def uploaded() -> UploadedFile | None:
    """The file that was uploaded in this session."""
    found = st.session_state.get("batch_file")
    return found if isinstance(found, UploadedFile) else None


def uploaded_sheet(given: UploadedFile, head: bool | None, encoding: str) -> Sheet:
    """The file as rows, read once for each way of reading it; raises ClaimError."""
    return _cached(
        "batch_sheet", (given.digest, head, encoding), lambda: read_sheet(given.body, given.name, head, encoding)
    )


def guess_head(given: UploadedFile, encoding: str) -> None:
    """Set whether the first line names the columns, until the user has chosen or the file could be read."""
    state = st.session_state
    if "batch_head" in state and not state.get("batch_head_unsure"):
        return
    try:
        state["batch_head"], state["batch_head_unsure"] = uploaded_sheet(given, None, encoding).has_head, False
    except ClaimError:  # guessed again in another encoding
        state["batch_head"], state["batch_head_unsure"] = False, True


def head_chosen() -> None:
    """The user has chosen whether there is a head. For callbacks."""
    st.session_state["batch_head_unsure"] = False


def pasted_sheet(text: str) -> Sheet:
    """Pasted lines as rows; raises ClaimError."""
    return _cached("batch_sheet", (text,), lambda: sheet_of_text(text))


def claim_list(sheet: Sheet, columns: Columns, max_chars: int) -> ClaimList:
    """The claims of a sheet, worked out once for each choice of columns."""
    # The key has the sheet itself, not its id, which a later sheet can get. Comparing the same sheet costs nothing.
    return _cached("batch_lines", (sheet, columns, max_chars), lambda: claims_of(sheet, columns, max_chars))


def _cached(slot: str, key: tuple[object, ...], make: Callable[[], Any]) -> Any:
    known = st.session_state.get(slot)
    if known is None or known[0] != key:
        try:
            known = (key, make())
        except ClaimError as error:
            known = (key, error)
        st.session_state[slot] = known
    if isinstance(known[1], ClaimError):
        raise known[1]
    return known[1]
