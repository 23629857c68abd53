"""The Analytics page: a line of figures, and the charts of the chosen view."""

from typing import TYPE_CHECKING, Any

import streamlit as st

from ghost.errors import GhostError
from ghost.knowledge import Alerts, CopyFigures, SourceFigures, TimeFigures, UseFigures
from ghost.ui.analytics import (
    health,
)
from ghost.ui.analytics import (
    map as analytics_map,
)
from ghost.ui.analytics import (
    sources as analytics_sources,
)
from ghost.ui.analytics import (
    time as analytics_time,
)
from ghost.ui.analytics import (
    use as analytics_use,
)
from ghost.ui.shared import theme
from ghost.ui.shared.text import count, plain

if TYPE_CHECKING:
    from ghost.knowledge import Analytics
    from ghost.workbench import Workbench

VIEWS = {
    "Sources": "Where the evidence comes from",
    "Time": "How it grew, and how old it is",
    "Use": "What the checks made of it",
    "Map": "What it is about",
    "Health": "What deserves a look",
}
"""The views and their headings."""
VIEW = "analytics_view"
"""Key of the switch, which is also its name in the address bar."""


class Figures:
    """The figures of one moment, each counted when it is first asked for and kept until something changes."""

    def __init__(self, database: str, analytics: "Analytics", said: tuple[int, int]) -> None:
        """``said`` changes with what the analyst says of checks, whose verdicts the alerts name."""
        self._database = database
        self._said = said
        self._analytics = analytics
        self._mark = analytics.mark()

    @property
    def sources(self) -> SourceFigures:
        """Where the passages come from."""
        found: SourceFigures = self._counted("sources")
        return found

    @property
    def time(self) -> TimeFigures:
        """When they came and how old they are."""
        found: TimeFigures = self._counted("time")
        return found

    @property
    def copies(self) -> CopyFigures:
        """How much says the same again."""
        found: CopyFigures = self._counted("copies")
        return found

    @property
    def use(self) -> UseFigures:
        """What the checks made of them."""
        found: UseFigures = self._counted("use")
        return found

    @property
    def alerts(self) -> Alerts:
        """What deserves attention."""
        return _alerts(self._database, f"{self._mark}.{self._said}", self._analytics, self.sources)

    def _counted(self, what: str) -> Any:
        return _counted(self._database, what, self._mark, self._analytics)


@st.cache_data(max_entries=24, show_spinner="Counting the passages")
def _counted(database: str, what: str, mark: str, _analytics: "Analytics") -> Any:
    """One group of figures, counted once for each state of the knowledge base."""
    del database, mark
    return getattr(_analytics, what)()


@st.cache_data(max_entries=4, show_spinner="Looking for what deserves a look")
def _alerts(database: str, mark: str, _analytics: "Analytics", _sources: SourceFigures) -> Alerts:
    """As ``_counted``; the sources, which take the longest, are not counted a second time."""
    del database, mark
    return _analytics.alerts_about(_sources)


def overview(workbench: "Workbench") -> None:
    """Figures and charts; says so when the store cannot be read, or when there is nothing to count."""
    st.title("Analytics", anchor=False)
    st.markdown("What the knowledge base is made of, and how far its evidence carries.")
    try:
        figures = Figures(
            str(workbench.settings.database_path), workbench.knowledge.analytics, workbench.reviews.watermark()
        )
        if not figures.sources.active:
            _empty(figures)
            return
        _metrics(figures)
        _view(workbench, figures)
    except GhostError as error:
        st.error(plain(str(error)), icon=":material/error:")
        st.caption("What was stored is kept; this page only reads.")
        st.button("Try again", key="analytics_retry", icon=":material/refresh:")


def _empty(figures: Figures) -> None:
    waiting = figures.alerts.quarantined
    words = "There is nothing to count yet: no passage is active."
    if waiting:
        words += f" {count(waiting, 'passage')} {'waits' if waiting == 1 else 'wait'} in quarantine."
    st.info(words, icon=":material/inbox:")
    st.page_link("pages/knowledge.py", label="Add sources to the knowledge base", icon=":material/library_add:")


def _metrics(figures: Figures) -> None:
    sources, use, copies, alerts = figures.sources, figures.use, figures.copies, figures.alerts
    dated = sources.active - alerts.undated
    with st.container(horizontal=True, key="analytics_metrics"):
        for label, value, note in (
            ("Active passages", f"{sources.active:,}", "Passages that a verification can find."),
            ("Sources", f"{sources.domain_count:,}", "Different domains among them."),
            ("Mean credibility", f"{sources.mean_credibility or 0:.2f}", "From 0 to 1, over all active passages."),
            ("Different texts", theme.percent(copies.origins / copies.active), "A text and its copies count once."),
            ("Dated", theme.percent(dated / sources.active), "Passages whose publication date is known."),
            ("Ever used", theme.percent(1 - use.never / use.active), "Passages that at least one check has weighed."),
        ):
            st.metric(label, value, help=note, border=True, width=160)


def _view(workbench: "Workbench", figures: Figures) -> None:
    found = health.findings(figures.alerts)
    with st.container(horizontal=True, vertical_alignment="center", horizontal_alignment="distribute"):
        chosen = st.segmented_control(
            "View", list(VIEWS), default="Sources", required=True, key=VIEW, bind="query-params", wrap=True,
            label_visibility="collapsed",
        )  # fmt: skip
        if found and chosen != "Health":
            st.button(
                f"{count(len(found), 'point')} to look at", key="analytics_to_health", type="tertiary",
                icon=":material/notification_important:", on_click=_show, args=("Health",),
            )  # fmt: skip
    st.header(VIEWS[chosen], anchor=False)
    match chosen:
        case "Time":
            analytics_time.view(figures.time, figures.sources.active)
        case "Use":
            analytics_use.view(figures.use, figures.copies)
        case "Map":
            analytics_map.view(workbench.knowledge.analytics.map)
        case "Health":
            health.view(figures.alerts, found)
        case _:
            analytics_sources.view(figures.sources)


def _show(view: str) -> None:
    st.session_state[VIEW] = view
