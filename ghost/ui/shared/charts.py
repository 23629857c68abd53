"""One look for all charts: Plotly figures as plain values, in the colours of the theme, and how they are drawn.

A chart never stands alone. ``card`` gives it a heading and a sentence that says what it shows, and below it the same
figures as text: with links for those who do not point at bars, and as a file.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import streamlit as st

from ghost.text import csv_bytes
from ghost.ui.shared.text import plain

Figure = dict[str, Any]
"""``data`` and ``layout`` as Plotly reads them."""
Target = Mapping[str, str]
"""Query parameters of the Knowledge base page."""

KNOWLEDGE = "pages/knowledge.py"
_FALLBACK = {
    "blue": "#1f4b7a", "green": "#0a7257", "orange": "#9a5b00", "red": "#b23a1e", "violet": "#65479a",
    "yellow": "#8a6d00", "gray": "#5f6670",
}  # fmt: skip
SYMBOLS = ("circle", "square", "diamond", "triangle-up", "x", "star", "cross", "triangle-down", "hexagon", "pentagon")
LEGEND: Figure = {"orientation": "h", "yref": "container", "yanchor": "bottom", "y": 0, "x": 0, "traceorder": "normal"}
"""Below the chart, where it may take as many lines as a narrow screen needs."""
_CONFIG = {"displaylogo": False, "modeBarButtons": [["toImage"]], "displayModeBar": True, "scrollZoom": False}


def dark() -> bool:
    """Whether the visitor sees the dark theme."""
    return st.context.theme.type == "dark"


def colour(name: str) -> str:
    """A colour of the theme that is shown, as ``#rrggbb``."""
    option = f"theme.{'dark' if dark() else 'light'}.{name}Color"
    return str(st.get_option(option) or _FALLBACK.get(name, _FALLBACK["gray"]))


def inside() -> str:
    """What is written on a coloured bar: the bars are light in the dark theme, and dark in the light one."""
    return "#14171b" if dark() else "#ffffff"


def scale() -> list[list[Any]]:
    """From little credibility to much: from orange over grey to green, told apart by lightness too."""
    ends = ("#e5a94f", "#6d7681", "#4fc3a1") if dark() else ("#c9812b", "#b9bcc0", "#0a7257")
    return [[0.0, ends[0]], [0.5, ends[1]], [1.0, ends[2]]]


