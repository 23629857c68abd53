"""Where a list of claims is handed in: paste or upload, see what was understood, begin."""

from pathlib import PurePath
from typing import TYPE_CHECKING

import streamlit as st

from ghost.errors import ClaimError, GhostError
from ghost.jobs import MAX_BYTES, MAX_ROWS, BatchEngine, ClaimList, Columns, Sheet
from ghost.records import NewBatch
from ghost.text import csv_bytes
from ghost.ui.batch import detail, draft
from ghost.ui.batch.batch_list import batch_list
from ghost.ui.shared import theme
from ghost.ui.shared.text import count, plain, shorten
from ghost.ui.verify.verdict import privacy_line

if TYPE_CHECKING:
    from ghost.workbench import Workbench

PASTE, UPLOAD = "Paste lines", "Upload a file"
SHOWN = 5
"""Rows of the preview."""
TOLD = 50
"""Lines that cannot be checked, listed on the page; all of them can be downloaded."""


def overview(workbench: "Workbench", engine: BatchEngine) -> None:
    """The page without a batch: the form on the left, earlier batches on the right."""
    if st.session_state.pop("batch_begun", False):
        draft.forget()
        st.session_state["batch_pasted"] = st.session_state["batch_name"] = ""
    left, right = st.columns([2, 1], gap="large")
    with left:
        st.title("Check many claims", anchor=False)
        st.markdown(
            "Hand in a list. Every claim gets its own verdict and its own report; your columns come back with them."
        )
        sheet = _list_of_claims(workbench)
        if sheet:
            _understood(workbench, engine, sheet)
    with right:
        _orientation()
        batch_list(workbench)


def _orientation() -> None:
    with st.container(border=True):
        theme.kicker("How a batch goes")
        st.markdown(
            ":blue[:material/playlist_add_check:] Each different claim is checked once, in the order of the list.\n\n"
            ":blue[:material/play_circle:] It goes on while you are away, lets checks of your own go first, and can "
            "be paused.\n\n"
            ":blue[:material/power_settings_new:] When Ghost is closed, it waits where it was.\n\n"
            ":blue[:material/download:] Results come back as CSV or JSONL, beside your own columns."
        )


def _list_of_claims(workbench: "Workbench") -> Sheet | None:
    st.session_state.setdefault("batch_way", PASTE)
    way = st.segmented_control(
        "Where the list comes from", [PASTE, UPLOAD], key="batch_way", required=True, persist_state="session",
        format_func=lambda w: f":material/{'content_paste' if w == PASTE else 'upload_file'}: {w}",
    )  # fmt: skip
    try:
        return _from_file() if way == UPLOAD else _from_text(workbench)
    except ClaimError as error:
        st.warning(plain(str(error)), icon=":material/edit_note:")
        return None


def _from_text(workbench: "Workbench") -> Sheet | None:
    text = st.text_area(
        "Claims, one on each line",
        key="batch_pasted",
        placeholder="The Great Wall of China is visible from the Moon\nVaccines cause autism\nThe Earth is round",
        height=220,
        help=f"At most {MAX_ROWS:,} lines of {workbench.settings.max_claim_chars:,} characters. Ctrl+Enter takes them.",
        persist_state="session",
    )
    if not (text and text.strip()):
        # What was typed arrives when the field is left, so a click on this is enough.
        st.button("Read the lines", key="batch_read", icon=":material/playlist_add_check:", type="primary")
        return None
    return draft.pasted_sheet(text)


