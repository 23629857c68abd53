"""The form for a new batch: paste or upload a list, check the preview, start.

What was pasted or uploaded is kept in the session, so that it survives a visit to another page.
"""

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import PurePath
from typing import Any

import streamlit as st

from ghost.errors import ClaimError, GhostError
from ghost.jobs import (
    MAX_BYTES,
    MAX_ROWS,
    BatchEngine,
    ClaimList,
    Columns,
    Sheet,
    claims_of,
    join_repeats,
    read_sheet,
    sheet_of_text,
)
from ghost.matching import ClaimMatcher
from ghost.records import NewBatch
from ghost.text import ENCODINGS, csv_bytes
from ghost.ui.shared import theme
from ghost.ui.shared.parts import Workbench, button, download, metrics, open_item, table
from ghost.ui.shared.runs import privacy_line
from ghost.ui.shared.sharing import shared_records
from ghost.ui.shared.text import count, plain, shorten

PASTE, UPLOAD = "Paste lines", "Upload a file"
SHOWN = 5
"""Rows in the preview."""
REFUSED_SHOWN = 50
"""Lines that cannot be checked, listed on the page; all of them can be downloaded."""


@dataclass(frozen=True, slots=True)
class UploadedFile:
    """A file as it was uploaded."""

    name: str
    body: bytes
    digest: str


def section(workbench: Workbench, engine: BatchEngine) -> None:
    """Title, list and, when there is one, preview and options."""
    if st.session_state.pop("batch_begun", False):
        forget()
        st.session_state["batch_pasted"] = st.session_state["batch_name"] = ""
    st.title("Check many claims", anchor=False)
    st.markdown("Add a list of claims. Each one gets its own verdict and report.")
    st.session_state.setdefault("batch_way", PASTE)
    way = st.segmented_control(
        "Add claims", [PASTE, UPLOAD], key="batch_way", required=True, persist_state="session",
        format_func=lambda w: f":material/{'content_paste' if w == PASTE else 'upload_file'}: {w}",
    )  # fmt: skip
    with theme.errors_shown():
        if sheet := _from_file(workbench) if way == UPLOAD else _from_text(workbench):
            _preview_and_start(workbench, engine, sheet)


def _from_text(workbench: Workbench) -> Sheet | None:
    text = st.text_area(
        "Claims, one per line", key="batch_pasted", height=220, persist_state="session",
        placeholder="The Great Wall of China is visible from the Moon\nVaccines cause autism\nThe Earth is round",
        help=f"At most {MAX_ROWS:,} lines of {workbench.settings.max_claim_chars:,} characters. Ctrl+Enter previews.",
    )  # fmt: skip
    if not (text and text.strip()):
        # The text is sent when the field loses focus, so a click on this button is enough.
        button("Preview", "batch_read", "playlist_add_check", type="primary")
        return None
    sheet: Sheet = _cached("batch_sheet", (text,), lambda: sheet_of_text(text))
    return sheet


def _from_file(workbench: Workbench) -> Sheet | None:
    given: UploadedFile | None = st.session_state.get("batch_file")
    if given is None:
        st.file_uploader(
            "CSV or text file", type=["csv", "tsv", "txt"], key="batch_upload", on_change=_keep_upload,
            max_upload_size=MAX_BYTES // 1_000_000,
            help="From a spreadsheet, save as CSV (UTF-8). Commas, semicolons, tabs and bars separate columns. "
            "A .txt file has one claim per line.",
        )  # fmt: skip
        stays = "" if shared_records(workbench) else " The file stays on this machine."
        st.caption(f"At most {MAX_ROWS:,} claims and {MAX_BYTES // 1_000_000} MB.{stays}")
        return None
    with st.container(border=True, gap="small"):
        with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"):
            st.markdown(f":material/description: **{plain(shorten(given.name, 80))}**", width="content")
            button("Another file", "batch_forget", "close", forget, type="tertiary")
        how, options = st.container(), st.expander("Encoding and head", icon=":material/tune:", type="compact")
        # Drawn before the file is read: they are the way out when it cannot be read like this.
        encoding = options.selectbox(
            "Encoding", list(ENCODINGS), key="batch_encoding", format_func=lambda e: ENCODINGS[e],
            persist_state="session", help="Change it if letters such as é or ß look wrong in the preview.",
        )  # fmt: skip
        _guess_head(given, encoding)
        head = options.toggle(
            "The first line names the columns", key="batch_head", on_change=_head_chosen, persist_state="session"
        )
        sheet = _uploaded_sheet(given, head, encoding)
        how.caption(f"Read as {plain(sheet.how)}, {count(len(sheet.rows), 'line')}.")
        return sheet


