"""The Quality page: stored benchmark results with how they were measured, and the analyst's agreement."""

from collections.abc import Callable, Sequence

import streamlit as st

from bench.result_types import Model, Result
from bench.stored import RESULTS, Stored, load, strangers
from ghost.errors import GhostError
from ghost.ui.quality import verdicts, views
from ghost.ui.quality.charts import ROLES
from ghost.ui.quality.confidence import confidence_view
from ghost.ui.shared import theme
from ghost.ui.shared.parts import Workbench
from ghost.ui.shared.text import count, plain

EVERYDAY, LIVE, YOURS, CONFIDENCE = "Everyday claims", "Live investigation", "Your verdicts", "Confidence"
NEAR, MATCH = "Near misses", "Asked before"
VIEWS: dict[str, tuple[str, tuple[str, ...], Callable[..., None]]] = {
    EVERYDAY: ("Claims as people paste them", ("everyday",), views.everyday),
    NEAR: ("Evidence that nearly says the claim", ("near_misses",), views.near_misses),
    CONFIDENCE: ("How sure verdicts are", (), confidence_view),
    "Verdicts": ("How often verdicts are right", ("verdicts",), verdicts.view),
    "Stance": ("How well passages are understood", ("stance",), views.stance),
    "Retrieval": ("Whether the evidence is found", ("retrieval",), views.retrieval),
    MATCH: ("Whether a question was asked before", ("matching", "asking"), views.asked_before),
    LIVE: ("Searching and reading", ("demo", "reading"), views.live_web),
    "Speed": ("Time and memory", ("speed",), views.speed),
    YOURS: ("How often you agree", (), views.your_verdicts),
}
"""Each view: its heading, the kinds of stored results that it shows, and the function that draws them."""
_COMMANDS = {
    LIVE: "python -m ghost bench demo --json demo.json\npython -m ghost bench reading --json reading.json\n"
    "python -m ghost bench store demo.json reading.json",
    EVERYDAY: "python -m ghost bench everyday --json everyday.json\npython -m ghost bench store everyday.json",
    NEAR: "python -m ghost bench near-misses --json near.json\npython -m ghost bench store near.json",
    MATCH: "python -m ghost bench matching --json matching.json\npython -m ghost bench asking --json asking.json\n"
    "python -m ghost bench store matching.json asking.json",
    "Speed": "python -m ghost bench speed --json speed.json\npython -m ghost bench store speed.json",
}
"""Of the views that need no data of yours."""


def quality_page(workbench: Workbench) -> None:
    """The chosen view."""
    st.title("Quality", anchor=False)
    st.markdown(
        "How often Ghost is right on claims with known answers. Your claims differ, so read these figures as a "
        "comparison, not a promise."
    )
    stored = _stored(tuple((file.name, file.stat().st_mtime_ns) for file in sorted(RESULTS.glob("*.json"))))
    for problem in stored.problems:
        st.warning(f"A stored result was skipped. {plain(problem)}", icon=":material/warning:")
    chosen = st.segmented_control(
        "View", list(VIEWS), default=EVERYDAY, required=True, key="quality_view", bind="query-params", wrap=True,
        label_visibility="collapsed",
    )  # fmt: skip
    heading, kinds, draw = VIEWS[chosen]
    st.header(heading, anchor=False)
    if not kinds:
        with theme.errors_shown():
            draw(workbench)
        if chosen == CONFIDENCE:
            st.caption("Measure again and replace these figures:")
            st.code("python -m ghost calibrate", language=None)
        return
    shown = [getattr(stored, kind) for kind in kinds]
    if not any(shown):
        _nothing(chosen)
        return
    _models(workbench, [result for results in shown for result in results])
    draw(*shown)
    st.caption("Measure again and replace these results:")
    st.code(_measure(chosen), language=None, wrap_lines=True)


@st.cache_data(max_entries=4, show_spinner=False)
def _stored(state: tuple[tuple[str, int], ...]) -> Stored:
    """Read again when a result was stored."""
    del state
    return load()


def _measure(chosen: str) -> str:
    """The commands that measure a view again."""
    what = chosen.lower()
    options = "--pairs P.jsonl" if what == "stance" else "--claims C.jsonl --corpus D.jsonl"
    usual = f"python -m ghost bench {what} {options} --json {what}.json\npython -m ghost bench store {what}.json"
    return _COMMANDS.get(chosen, usual)


def _nothing(chosen: str) -> None:
    note = " Nothing leaves this machine, and it takes a few minutes." if chosen in _COMMANDS else ""
    st.info(f"No results yet.{note} Measure and store some:", icon=":material/query_stats:")
    st.code(_measure(chosen), language=None, wrap_lines=True)


def _models(workbench: Workbench, results: Sequence[Result]) -> None:
    """Whether the results were measured with the present models."""
    try:
        now = {role: Model(**model) for role, model in workbench.models.items()}
    except GhostError as error:
        st.caption(f"The present models are unknown. {plain(str(error))}")
        return
    others = [found for result in results if (found := strangers(result, now))]
    if others:
        names = ", ".join(ROLES.get(role, role) for role in sorted({role for found in others for role in found}))
        st.warning(
            f"**{count(len(others), 'result')}** of {len(results)} {'was' if len(others) == 1 else 'were'} measured "
            f"with other models than the present ones: {plain(names)}. The figures may not apply to them.",
            icon=":material/sync_problem:",
        )  # fmt: skip
    else:
        st.markdown(f"{theme.badge('Same models', 'check', 'green')} Measured with the models in use now.")
