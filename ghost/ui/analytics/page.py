"""The Analytics page: a line of figures, and the charts of the chosen view."""

from typing import TYPE_CHECKING, cast

import streamlit as st

from ghost.errors import GhostError
from ghost.knowledge import Alerts, CopyFigures, SourceFigures, TimeFigures, UseFigures
from ghost.ui.analytics import health, sources, time, use
from ghost.ui.analytics import map as atlas_map
from ghost.ui.shared import theme
from ghost.ui.shared.text import count

if TYPE_CHECKING:
    from ghost.knowledge import Analytics
    from ghost.workbench import Workbench

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


class Figures:
    """The figures at one moment, each counted on first use and kept until something changes."""

    def __init__(self, database: str, analytics: "Analytics", reviews: tuple[int, int]) -> None:
        """``reviews`` changes with the analyst's verdicts, which the alerts name."""
        self._database, self._analytics, self._reviews = database, analytics, reviews
        self._mark = analytics.mark()

    @property
    def sources(self) -> SourceFigures:
        """Where the passages come from."""
        return cast("SourceFigures", self._counted("sources"))

    @property
    def time(self) -> TimeFigures:
        """When they were added and how old they are."""
        return cast("TimeFigures", self._counted("time"))

    @property
    def copies(self) -> CopyFigures:
        """How many repeat the same text."""
        return cast("CopyFigures", self._counted("copies"))

    @property
    def use(self) -> UseFigures:
        """How checks used them."""
        return cast("UseFigures", self._counted("use"))

    @property
    def alerts(self) -> Alerts:
        """What should be reviewed."""
        return _alerts(self._database, f"{self._mark}.{self._reviews}", self._analytics, self.sources)

    def _counted(self, what: str) -> object:
        return _counted(self._database, what, self._mark, self._analytics)


@st.cache_data(max_entries=24, show_spinner="Counting the passages")
def _counted(database: str, what: str, mark: str, _analytics: "Analytics") -> object:
    """One group of figures, counted once for each state of the knowledge base."""
    del database, mark
    return getattr(_analytics, what)()


@st.cache_data(max_entries=4, show_spinner="Reviewing the knowledge base")
def _alerts(database: str, mark: str, _analytics: "Analytics", _sources: SourceFigures) -> Alerts:
    """As ``_counted``, but without counting the sources again, which takes longest."""
    del database, mark
    return _analytics.alerts_about(_sources)


def analytics_page(workbench: "Workbench") -> None:
    """Figures and charts, or why there are none."""
    st.title("Analytics", anchor=False)
    st.markdown("What the knowledge base contains, and how strong its evidence is.")
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
        theme.show_error(error)
        st.caption("This page only reads. Stored data is unchanged.")
        st.button("Try again", key="analytics_retry", icon=":material/refresh:")


def _empty(figures: Figures) -> None:
    waiting = figures.alerts.quarantined
    words = "There are no active passages yet."
    if waiting:
        words += f" {count(waiting, 'passage')} {'waits' if waiting == 1 else 'wait'} in quarantine."
    st.info(words, icon=":material/inbox:")
    st.page_link("pages/knowledge.py", label="Add sources to the knowledge base", icon=":material/library_add:")


def _metrics(figures: Figures) -> None:
    passages, used, copies = figures.sources, figures.use, figures.copies
    dated = passages.active - figures.alerts.undated
    with st.container(horizontal=True, key="analytics_metrics"):
        for label, value, note in (
            ("Active passages", f"{passages.active:,}", "Passages that checks can use."),
            ("Sources", f"{passages.domain_count:,}", "Different domains among them."),
            ("Mean credibility", f"{passages.mean_credibility or 0:.2f}", "From 0 to 1, over all active passages."),
            ("Different texts", theme.percent(copies.origins / copies.active), "A text and its copies count once."),
            ("Dated", theme.percent(dated / passages.active), "Passages with a known publication date."),
            ("Ever used", theme.percent(1 - used.never / used.active), "Passages that at least one check has used."),
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
                count(len(found), "finding"), key="analytics_to_health", type="tertiary",
                icon=":material/notification_important:", on_click=_show, args=("Health",),
            )  # fmt: skip
    st.header(VIEWS[chosen], anchor=False)
    match chosen:
        case "Time":
            time.view(figures.time, figures.sources.active)
        case "Use":
            use.view(figures.use, figures.copies)
        case "Map":
            atlas_map.view(workbench.knowledge.analytics.map)
        case "Health":
            health.view(figures.alerts, found)
        case _:
            sources.view(figures.sources)


def _show(view: str) -> None:
    st.session_state[VIEW] = view
