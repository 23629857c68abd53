"""The list that is being prepared for a batch: kept for this visit, so that another page can be looked at meanwhile."""

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import streamlit as st

from ghost.errors import ClaimError
from ghost.jobs import ClaimList, Columns, Sheet, claims_of, read_sheet, sheet_of_text

ENCODINGS = {
    "": "As found",
    "utf-8": "UTF-8",
    "utf-16": "UTF-16",
    "cp1252": "Western European (Windows)",
    "iso8859-15": "Western European (ISO)",
    "cp1250": "Central European (Windows)",
    "cp1251": "Cyrillic (Windows)",
    "cp1253": "Greek (Windows)",
    "cp1254": "Turkish (Windows)",
    "cp1256": "Arabic (Windows)",
    "cp932": "Japanese (Shift JIS)",
    "gb18030": "Chinese (GB 18030)",
    "cp949": "Korean",
}


@dataclass(frozen=True, slots=True)
class File:
    """A file as it was uploaded."""

    name: str
    body: bytes
    digest: str


def keep_upload() -> None:
    """Take over what the upload widget holds (a callback): the widget forgets it on another page."""
    given = st.session_state.get("batch_upload")
    forget()
    if given is not None:
        body = given.getvalue()
        st.session_state["batch_file"] = File(given.name, body, hashlib.sha256(body).hexdigest())


def forget() -> None:
    """Let go of the file and of what was read from it (a callback)."""
    for name in ("file", "sheet", "lines", "column", "context", "found_at", "head", "encoding"):
        st.session_state.pop(f"batch_{name}", None)


def file() -> File | None:
    """The file that was uploaded in this visit."""
    found = st.session_state.get("batch_file")
    return found if isinstance(found, File) else None


def sheet_of(given: File, head: bool | None, encoding: str) -> Sheet:
    """The file as rows, read once for each way to read it; raises ClaimError."""
    return _kept(
        "batch_sheet", (given.digest, head, encoding), lambda: read_sheet(given.body, given.name, head, encoding)
    )


def guess_head(given: File, encoding: str) -> None:
    """Set whether the first line names the columns, until somebody has chosen or the file could be read once."""
    state = st.session_state
    if "batch_head" in state and not state.get("batch_head_unsure"):
        return
    try:
        state["batch_head"], state["batch_head_unsure"] = sheet_of(given, None, encoding).has_head, False
    except ClaimError:  # the file is read as if it had none, and guessed again in another encoding
        state["batch_head"], state["batch_head_unsure"] = False, True


def head_chosen() -> None:
    """Somebody has said whether there is a head."""
    st.session_state["batch_head_unsure"] = False


def pasted_sheet(text: str) -> Sheet:
    """Pasted lines as rows; raises ClaimError."""
    return _kept("batch_sheet", (text,), lambda: sheet_of_text(text))


def lines_of(sheet: Sheet, columns: Columns, max_chars: int) -> ClaimList:
    """The claims of a sheet, worked out once for each choice of columns."""
    # The sheet itself, not its address, which the next sheet can get. As long as it is the same one, comparing is free.
    return _kept("batch_lines", (sheet, columns, max_chars), lambda: claims_of(sheet, columns, max_chars))


def _kept(slot: str, key: tuple[object, ...], make: Callable[[], Any]) -> Any:
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