def _keep_upload() -> None:
    """Keep the uploaded file: its widget forgets it on another page."""
    given = st.session_state.get("batch_upload")
    forget()
    if given is not None:
        body = given.getvalue()
        st.session_state["batch_file"] = UploadedFile(given.name, body, hashlib.sha256(body).hexdigest())


def forget() -> None:
    """Drop the file and what was read from it. For callbacks."""
    for name in ("file", "sheet", "lines", "column", "context", "found_at", "head", "head_unsure", "encoding"):
        st.session_state.pop(f"batch_{name}", None)


def _guess_head(given: UploadedFile, encoding: str) -> None:
    """Set whether the first line names the columns, until the user has chosen or the file could be read."""
    state = st.session_state
    if "batch_head" in state and not state.get("batch_head_unsure"):
        return
    try:
        state["batch_head"], state["batch_head_unsure"] = _uploaded_sheet(given, None, encoding).has_head, False
    except ClaimError:  # guessed again in another encoding
        state["batch_head"], state["batch_head_unsure"] = False, True


def _head_chosen() -> None:
    st.session_state["batch_head_unsure"] = False


def _uploaded_sheet(given: UploadedFile, head: bool | None, encoding: str) -> Sheet:
    """The file as rows, read once for each way of reading it."""
    sheet: Sheet = _cached(
        "batch_sheet", (given.digest, head, encoding), lambda: read_sheet(given.body, given.name, head, encoding)
    )
    return sheet


def claim_list(sheet: Sheet, columns: Columns, max_chars: int, matcher: ClaimMatcher | None = None) -> ClaimList:
    """The claims of a sheet, worked out once for each choice of columns; with a ``matcher`` also what repeats what."""

    def make() -> ClaimList:
        found = claims_of(sheet, columns, max_chars)
        if matcher is None:
            return found
        with st.spinner("Looking for claims that say the same"):
            return join_repeats(found, matcher)

    # The key has the sheet itself, not its id, which a later sheet can get. Comparing the same sheet costs nothing.
    found: ClaimList = _cached("batch_lines", (sheet, columns, max_chars), make)
    return found


def _cached(slot: str, key: tuple[object, ...], make: Callable[[], Any]) -> Any:
    """What ``make`` returned or raised for this key; one result is kept in each slot of the session."""
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


def _preview_and_start(workbench: Workbench, engine: BatchEngine, sheet: Sheet) -> None:
    columns = Columns(0) if len(sheet.head) == 1 else _columns(sheet)
    if columns is None:
        st.info("Choose the column with the claims. No column looks like sentences.", icon=":material/view_column:")
        return
    claims = claim_list(sheet, columns, workbench.settings.max_claim_chars, workbench.matcher)
    metrics("batch_figures", [
        ("To check", f"{len(claims.checked):,}", "Different claims; each is checked once."),
        ("Repeated", f"{len(claims.repeated):,}", "Lines that repeat an earlier claim and get its verdict."),
        ("Blank", f"{len(claims.blank):,}", "Lines without text, which are left out."),
        ("Not checkable", f"{len(claims.refused):,}", "Lines that appear in the results with the reason."),
    ], 150)  # fmt: skip
    _preview(claims)
    if claims.refused:
        _refused(sheet, claims)
    if claims.checked:
        _start(workbench, engine, sheet, claims)
    else:
        st.info("No line can be checked. Choose another column or another file.", icon=":material/inbox:")


def _columns(sheet: Sheet) -> Columns | None:
    """The chosen columns; None when there is no choice for the claims yet."""
    places = list(range(len(sheet.head)))

    def name(place: int | None) -> str:
        return "None" if place is None else shorten(sheet.head[place], 60) or f"column {place + 1}"

    if st.session_state.get("batch_column") not in places:
        st.session_state["batch_column"] = sheet.claim_column
    first, second, third = st.columns(3)
    claim = first.selectbox(
        "Claims", places, index=None, key="batch_column", format_func=name, persist_state="session",
        placeholder="Choose a column",
    )  # fmt: skip
    others: list[int | None] = [None, *(place for place in places if place != claim)]
    chosen = []
    for column, label, key, note in (
        (second, "Context", "batch_context",
         "Who said it, when, about what. It helps to understand the claim and is not checked itself."),
        (third, "Source", "batch_found_at",
         "The address where the claim was found. That page never counts as evidence for it."),
    ):  # fmt: skip
        if st.session_state.get(key) not in others:
            st.session_state[key] = None
        chosen.append(column.selectbox(label, others, key=key, format_func=name, persist_state="session", help=note))
    return None if claim is None else Columns(claim, *chosen)


