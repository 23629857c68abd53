"""Section Duplicates: groups of passages with nearly the same text, to merge into one."""

from dataclasses import replace
from typing import TYPE_CHECKING

import streamlit as st

from ghost.knowledge import DuplicateGroup
from ghost.types import Passage, Status
from ghost.ui.knowledge.filters import ACTIVE
from ghost.ui.knowledge.selection import open_passage, run_change, used
from ghost.ui.shared import theme
from ghost.ui.shared.paging import paging
from ghost.ui.shared.text import count, plain, shorten

if TYPE_CHECKING:
    from ghost.workbench import Workbench

PAGE = 5
AT_ONCE = 5_000
"""Passages up to which they are compared without a click, which takes a moment."""
SHOWN = 12
"""Passages of one group that are shown."""
_KEPT = "knowledge_groups"
_KINDS = {"all": "All", "one": "One source", "several": "Several sources"}
_NONE = {"all": "is left", "one": "has one source", "several": "has several sources"}


def section(workbench: "Workbench") -> None:
    """Find the groups and show them."""
    st.header("Duplicates", anchor=False)
    st.markdown(
        "Passages with nearly the same wording. A verdict counts them as one origin anyway. Merging keeps one, adds up "
        "their statistics, and retires the others."
    )
    mark = workbench.knowledge.watermark()
    kept: tuple[int, list[DuplicateGroup]] | None = st.session_state.get(_KEPT)
    if kept is None and workbench.knowledge.count(ACTIVE) <= AT_ONCE:
        kept = (mark, workbench.knowledge.duplicates())
        st.session_state[_KEPT] = kept
    if kept is None or kept[0] != mark:
        _look(workbench, kept is not None)
        kept = st.session_state.get(_KEPT)
    if kept is not None:
        _groups(workbench, kept[1])


def _look(workbench: "Workbench", again: bool) -> None:
    words = "Search again" if again else "Find duplicates"
    with st.container(horizontal=True, vertical_alignment="center"):
        asked = st.button(words, key="knowledge_look", icon=":material/search:", type="secondary")
        if again:
            st.caption("The knowledge base has changed since this search.", width="content")
    if not asked:
        return
    bar = st.progress(0.0, "Comparing passages")
    # A click while this runs ends the script at its next report. Nothing has been changed by then.
    st.button("Stop", key="knowledge_look_stop", icon=":material/stop:")

    def report(what: str, done: int, total: int) -> None:
        bar.progress(done / max(total, 1), what)

    found = workbench.knowledge.duplicates(report)
    st.session_state[_KEPT] = (workbench.knowledge.watermark(), found)
    st.rerun()


def _groups(workbench: "Workbench", groups: list[DuplicateGroup]) -> None:
    kind = st.session_state.get("knowledge_groups_kind") or "all"
    several = {"one": False, "several": True}.get(kind)
    fitting = [g for g in groups if several is None or (len(g.domains) > 1) is several]
    if groups:
        st.segmented_control(
            "Kind of group", list(_KINDS), key="knowledge_groups_kind", format_func=_KINDS.__getitem__, default="all",
            required=True, label_visibility="collapsed",
        )  # fmt: skip
    if groups and not fitting:
        others = count(len(groups), "group")
        st.info(f"No group {_NONE[kind]}; {others} of the other kind.", icon=":material/filter_alt_off:")
        return
    if not groups:
        st.info("There are no duplicates among the active passages.", icon=":material/check_circle:")
        return
    part = paging("knowledge_groups_page", len(fitting), PAGE)
    st.caption(f"{count(len(fitting), 'group')}, largest first")
    here = fitting[part.offset : part.offset + PAGE]
    passages = {p.id: p for p in workbench.knowledge.get([i for g in here for i in g.ids[: SHOWN * 2]])}
    for group in here:
        alive = [passages[i] for i in group.ids if i in passages and passages[i].status is Status.ACTIVE]
        if len(alive) > 1:
            _group(workbench, alive, len(group.ids))
    part.numbers()


def _group(workbench: "Workbench", passages: list[Passage], size: int) -> None:
    passages = sorted(passages, key=_worth)[:SHOWN]
    first = min(p.id for p in passages)
    domains = list(dict.fromkeys(p.domain or p.source_name for p in passages))
    with st.container(border=True, key=f"knowledge_group_{first}"):
        sources = "one source" if len(domains) == 1 else count(len(domains), "source")
        st.markdown(f"**{count(len(passages), 'passage')}** from {sources}: {plain(shorten(', '.join(domains), 120))}")
        if size > len(passages) == SHOWN:
            st.caption(f"The group has {size:,}. The others follow when these are merged.")
        key = f"knowledge_keep_{first}"
        by_id = {p.id: p for p in passages}
        st.radio(
            "Passage to keep", list(by_id), key=key,
            format_func=lambda i: _label(by_id[i]),
            captions=[_caption(p) for p in passages],
        )  # fmt: skip
        with st.container(horizontal=True):
            st.button(
                "Merge into the selected one", key=f"knowledge_merge_{first}", icon=":material/merge:",
                on_click=_merge, args=(workbench, key, tuple(by_id)),
            )  # fmt: skip
            st.button(
                "Open the selected one", key=f"knowledge_group_open_{first}", type="tertiary",
                icon=":material/chevron_right:", on_click=_open, args=(key,),
            )  # fmt: skip


def _worth(p: Passage) -> tuple[float, int, bool, str]:
    """Sorts the passage that is worth keeping first."""
    return -p.credibility, -p.verification_count, p.published_at is None, p.id


def _label(p: Passage) -> str:
    return f"**{plain(shorten(p.source_name, 60))}** {plain(shorten(p.text, 350))}"


def _caption(p: Passage) -> str:
    return (
        f"{theme.stars(p.credibility, p.rated)} · {theme.dated(p)} · {used(p)} · Indexed {theme.day(p.indexed_at)} · "
        f"{plain(shorten(p.source_url, 70))}"
    )


def _merge(workbench: "Workbench", key: str, ids: tuple[str, ...]) -> None:
    kept = st.session_state[key]
    if run_change(workbench, lambda: workbench.knowledge.curation.merge(kept, ids)):
        mark, groups = st.session_state[_KEPT]
        merged = set(ids) - {kept}
        left = (replace(g, ids=tuple(i for i in g.ids if i not in merged)) for g in groups)
        st.session_state[_KEPT] = (mark, [g for g in left if len(g.ids) > 1])


def _open(key: str) -> None:
    open_passage(st.session_state[key])
