"""The results of a batch: counts, a table to filter and sort, and exports."""

from collections.abc import Iterator, Mapping

import streamlit as st

from ghost.records import Batch, BatchItem, ItemFilter, ItemOrder, ItemState, Outcome, OverriddenRun, Tally
from ghost.reports import batch_csv, batch_jsonl, confidence, item_note
from ghost.types import Label
from ghost.ui.shared import theme
from ghost.ui.shared.paging import paging
from ghost.ui.shared.parts import Workbench, button, download, table
from ghost.ui.shared.text import plain, shorten

PAGE = 50
ORDERS = {
    ItemOrder.FILE: "Original order",
    ItemOrder.VERDICT: "By verdict",
    ItemOrder.LEAST_SURE: "Lowest confidence first",
    ItemOrder.MOST_SURE: "Highest confidence first",
    ItemOrder.SLOWEST: "Slowest first",
}


def results(workbench: Workbench, batch: Batch) -> None:
    """Counts, filters, table and exports."""
    st.header("Results", anchor=False)
    with theme.errors_shown():
        tally = workbench.batches.tally(batch.id)
        narrow = _narrowed(batch.id, _choice(batch.id, tally))
        order = st.session_state.get("batch_order", ItemOrder.FILE)
        total = workbench.batches.count(batch.id, narrow)
        part = paging(f"batch_page_{batch.id}", total, PAGE)
        found = workbench.batches.items(batch.id, narrow, order, PAGE, part.offset)
        overrides = _overrides(workbench)
        if not found:
            st.info("Nothing matches these filters.", icon=":material/filter_alt_off:")
        else:
            last = part.offset + len(found)
            st.caption(f"{part.offset + 1:,} to {last:,} of {total:,}. Click a claim to open its report.")
            table([_row(item, overrides) for item in found])
            part.numbers()
        _exports(workbench, batch, narrow, total, tally.total)


def _overrides(workbench: Workbench) -> dict[str, OverriddenRun]:
    """The analyst's verdicts by run."""
    return {o.run_id: o for o in workbench.reviews.overrides()}


def _choice(batch_id: str, tally: Tally) -> set[str]:
    """The kinds that are shown, chosen with buttons that have their counts; none chosen shows all."""
    name = f"batch_kinds_{batch_id}"
    chosen: set[str] = set(st.session_state.get(name, ()))
    kinds: list[tuple[str, theme.Badge, int]] = [
        (label.name, theme.VERDICTS[label], number)
        for label in Label
        if (number := tally.labels.get(label, 0)) or label.name in chosen
    ]
    kinds += [
        (state.name, theme.ITEM_STATES[state], number)
        for state in ItemState
        if state is not ItemState.DONE and (number := tally.of(state))
    ]
    with st.container(horizontal=True, gap="small", key="batch_kinds"):
        for kind, badge, number in kinds:
            on = kind in chosen
            button(
                f":{badge.colour}[:material/{badge.icon}:] {badge.word} **{number:,}**", f"batch_kind_{kind}",
                "check" if on else "", _toggle, name, kind, batch_id, type="primary" if on else "secondary",
                help="Click to remove this filter." if on else "Click to show only these.",
            )  # fmt: skip
    return chosen


def _toggle(name: str, kind: str, batch_id: str) -> None:
    st.session_state[name] = set(st.session_state.get(name, ())) ^ {kind}
    st.session_state.pop(f"batch_page_{batch_id}", None)


def _narrowed(batch_id: str, chosen: set[str]) -> ItemFilter:
    left, right = st.columns([2, 1])
    text = left.text_input(
        "Search in the claims", key="batch_text", icon=":material/search:", placeholder="Any words", max_chars=200,
        persist_state="session", on_change=st.session_state.pop, args=(f"batch_page_{batch_id}", None),
    )  # fmt: skip
    right.selectbox(
        "Order", list(ORDERS), key="batch_order", format_func=lambda order: ORDERS[order], persist_state="session"
    )
    states = tuple(state for state in ItemState if state.name in chosen)
    return ItemFilter(text or "", states, tuple(label for label in Label if label.name in chosen))


def _row(item: BatchItem, overrides: Mapping[str, OverriddenRun]) -> dict[str, str]:
    claim = plain(shorten(item.claim, 240)) or "–"
    if item.run_id:
        claim = f"[{claim}](./?run={item.run_id})"
    if remark := item_note(item):
        claim += f"  \n:small[:gray[{plain(shorten(remark, 200))}]]"
    override = overrides.get(item.run_id) if item.label else None
    mine = override.analyst if override else None
    badge = theme.VERDICTS[mine or item.label] if item.label else theme.ITEM_STATES[item.state]
    sure = confidence(item) if mine in (None, item.label) else ""
    facts = [sure] if sure else []
    if mine and item.label:
        facts.insert(0, "confirmed by you" if mine is item.label else f"yours; Ghost: {item.label.value}")
    if item.seconds is not None and item.same_as is None:
        facts.append(theme.seconds(item.seconds))
    verdict = badge.badge + (f"  \n:small[:gray[{' · '.join(facts)}]]" if facts else "")
    # Only three columns, so that a claim has room on a phone.
    return {"Line": f"{item.line:,}", "Claim": claim, "Verdict, confidence, time": verdict}


def _exports(workbench: Workbench, batch: Batch, narrow: ItemFilter, shown: int, total: int) -> None:
    name = "".join(c if c.isalnum() or c in "-_" else "-" for c in batch.name.lower())[:60].strip("-") or "batch"

    def rows() -> Iterator[tuple[BatchItem, Outcome | None]]:
        return workbench.batches.outcomes(batch.id, narrow)

    with st.container(horizontal=True, vertical_alignment="center"):
        for label, mime, make in (("CSV", "text/csv", batch_csv), ("JSONL", "application/jsonl", batch_jsonl)):
            ending = label.lower()
            download(
                f"Export {label}", lambda make=make: make(batch, rows(), _overrides(workbench)), f"{name}.{ending}",
                mime, f"batch_export_{ending}", disabled=not shown,
            )  # fmt: skip
        what = "all lines" if shown == total else f"the {shown:,} lines shown"
        st.caption(
            f"Exports {what} in the original order, with your columns. In CSV, cells that a spreadsheet would run as a "
            "formula start with an apostrophe."
        )