def _preview(claims: ClaimList) -> None:
    theme.kicker("Preview")
    shown = claims.items[:SHOWN]
    notes = [item.refused or (f"same as line {line:,}" if (line := claims.first_line(item)) else "") for item in shown]
    sourced = any(item.found_at for item in shown)
    table([
        {"Line": f"{item.line:,}", "Claim": plain(shorten(item.claim, 200)) or "–"}
        | ({"Source": plain(shorten(item.found_at, 60))} if sourced else {})
        | ({"Note": plain(shorten(note, 120))} if any(notes) else {})
        for item, note in zip(shown, notes, strict=True)
    ])  # fmt: skip
    for remark in claims.remarks:
        st.caption(f":material/info: {plain(remark)}")


def _refused(sheet: Sheet, claims: ClaimList) -> None:
    with st.expander(f"Why {count(len(claims.refused), 'line')} cannot be checked", icon=":material/block:"):
        for item in claims.refused[:REFUSED_SHOWN]:
            st.markdown(f"**Line {item.line:,}**: {plain(item.refused)}")
        if len(claims.refused) > REFUSED_SHOWN:
            st.caption(f"And {len(claims.refused) - REFUSED_SHOWN:,} more.")
        download(
            "Download all as CSV",
            lambda: csv_bytes(["line", "why", *sheet.head], ([i.line, i.refused, *i.cells] for i in claims.refused)),
            "lines-not-checked.csv", "text/csv", "batch_refused",
        )  # fmt: skip


def _start(workbench: Workbench, engine: BatchEngine, sheet: Sheet, claims: ClaimList) -> None:
    default = "Pasted lines" if sheet.pasted else PurePath(sheet.name).stem or "Untitled list"
    theme.kicker("Options")
    left, right = st.columns([2, 1])
    name = left.text_input(
        "Name", key="batch_name", placeholder=shorten(default, 60), max_chars=120, persist_state="session"
    )
    as_of = right.date_input(
        "As of", value=None, key="batch_as_of", min_value="1900-01-01", max_value="today", format="YYYY-MM-DD",
        help="Evidence published after this day is left out.", persist_state="session",
    )  # fmt: skip
    with st.container(horizontal=True, vertical_alignment="center"):
        words = f"Check {count(len(claims.checked), 'claim')}"
        started = button(words, "batch_start", "playlist_play", type="primary")
        web = _web_switch(workbench)
    st.caption(_limits(workbench, len(claims.checked), web))
    searched = workbench.search_recipients if web else ()
    st.caption(
        privacy_line(
            workbench.judge_info, searched, pipeline=workbench.settings.pipeline, records=shared_records(workbench)
        )
    )
    if not started:
        return
    new = NewBatch(
        name=(name or "").strip() or shorten(default, 120), items=claims.items,
        source=sheet.name if not sheet.pasted else "", columns=sheet.head, remarks=claims.remarks,
        as_of=as_of, web=web,
    )  # fmt: skip
    try:
        batch_id = engine.start(new)
    except GhostError as error:
        theme.show_error(f"{error} Your list is still here.")
    else:
        st.session_state["batch_begun"] = True
        open_item("batch", "batch", batch_id)
        st.rerun()


def _web_switch(workbench: Workbench) -> bool:
    possible = bool(workbench.search_recipients)
    st.session_state.setdefault("batch_web", possible)
    off = "Web search is off for this workbench (GHOST_WEB, GHOST_SEARCH_PROVIDERS)."
    return st.toggle(
        "Search the web", key="batch_web", disabled=not possible, persist_state="session",
        help="Off: only your knowledge base is searched." if possible else off,
    ) and possible  # fmt: skip


def _limits(workbench: Workbench, claims: int, web: bool) -> str:
    """What the batch can cost at most, as Markdown; the limits apply to each claim."""
    s = workbench.settings
    parts = [f"{s.max_seconds:,.0f} s per claim"]
    if web:
        parts.append(f"{claims * s.max_searches:,} searches and {claims * s.max_fetches:,} pages in total")
    if workbench.judge_info.name == "cloud":
        parts.append(f"US\\$ {claims * s.max_cost_usd:,.2f} in total")
    return f":material/speed: At most {', '.join(parts)}."
