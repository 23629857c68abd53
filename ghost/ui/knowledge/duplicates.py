"""Section Duplicates: passages of nearly one text, to be merged into the one worth keeping."""

from dataclasses import replace
from typing import TYPE_CHECKING

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from ghost.knowledge import DuplicateGroup
from ghost.types import Passage, Status
from ghost.ui.knowledge.filters import ACTIVE
from ghost.ui.knowledge.passage import open_passage
from ghost.ui.shared import actions, theme
from ghost.ui.shared.text import count, plain, shorten

if TYPE_CHECKING:
    from ghost.workbench import Workbench

PAGE = 5
AT_ONCE = 5_000
"""Up to so many passages are compared without being asked to: it takes a moment."""
SHOWN = 12
"""Passages of one group that are shown."""
_KEPT = "knowledge_groups"
_KINDS = {"all": "All", "one": "Of one source", "several": "Of several sources"}
_NONE = {"all": "is left", "one": "is of one source", "several": "is of several sources"}


def section(workbench: "Workbench") -> None:
    """Look for groups, and go through them."""
    st.header("Duplicates", anchor=False)
    st.markdown(
        "Passages that say nearly the same in the same words. Several of them count as one origin in a verdict; "
        "merging keeps one, retires the others, and gives it their statistics."
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
    words = "Look again" if again else "Look for duplicates"
    with st.container(horizontal=True, vertical_alignment="center"):
        asked = st.button(words, key="knowledge_look", icon=":material/search:", type="secondary")
        if again:
            st.caption("The knowledge base has changed since these were found.", width="content")
    if not asked:
        return
    bar = st.progress(0.0, "Comparing passages")
    # A click while this goes on stops the script at the next report, and nothing has been changed.
    st.button("Stop", key="knowledge_look_stop", icon=":material/stop:")
    found = workbench.knowledge.duplicates(_Bar(bar))
    st.session_state[_KEPT] = (workbench.knowledge.watermark(), found)
    st.rerun()


class _Bar:
    """Shows how far the comparison is."""

    def __init__(self, bar: DeltaGenerator) -> None:
        self._bar = bar

    def __call__(self, what: str, done: int, total: int) -> None:
        self._bar.progress(done / max(total, 1), what)


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
        st.info("No two active passages say the same in the same words.", icon=":material/check_circle:")
        return
    pages = -(-len(fitting) // PAGE)
    page = actions.page_of("groups", pages)
    st.caption(f"{count(len(fitting), 'group')}, the largest first")
    here = fitting[(page - 1) * PAGE : page * PAGE]
    passages = {p.id: p for p in workbench.knowledge.get([i for g in here for i in g.ids[: SHOWN * 2]])}
    for group in here:
        alive = [passages[i] for i in group.ids if i in passages and passages[i].status is Status.ACTIVE]
        if len(alive) > 1:
            _group(workbench, alive, len(group.ids))
    if pages > 1:
        actions.pages("groups", page, pages)


def _group(workbench: "Workbench", passages: list[Passage], size: int) -> None:
    passages = sorted(passages, key=_worth)[:SHOWN]
    first = min(p.id for p in passages)
    domains = list(dict.fromkeys(p.domain or p.source_name for p in passages))
    with st.container(border=True, key=f"knowledge_group_{first}"):
        said = "one source" if len(domains) == 1 else count(len(domains), "source")
        st.markdown(f"**{count(len(passages), 'passage')}** of {said}: {plain(shorten(', '.join(domains), 120))}")
        if size > len(passages) == SHOWN:
            st.caption(f"The group has {size:,} of them: these come first, the others when these are merged.")
        key = f"knowledge_keep_{first}"
        by_id = {p.id: p for p in passages}
        st.radio(
            "Which one to keep", list(by_id), key=key,
            format_func=lambda i: _label(by_id[i]),
            captions=[_caption(p) for p in passages],
        )  # fmt: skip
        with st.container(horizontal=True):
            st.button(
                "Merge into the one chosen", key=f"knowledge_merge_{first}", icon=":material/merge:",
                on_click=_merge, args=(workbench, key, tuple(by_id)),
            )  # fmt: skip
            st.button(
                "Open the one chosen", key=f"knowledge_group_open_{first}", type="tertiary",
                icon=":material/chevron_right:", on_click=_open, args=(key,),
            )  # fmt: skip


def _worth(p: Passage) -> tuple[float, int, bool, str]:
    """The passage to be kept unless the analyst says otherwise comes first."""
    return -p.credibility, -p.verification_count, p.published_at is None, p.id


def _label(p: Passage) -> str:
    return f"**{plain(shorten(p.source_name, 60))}** {plain(shorten(p.text, 350))}"


def _caption(p: Passage) -> str:
    used = f"Used in {count(p.verification_count, 'check')}" if p.verification_count else "Never used"
    return (
        f"{theme.stars(p.credibility, p.rated)} · {theme.dated(p)} · "
        f"{used} · Indexed {theme.day(p.indexed_at)} · "
        f"{plain(shorten(p.source_url, 70))}"
    )


def _merge(workbench: "Workbench", key: str, ids: tuple[str, ...]) -> None:
    kept = st.session_state[key]
    if actions.done(lambda: workbench.knowledge.curation.merge(kept, ids)):
        mark, groups = st.session_state[_KEPT]
        merged = set(ids) - {kept}
        left = (replace(g, ids=tuple(i for i in g.ids if i not in merged)) for g in groups)
        st.session_state[_KEPT] = (mark, [g for g in left if len(g.ids) > 1])


def _open(key: str) -> None:
    open_passage(st.session_state[key])