def escaped(text: str) -> str:
    """Outside text for a label or a hover box, where Plotly reads some HTML and its own ``%{...}``."""
    kept = "".join(c for c in " ".join(text.split()) if c.isprintable())
    for mark, told in (("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ("%{", "%&#123;"), ("$", "&#36;")):
        kept = kept.replace(mark, told)
    return kept


def wrapped(text: str, width: int = 60) -> str:
    """Outside text for a hover box, in lines."""
    lines, line = [], ""
    for word in " ".join(text.split()).split(" "):
        for piece in (word[i : i + width] for i in range(0, len(word), width)):
            if line and len(line) + 1 + len(piece) > width:
                lines.append(line)
                line = piece
            else:
                line = f"{line} {piece}".strip()
    return "<br>".join(escaped(each) for each in [*lines, line] if each)


def figure(data: Sequence[Figure], title: str, height: int, **layout: Any) -> Figure:
    """A figure in the house style. ``title`` says what is counted in which unit; it goes along with the picture."""
    base: Figure = {
        "title": {"text": title, "font": {"size": 13}, "x": 0, "xref": "container", "pad": {"l": 4}},
        "height": height,
        "margin": {"l": 8, "r": 8, "t": 56, "b": 8, "pad": 4},
        "bargap": 0.28,
        "dragmode": False,
        "hovermode": "closest",
        "hoverlabel": {"align": "left"},
        "legend": LEGEND,
        "showlegend": False,
        "modebar": {"bgcolor": "rgba(0,0,0,0)", "color": colour("gray"), "activecolor": colour("text")},
    }
    for axis in ("xaxis", "yaxis"):
        base[axis] = {"fixedrange": True, "automargin": True, **layout.pop(axis, {})}
    return {"data": list(data), "layout": base | layout}


def columns(
    names: Sequence[str], values: Sequence[float], title: str, unit: str, x_title: str = "", height: int = 320,
    colours: Sequence[str] = (), patterns: Sequence[str] = (), hover: Sequence[str] = (),
) -> Figure:  # fmt: skip
    """Upright bars with their values on them."""
    bars = _bars(names, values, unit, colours, hover) | {
        "x": list(names), "y": list(values), "text": [f"{value:,}" if value else "" for value in values],
        "textposition": "outside", "constraintext": "none",  # or a figure wider than its bar is drawn too small to read
    }  # fmt: skip
    bars["marker"]["pattern"] = _pattern(patterns)
    return figure(
        [bars], title, height, xaxis={"title": {"text": x_title}, "type": "category"},
        yaxis={"title": {"text": unit}, "range": [0, max(values, default=0) * 1.15]},  # room for the highest figure
    )  # fmt: skip


def rows(
    names: Sequence[str], values: Sequence[float], title: str, unit: str, height: int = 0,
    colours: Sequence[str] = (), hover: Sequence[str] = (), texts: Sequence[str] = (),
) -> Figure:  # fmt: skip
    """Lying bars, the first on top, with their values beside them."""
    bars = _bars(names, values, unit, colours, hover) | {
        "orientation": "h", "y": [escaped(name) for name in names], "x": list(values),
        "text": list(texts) or [f"{value:,}" for value in values], "textposition": "auto",
        "insidetextfont": {"color": inside()},
    }  # fmt: skip
    return figure(
        [bars], title, height or 110 + 34 * len(names), xaxis={"title": {"text": unit}, "rangemode": "tozero"},
        yaxis={"autorange": "reversed", "type": "category"},
    )  # fmt: skip


def _bars(
    names: Sequence[str], values: Sequence[float], unit: str, colours: Sequence[str], hover: Sequence[str]
) -> Figure:
    return {
        "type": "bar",
        "outsidetextfont": {"color": colour("text")},
        "cliponaxis": False,
        "marker": {"color": list(colours) or colour("blue")},
        "hovertext": list(hover) or [f"{escaped(n)}: {v:,} {unit}" for n, v in zip(names, values, strict=True)],
        "hovertemplate": "%{hovertext}<extra></extra>",
    }


@dataclass(frozen=True, slots=True)
class Part:
    """One series of a stacked chart."""

    name: str
    values: Sequence[float]
    colour: str
    pattern: str = ""
    hover: Sequence[str] = ()


def stacked_rows(names: Sequence[str], parts: Sequence[Part], title: str, unit: str, height: int = 0) -> Figure:
    """Lying bars of shares (0..1) that are cut into parts, with the larger shares written in."""
    data = [
        {
            "type": "bar",
            "orientation": "h",
            "name": part.name,
            "y": [escaped(name) for name in names],
            "x": list(part.values),
            "text": [f"{value:.0%}" if value >= 0.08 else "" for value in part.values],
            "textposition": "inside",
            "insidetextanchor": "middle",
            "insidetextfont": {"color": inside()},
            "textangle": 0,
            "marker": {"color": part.colour, "pattern": _pattern([part.pattern] * len(names))},
            "hovertext": list(part.hover),
            "hovertemplate": "%{hovertext}<extra></extra>",
        }
        for part in parts
    ]
    return figure(
        data, title, height or 200 + 34 * len(names), barmode="stack", showlegend=True,
        uniformtext={"minsize": 10, "mode": "hide"},  # or what does not fit is drawn too small to be read
        xaxis={"title": {"text": unit}, "tickformat": ".0%", "range": [0, 1]},
        yaxis={"autorange": "reversed", "type": "category"},
    )  # fmt: skip


def _pattern(shapes: Sequence[str]) -> Figure:
    return {"shape": list(shapes) or "", "size": 6, "solidity": 0.25, "fgopacity": 0.3, "fillmode": "overlay"}


@dataclass(frozen=True, slots=True)
class Row:
    """A line of the figures below a chart."""

    cells: Sequence[Any]
    """One for each column of the file; none for a line that is only a link."""
    label: str = ""
    """The link's words (hostile); without a target there is no link."""
    target: Target | None = None


@dataclass(frozen=True, slots=True)
class Table:
    """The figures of a chart as text."""

    name: str
    """Of the file, without its ending."""
    head: Sequence[str]
    rows: Sequence[Row] = field(default_factory=tuple)
    linked: int = 12
    """Rows that get a link; the file has them all."""


@contextmanager
def card(key: str, heading: str, says: str) -> Iterator[None]:
    """A frame with a heading and the sentence that says what the chart shows (Markdown)."""
    with st.container(border=True, gap="small", key=f"{key}_card"):
        st.subheader(heading, anchor=False)
        if says:
            st.markdown(says)
        yield


def draw(
    what: Figure, key: str, alt: str, targets: Callable[[dict[str, Any]], Target | None] | None = None
) -> Target | None:
    """Draw a figure; returns where a click on it leads, by what ``targets`` says of the point clicked."""
    config = _CONFIG | {"toImageButtonOptions": {"filename": f"ghost-{key}", "format": "png", "scale": 2}}
    if targets is None:
        st.plotly_chart(what, key=key, config=config, alt=alt)
        return None
    state = st.plotly_chart(what, key=key, config=config, alt=alt, on_select="rerun", selection_mode="points")
    points = state.selection.points if state else []
    return targets(dict(points[0])) if points else None


def nth(places: Sequence[Target | None]) -> Callable[[dict[str, Any]], Target | None]:
    """Where the bar at each place leads, for ``draw``."""

    def find(point: dict[str, Any]) -> Target | None:
        at = point.get("point_index", point.get("point_number"))
        return places[at] if isinstance(at, int) and 0 <= at < len(places) else None

    return find


def follow(target: Target | None) -> None:
    """Go to the passages that were clicked; ends the script when there is a target."""
    if target:
        st.switch_page(KNOWLEDGE, query_params=dict(target))


def figures_below(table: Table, key: str, open_label: str = "Figures and links") -> None:
    """The figures of a chart: links to the passages, and a file."""
    linked = [row for row in table.rows if row.target][: table.linked]
    with st.expander(open_label if linked else "Figures", icon=":material/list:", key=f"{key}_figures"):
        for row in linked:
            st.page_link(
                KNOWLEDGE, label=plain(row.label), icon=":material/arrow_forward:", query_params=dict(row.target or {}),
            )  # fmt: skip
        if not linked:
            st.markdown("\n".join(f"- {plain(' · '.join(map(str, row.cells)))}" for row in table.rows[: table.linked]))
        if len(table.rows) > table.linked:
            st.caption(f"The first {table.linked} of {len(table.rows):,}. The file has all of them.")
        st.download_button(
            "Download CSV", data=lambda: csv_bytes(table.head, (row.cells for row in table.rows if row.cells)),
            file_name=f"ghost-{table.name}.csv", mime="text/csv", key=f"{key}_csv", icon=":material/download:",
            on_click="ignore",
        )  # fmt: skip
