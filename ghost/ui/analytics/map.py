"""The map of the knowledge base: made in the background on a click, coloured by topic or by credibility."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

import streamlit as st

from ghost.knowledge import MAP_SAMPLE, KnowledgeMap, MapDrawer, MapPoint
from ghost.ui.analytics.bars import browse
from ghost.ui.shared import charts
from ghost.ui.shared.charts import Row, Table, Target
from ghost.ui.shared.parts import button, untitled
from ghost.ui.shared.text import count, plain, shorten

TOPICS = 9
"""Topics that get their own colour and mark."""
POLL_SECONDS = 0.5
HEIGHT = 640
_SAYS = (
    "Each mark is a passage, and passages of similar meaning are close together. Distances within a cluster say more "
    "than those between clusters; the axes mean nothing."
)


def view(atlas: MapDrawer) -> None:
    """The map, the button that draws it, or its progress."""
    drawing = atlas.drawing()
    with charts.card("analytics_map", "Map", _SAYS):
        if drawing.running:
            _progress(atlas)
            return
        if drawing.error:
            st.error(f"The map could not be drawn. {plain(drawing.error)}", icon=":material/error:")
        drawn = drawing.map
        if drawn is None:
            says = f"Takes a few seconds for up to {MAP_SAMPLE:,} passages and continues while you use other pages."
            _invite(atlas, says, "Draw the map", type="primary")
            return
        if not drawn.places:
            _invite(atlas, "There are no active passages.")
            return
        if drawn.mark != atlas.mark():
            _invite(atlas, "The knowledge base has changed since this map was drawn.")
        _map(drawn)


def _invite(atlas: MapDrawer, says: str, words: str = "Draw again", **more: Any) -> None:
    st.caption(says)
    button(words, "analytics_map_draw", "scatter_plot", atlas.start, **more)


@st.fragment(run_every=POLL_SECONDS)
def _progress(atlas: MapDrawer) -> None:
    drawing = atlas.drawing()
    if not drawing.running:
        st.rerun()
    st.progress(drawing.done / drawing.total if drawing.total else 0.0, f"{drawing.what} …")
    button("Cancel", "analytics_map_cancel", "cancel", atlas.cancel)


def _map(drawn: KnowledgeMap) -> None:
    topics = [topic for topic, _ in Counter(p.topic for p in drawn.places if p.topic).most_common(TOPICS)]
    how = "credibility"
    if topics:
        how = st.segmented_control(
            "Colour by", ["topic", "credibility"], default="topic", required=True, key="analytics_map_colour",
            persist_state="session", format_func=str.capitalize,
        )  # fmt: skip
    of = f"{len(drawn.places):,} of {drawn.active:,}" if len(drawn.places) < drawn.active else f"{drawn.active:,}"
    traces, order = _by_topic(drawn.places, topics) if how == "topic" else _by_credibility(drawn.places)
    hidden = {"visible": False, "showgrid": False, "zeroline": False}
    figure = charts.figure(
        traces, "", HEIGHT, showlegend=how == "topic",
        legend=charts.LEGEND | {"itemsizing": "constant"},
        xaxis=hidden | {"range": [-1.12, 1.12]}, yaxis=hidden | {"range": [-1.12, 1.12]},
        annotations=_names(drawn.places, topics) if how == "topic" else [],
    )  # fmt: skip
    alt = f"Map of {of} passages by meaning, coloured by {how}. " + (f"Topics: {', '.join(topics)}." if topics else "")
    key = f"analytics_map_{how}"
    charts.follow(charts.draw(untitled(figure), key, alt, lambda point: _clicked(order, point)))
    if len(drawn.places) < drawn.active:
        st.caption(f"A sample of {len(drawn.places):,}, the same one each time.")
    _table(drawn, topics)


def _by_topic(places: Sequence[MapPoint], topics: Sequence[str]) -> tuple[list[charts.Figure], list[list[MapPoint]]]:
    others = [p for p in places if p.topic not in topics]
    groups = [("other topics" if any(p.topic for p in others) else "no topic", others)] if others else []
    groups += [(topic, [p for p in places if p.topic == topic]) for topic in topics]
    grey = charts.colour("gray")
    names = ("blue", "orange", "green", "violet", "red", "yellow")
    traces = []
    for number, (name, members) in enumerate(groups, start=-1 if others else 0):
        colour = grey if number < 0 else charts.colour(names[number % len(names)])
        symbol = "circle-open" if number < 0 else charts.SYMBOLS[number % len(charts.SYMBOLS)]
        traces.append(_marks(members, charts.escaped(shorten(name, 30)), {"color": colour, "symbol": symbol}))
    return traces, [members for _, members in groups]


def _by_credibility(places: Sequence[MapPoint]) -> tuple[list[charts.Figure], list[list[MapPoint]]]:
    marker = {
        "color": [p.credibility for p in places], "cmin": 0, "cmax": 1, "colorscale": charts.scale(), "showscale": True,
        "colorbar": {"title": {"text": "credibility"}, "thickness": 12, "len": 0.6},
    }  # fmt: skip
    return [_marks(places, "passages", marker)], [list(places)]


def _marks(places: Sequence[MapPoint], name: str, marker: charts.Figure) -> charts.Figure:
    return {
        "type": "scatter", "mode": "markers", "name": name, "x": [p.x for p in places], "y": [p.y for p in places],
        "marker": {"size": 6, "opacity": 0.8, "line": {"width": 0}} | marker,
        "hovertext": [_hover(p) for p in places],
        "hovertemplate": "%{hovertext}<extra></extra>",
    }  # fmt: skip


def _hover(p: MapPoint) -> str:
    topic = f" · {charts.escaped(shorten(p.topic, 40))}" if p.topic else ""
    return (
        f"<b>{charts.escaped(shorten(p.source, 60))}</b>{topic} · credibility {p.credibility:.2f}<br>"
        f"{charts.wrapped(p.excerpt)}"
    )


def _names(places: Sequence[MapPoint], topics: Sequence[str]) -> list[charts.Figure]:
    """The name of each large topic, where most of its passages are."""
    found = []
    for topic in topics:
        xs, ys = zip(*((p.x, p.y) for p in places if p.topic == topic), strict=True)
        found.append(
            {
                "x": sorted(xs)[len(xs) // 2], "y": sorted(ys)[len(ys) // 2], "showarrow": False, "yshift": 14,
                "font": {"color": charts.colour("text"), "size": 13},
                "text": f"<b>{charts.escaped(shorten(topic, 24))}</b>",
                "bgcolor": "rgba(20,23,27,0.75)" if charts.dark() else "rgba(252,251,248,0.8)", "borderpad": 2,
            }
        )  # fmt: skip
    return found


def _clicked(order: list[list[MapPoint]], point: dict[str, Any]) -> Target | None:
    group, at = point.get("curve_number"), point.get("point_index", point.get("point_number"))
    if isinstance(group, int) and isinstance(at, int) and group < len(order) and at < len(order[group]):
        return {"passage": order[group][at].id}
    return None


def _table(drawn: KnowledgeMap, topics: Sequence[str]) -> None:
    counted = Counter(p.topic for p in drawn.places)
    found = [(topic, counted[topic], browse(topic=topic)) for topic in topics]
    if not topics:
        domains = Counter(p.domain for p in drawn.places if p.domain).most_common(TOPICS)
        found = [(name, n, browse(domain=name)) for name, n in domains]
    links = [Row((), f"{name}: {count(n, 'passage')} on the map", target) for name, n, target in found]
    head = ("passage", "x", "y", "topic", "domain", "source", "credibility", "excerpt")
    rows = [Row((p.id, p.x, p.y, p.topic, p.domain, p.source, p.credibility, p.excerpt)) for p in drawn.places]
    charts.figures_below(Table("map", head, [*links, *rows], linked=TOPICS), "analytics_map")