def _from_file() -> Sheet | None:
    given = draft.file()
    if given is None:
        st.file_uploader(
            "A list as CSV or text",
            type=["csv", "tsv", "txt"],
            key="batch_upload",
            max_upload_size=MAX_BYTES // 1_000_000,
            on_change=draft.keep_upload,
            help="From a spreadsheet: save it as CSV (UTF-8). Comma, semicolon, tab and bar are understood.",
        )
        st.caption(f"At most {MAX_ROWS:,} claims and {MAX_BYTES // 1_000_000} MB. The file stays on this machine.")
        return None
    with st.container(border=True, gap="small"):
        with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"):
            st.markdown(f":material/description: **{plain(shorten(given.name, 80))}**", width="content")
            st.button(
                "Another file", key="batch_forget", icon=":material/close:", type="tertiary",
                on_click=draft.forget,
            )  # fmt: skip
        said, how = st.container(), st.expander("How the file is read", icon=":material/tune:", type="compact")
        # All drawn before the file is read: they are the way out where what was chosen does not fit.
        encoding = how.selectbox(
            "Encoding", list(draft.ENCODINGS), key="batch_encoding",
            format_func=lambda e: draft.ENCODINGS[e], persist_state="session",
            help="Change it when letters such as é or ß look wrong below.",
        )  # fmt: skip
        draft.guess_head(given, encoding)
        head = how.toggle(
            "The first line names the columns", key="batch_head", on_change=draft.head_chosen,
            persist_state="session",
        )  # fmt: skip
        sheet = draft.sheet_of(given, head, encoding)
        said.caption(f"Read as {plain(sheet.how)}, {count(len(sheet.rows), 'line')}.")
        return sheet


def _understood(workbench: "Workbench", engine: BatchEngine, sheet: Sheet) -> None:
    columns = Columns(0) if sheet.pasted else _columns(sheet)
    lines = draft.lines_of(sheet, columns, workbench.settings.max_claim_chars)
    _figures(lines)
    _preview(lines)
    if lines.refused:
        _refused(sheet, lines)
    if not lines.checked:
        st.info(
            "There is no line that can be checked. Choose another column, or another file.", icon=":material/inbox:"
        )
        return
    _settings(workbench, engine, sheet, lines)


def _columns(sheet: Sheet) -> Columns:
    places = list(range(len(sheet.head)))

    def name(place: int | None) -> str:
        return "None" if place is None else shorten(sheet.head[place], 60) or f"column {place + 1}"

    if st.session_state.get("batch_column") not in places:
        st.session_state["batch_column"] = sheet.claim_column
    first, second, third = st.columns(3)
    claim = first.selectbox(
        "Column of the claims", places, key="batch_column", format_func=name, persist_state="session"
    )
    others: list[int | None] = [None, *(place for place in places if place != claim)]
    for key in ("batch_context", "batch_found_at"):
        if st.session_state.get(key) not in others:
            st.session_state[key] = None
    context = second.selectbox(
        "Column of the context", others, key="batch_context", format_func=name, persist_state="session",
        help="Who said it, when, about what. Helps to read the claim; it is not checked itself.",
    )  # fmt: skip
    found_at = third.selectbox(
        "Column of the source", others, key="batch_found_at", format_func=name, persist_state="session",
        help="The address where the claim was found. That page never counts as evidence for it.",
    )  # fmt: skip
    return Columns(claim, context, found_at)


def _figures(lines: ClaimList) -> None:
    with st.container(horizontal=True, key="batch_figures"):
        for label, number, note in (
            ("To check", len(lines.checked), "Different claims; each is checked once."),
            ("Repeated", len(lines.repeated), "Lines with a claim that stands further up. They get its verdict."),
            ("Blank", len(lines.blank), "Lines without any text. They are left out."),
            ("Not checkable", len(lines.refused), "Lines that stay in the results with the reason."),
        ):
            st.metric(label, f"{number:,}", help=note, border=True, width=150)


def _preview(lines: ClaimList) -> None:
    theme.kicker("The first lines")
    shown = lines.items[:SHOWN]
    told, sourced = any(item.refused for item in shown), any(item.found_at for item in shown)
    rows = [
        {"Line": f"{item.line:,}", "Claim": plain(shorten(item.claim, 200)) or "–"}
        | ({"Source": plain(shorten(item.found_at, 60))} if sourced else {})
        | ({"Note": plain(shorten(item.refused, 120))} if told else {})
        for item in shown
    ]
    st.table(rows, border="horizontal", hide_index=True)
    for remark in lines.remarks:
        st.caption(f":material/info: {plain(remark)}")


