"""Sections Quarantine and Duplicates: passages that wait for a decision, with the reason, and groups to merge."""

from dataclasses import replace

import streamlit as st

from ghost.knowledge import DuplicateGroup, PassageFilter
from ghost.reports import source
from ghost.types import Passage, Status
from ghost.ui.knowledge.browse import ACTIVE
from ghost.ui.knowledge.form import open_form
from ghost.ui.knowledge.selection import (
    facts_line,
    open_passage,
    run_change,
    select_all_box,
    select_box,
    toolbar,
)
from ghost.ui.shared import theme
from ghost.ui.shared.paging import paging
from ghost.ui.shared.parts import Workbench, button, details_button
from ghost.ui.shared.text import capitalized, coloured, count, plain, shorten

WAITING = PassageFilter(status=Status.QUARANTINED)
WAITING_SHOWN = 10
GROUPS_SHOWN = 5
COMPARED_AT_ONCE = 5_000
"""Passages up to which they are compared without a click, which takes a moment."""
OF_A_GROUP = 12
"""Passages of one group that are shown."""
_GROUPS = "knowledge_groups"
_KINDS = {"all": "All", "one": "One source", "several": "Several sources"}


def quarantine_section(workbench: Workbench) -> None:
    """The queue, newest first."""
    st.header("Quarantine", anchor=False)
    total = workbench.knowledge.count(WAITING)
    if not total:
        st.info(
            "Nothing is waiting. Passages that look like instructions to an AI, cannot be read, or come from a source "
            "below the minimum credibility wait here until you decide.",
            icon=":material/verified_user:",
        )
        return
    st.markdown(
        "Checks do not use these passages. Accept the good ones and reject the rest. A rejected passage is retired, so "
        "the same text does not come back."
    )
    part = paging("knowledge_quarantine_page", total, WAITING_SHOWN)
    waiting = workbench.knowledge.list(WAITING, WAITING_SHOWN, part.offset)
    why = workbench.knowledge.why_quarantined([p.id for p in waiting])
    st.caption(f"{part.offset + 1:,} to {part.offset + len(waiting):,} of {count(total, 'passage')}, newest first")
    curation = workbench.knowledge.curation
    select_all_box("quarantine", [p.id for p in waiting])
    for p in waiting:
        _card(workbench, p, why.get(p.id, ""))
    toolbar(workbench, "quarantine", [("Accept", "check", curation.restore), ("Reject", "archive", curation.retire)])
    part.numbers()


def _card(workbench: Workbench, p: Passage, why: str) -> None:
    curation = workbench.knowledge.curation
    title = shorten(p.title, 120) if p.title != p.source_name else ""
    with st.container(border=True, gap="small", key=f"knowledge_card_{p.id}"):
        with st.container(horizontal=True, vertical_alignment="center", gap="small", wrap=False):
            select_box("quarantine", p.id, shorten(p.text, 60))
            st.markdown(f"**{plain(shorten(source(p), 120))}** {coloured('gray', title)}")
        st.markdown(plain(p.text))
        reason = f"{plain(capitalized(why))}." if why else "No reason was stored."
        st.markdown(f":orange[:material/shield: **Reason:**] {reason}")
        theme.source_line(p.source_url)
        with st.container(horizontal=True, vertical_alignment="center"):
            st.caption(facts_line(p), width="stretch")
            for word, icon, action in (("Accept", "check", curation.restore), ("Reject", "archive", curation.retire)):
                button(word, f"knowledge_{word.lower()}_{p.id}", icon, run_change, workbench,
                       lambda action=action: action([p.id]))  # fmt: skip
            button("Edit first", f"knowledge_mend_{p.id}", "edit", _edit, p.id)
            details_button(f"knowledge_open_{p.id}", open_passage, p.id)


def _edit(passage_id: str) -> None:
    open_passage(passage_id)
    open_form(passage_id)


def duplicates_section(workbench: Workbench) -> None:
    """Groups of passages with nearly the same text, to merge into one."""
    st.header("Duplicates", anchor=False)
    st.markdown(
        "Passages with nearly the same wording. A verdict counts them as one origin anyway. Merging keeps one, adds up "
        "their statistics, and retires the others."
    )
    mark = workbench.knowledge.watermark()
    kept: tuple[int, list[DuplicateGroup]] | None = st.session_state.get(_GROUPS)
    if kept is None and workbench.knowledge.count(ACTIVE) <= COMPARED_AT_ONCE:
        kept = st.session_state[_GROUPS] = (mark, workbench.knowledge.duplicates())
    if kept is None or kept[0] != mark:
        _find(workbench, kept is not None)
    if kept is not None:
        _draw_groups(workbench, kept[1])


