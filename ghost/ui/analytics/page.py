"""The Analytics page: a line of figures, and the charts of the chosen view."""

from functools import partial
from typing import Any

import streamlit as st

from ghost.knowledge import Alerts, Analytics, CopyFigures, SourceFigures, UseFigures
from ghost.ui.analytics import contents, health, use
from ghost.ui.analytics import map as atlas_map
from ghost.ui.shared import theme
from ghost.ui.shared.parts import Workbench, button, metrics, retry_on_error
from ghost.ui.shared.text import count

VIEWS = {
    "Sources": "Where passages come from",
    "Time": "Growth and age",
    "Use": "Use in checks",
    "Map": "Passages by meaning",
    "Health": "What to review",
}
"""The views and their headings."""
VIEW = "analytics_view"
"""Key of the switch, which is also its name in the address bar."""


def analytics_page(workbench: Workbench) -> None:
    """Figures and charts, or why there are none."""
    st.title("Analytics", anchor=False)
    st.markdown("What the knowledge base contains, and how strong its evidence is.")
    with retry_on_error("analytics_retry", "This page only reads. Stored data is unchanged."):
        analytics = workbench.knowledge.analytics
        mark, place = analytics.mark(), workbench.knowledge.database.name
        counted = partial(_counted, place, mark, analytics)
        sources: SourceFigures = counted("sources")
        # The alerts name the analyst's verdicts, so they change with them too.
        alerts = _alerts(place, f"{mark}.{workbench.reviews.watermark()}", analytics, sources)
        if not sources.active:
            _empty(alerts)
            return
        used, copies = counted("use"), counted("copies")
        _metrics(sources, used, copies, alerts)
        found = health.findings(alerts)
        match _chosen(found):
            case "Time":
                contents.time_view(counted("time"), sources.active)
            case "Use":
                use.view(used, copies)
            case "Map":
                atlas_map.view(analytics.map)
            case "Health":
                health.view(alerts, found)
            case _:
                contents.source_view(sources)


@st.cache_data(max_entries=24, show_spinner="Counting the passages")
def _counted(database: str, mark: str, _analytics: Analytics, what: str) -> Any:
    """One group of figures, counted once for each state of the knowledge base."""
    del database, mark
    return getattr(_analytics, what)()


@st.cache_data(max_entries=4, show_spinner="Reviewing the knowledge base")
def _alerts(database: str, mark: str, _analytics: Analytics, _sources: SourceFigures) -> Alerts:
    """As ``_counted``, but without counting the sources again, which takes longest."""
    del database, mark
    return _analytics.alerts_about(_sources)


def _empty(alerts: Alerts) -> None:
    waiting = alerts.quarantined
    words = "There are no active passages yet."
    if waiting:
        words += f" {count(waiting, 'passage')} {'waits' if waiting == 1 else 'wait'} in quarantine."
    st.info(words, icon=":material/inbox:")
    st.page_link("pages/knowledge.py", label="Add sources to the knowledge base", icon=":material/library_add:")


def _metrics(sources: SourceFigures, used: UseFigures, copies: CopyFigures, alerts: Alerts) -> None:
    dated = sources.active - alerts.undated
    metrics("analytics_metrics", [
        ("Active passages", f"{sources.active:,}", "Passages that checks can use."),
        ("Sources", f"{sources.domain_count:,}", "Different domains among them."),
        ("Mean credibility", f"{sources.mean_credibility or 0:.2f}", "From 0 to 1, over all active passages."),
        ("Different texts", theme.percent(copies.origins / copies.active), "A text and its copies count once."),
        ("Dated", theme.share(dated, sources.active), "Passages with a known publication date."),
        ("Ever used", theme.share(used.active - used.never, used.active), "Passages that at least one check has used."),
    ])  # fmt: skip


def _chosen(found: list[health.Finding]) -> str:
    with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"):
        chosen = st.segmented_control(
            "View", list(VIEWS), default="Sources", required=True, key=VIEW, bind="query-params", wrap=True,
            label_visibility="collapsed",
        )  # fmt: skip
        if found and chosen != "Health":
            button(count(len(found), "finding"), "analytics_to_health", "notification_important", _show_health,
                   type="tertiary")  # fmt: skip
    st.header(VIEWS[chosen], anchor=False)
    return chosen


def _show_health() -> None:
    st.session_state[VIEW] = "Health"