def _refused(sheet: Sheet, lines: ClaimList) -> None:
    with st.expander(f"Why {count(len(lines.refused), 'line')} cannot be checked", icon=":material/block:"):
        for item in lines.refused[:TOLD]:
            st.markdown(f"**Line {item.line:,}**: {plain(item.refused)}")
        if len(lines.refused) > TOLD:
            st.caption(f"And {len(lines.refused) - TOLD:,} more.")
        st.download_button(
            "All of them as CSV",
            lambda: csv_bytes(["line", "why", *sheet.head], ([i.line, i.refused, *i.cells] for i in lines.refused)),
            "lines-not-checked.csv", "text/csv", key="batch_refused", icon=":material/download:", on_click="ignore",
        )  # fmt: skip


def _settings(workbench: "Workbench", engine: BatchEngine, sheet: Sheet, lines: ClaimList) -> None:
    default = "Pasted lines" if sheet.pasted else PurePath(sheet.name).stem or "A list"
    theme.kicker("For all of them")
    left, right = st.columns([2, 1])
    name = left.text_input(
        "Name", key="batch_name", placeholder=shorten(default, 60), max_chars=120, persist_state="session"
    )
    as_of = right.date_input(
        "As of", value=None, key="batch_as_of", min_value="1900-01-01", max_value="today", format="YYYY-MM-DD",
        help="Evidence published after this day is left out.", persist_state="session",
    )  # fmt: skip
    with st.container(horizontal=True, vertical_alignment="center"):
        begun = st.button(
            f"Check {count(len(lines.checked), 'claim')}", key="batch_start", type="primary",
            icon=":material/playlist_play:",
        )  # fmt: skip
        web = _web_switch(workbench)
    st.caption(_limits(workbench, len(lines.checked), web))
    st.caption(privacy_line(workbench.judge_info, workbench.search_recipients if web else ()))
    if begun:
        new = NewBatch(
            name=(name or "").strip() or shorten(default, 120), items=lines.items,
            source=sheet.name if not sheet.pasted else "", columns=sheet.head, remarks=lines.remarks,
            as_of=as_of, web=web,
        )  # fmt: skip
        _begin(engine, new)


def _web_switch(workbench: "Workbench") -> bool:
    possible = bool(workbench.search_recipients)
    st.session_state.setdefault("batch_web", possible)
    why = "Off: nothing is searched, only your knowledge base is read."
    off = "Searches are switched off for this workbench (GHOST_WEB, GHOST_SEARCH_PROVIDERS)."
    return st.toggle(
        "Search the web", key="batch_web", disabled=not possible, help=why if possible else off,
        persist_state="session",
    ) and possible  # fmt: skip


def _begin(engine: BatchEngine, new: NewBatch) -> None:
    try:
        batch_id = engine.start(new)
    except GhostError as error:
        st.error(f"{plain(str(error))} Your list is still here.", icon=":material/error:")
    else:
        st.session_state["batch_begun"] = True
        detail.open_batch(batch_id)
        st.rerun()


def _limits(workbench: "Workbench", claims: int, web: bool) -> str:
    """What the batch can cost at most, as Markdown: the limits hold for each claim."""
    s = workbench.settings
    parts = [f"{s.max_seconds:,.0f} s for each claim"]
    if web:
        parts.append(f"{claims * s.max_searches:,} searches and {claims * s.max_fetches:,} pages in all")
    if workbench.judge_info.name == "cloud":
        parts.append(f"US\\$ {claims * s.max_cost_usd:,.2f} in all")
    return f":material/speed: At most {', '.join(parts)}. Checks of your own go first."