def _find(workbench: Workbench, again: bool) -> None:
    with st.container(horizontal=True, vertical_alignment="center"):
        asked = button("Search again" if again else "Find duplicates", "knowledge_look", "search")
        if again:
            st.caption("The knowledge base has changed since this search.", width="content")
    if asked:
        bar = st.progress(0.0, "Comparing passages")
        # A click while this runs ends the script at its next report. Nothing has been changed by then.
        button("Stop", "knowledge_look_stop", "stop")
        mark = workbench.knowledge.watermark()

        def report(what: str, done: int, total: int) -> None:
            bar.progress(done / max(total, 1), what)

        st.session_state[_GROUPS] = (mark, workbench.knowledge.duplicates(report))
        st.rerun()


def _draw_groups(workbench: Workbench, groups: list[DuplicateGroup]) -> None:
    if not groups:
        st.info("There are no duplicates among the active passages.", icon=":material/check_circle:")
        return
    kind = st.segmented_control(
        "Kind of group", list(_KINDS), key="knowledge_groups_kind", format_func=_KINDS.__getitem__, default="all",
        required=True, label_visibility="collapsed",
    )  # fmt: skip
    fitting = [g for g in groups if kind == "all" or (len(g.domains) > 1) is (kind == "several")]
    if not fitting:
        words = f"No group has {_KINDS[kind].lower()}; {count(len(groups), 'group')} of the other kind."
        st.info(words, icon=":material/filter_alt_off:")
        return
    part = paging("knowledge_groups_page", len(fitting), GROUPS_SHOWN)
    st.caption(f"{count(len(fitting), 'group')}, largest first")
    here = fitting[part.offset : part.offset + GROUPS_SHOWN]
    passages = {p.id: p for p in workbench.knowledge.get([i for g in here for i in g.ids[: OF_A_GROUP * 2]])}
    for group in here:
        alive = [passages[i] for i in group.ids if i in passages and passages[i].status is Status.ACTIVE]
        if len(alive) > 1:
            _group(workbench, alive, len(group.ids))
    part.numbers()


def _group(workbench: Workbench, passages: list[Passage], size: int) -> None:
    # The one that is worth keeping comes first.
    passages.sort(key=lambda p: (-p.credibility, -p.verification_count, p.published_at is None, p.id))
    by_id = {p.id: p for p in passages[:OF_A_GROUP]}
    first = min(by_id)
    domains = list(dict.fromkeys(p.domain or p.source_name for p in by_id.values()))
    with st.container(border=True, key=f"knowledge_group_{first}"):
        sources = "one source" if len(domains) == 1 else count(len(domains), "source")
        st.markdown(f"**{count(len(by_id), 'passage')}** from {sources}: {plain(shorten(', '.join(domains), 120))}")
        if size > len(by_id) == OF_A_GROUP:
            st.caption(f"The group has {size:,}. The others follow when these are merged.")
        key = f"knowledge_keep_{first}"
        labels = {i: f"**{plain(shorten(source(p), 120))}** {plain(shorten(p.text, 350))}" for i, p in by_id.items()}
        st.radio(
            "Passage to keep", list(by_id), key=key, format_func=labels.__getitem__,
            captions=[_caption(p) for p in by_id.values()],
        )  # fmt: skip
        with st.container(horizontal=True):
            button("Merge into the selected one", f"knowledge_merge_{first}", "merge", _merge, workbench, key,
                   set(by_id))  # fmt: skip
            button("Open the selected one", f"knowledge_group_open_{first}", "chevron_right", _open, key,
                   type="tertiary")  # fmt: skip


def _caption(p: Passage) -> str:
    return f"{facts_line(p)} · Indexed {theme.day(p.indexed_at)} · {plain(shorten(p.source_url, 70))}"


def _merge(workbench: Workbench, key: str, ids: set[str]) -> None:
    kept = st.session_state[key]
    if run_change(workbench, lambda: workbench.knowledge.curation.merge(kept, sorted(ids))):
        mark, groups = st.session_state[_GROUPS]
        merged = ids - {kept}
        left = (replace(g, ids=tuple(i for i in g.ids if i not in merged)) for g in groups)
        st.session_state[_GROUPS] = (mark, [g for g in left if len(g.ids) > 1])


def _open(key: str) -> None:
    open_passage(st.session_state[key])
