"""Cards of the Quality page: figures with intervals, confusion matrices, curves, and how a result was measured."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import streamlit as st

from bench.result_types import Confusion, Result
from ghost.ui.shared import charts, theme
from ghost.ui.shared.charts import Row
from ghost.ui.shared.parts import chart_card
from ghost.ui.shared.text import plain

SETS = {
    "check_covid": "Check-COVID", "climate_fever": "CLIMATE-FEVER", "scifact": "SciFact",
    "fever_symmetric": "FEVER Symmetric", "xnli_en": "XNLI English",
}  # fmt: skip
CLASSES = {"SUPPORTS": "Supported", "REFUTES": "Refuted", "NEI": "Not enough", "CONFLICT": "Disputed",
           "failed": "Run failed"}  # fmt: skip
ROLES = {"encoder": "the encoder", "stance": "the stance model", "claim_types": "the claim classifier",
         "relevance": "the relevance model", "injection": "the injection model",
         "match": "the claim match"}  # fmt: skip


def data_set(name: str) -> str:
    """The usual name of a data set."""
    return SETS.get(name, name)


def class_of(label: str) -> str:
    """A label of a data set in words."""
    return CLASSES.get(label, label)


def goal(met: bool | None, words: str) -> None:
    """A goal with a badge that says whether it was met."""
    badges = {True: ("Met", "check", "green"), False: ("Missed", "close", "red"), None: ("Unknown", "help", "gray")}
    st.markdown(f"{theme.badge(*badges[met])} {words}")


@dataclass(frozen=True, slots=True)
class Dots:
    """One kind of figure, by row."""

    name: str
    colour: str
    symbol: str
    values: Mapping[str, tuple[float, tuple[float, float] | None]]
    """Value and 95% interval of each row."""


def dot_card(
    key: str, heading: str, says: str, series: Sequence[Dots], unit: str, head: Sequence[str],
    table: Sequence[Sequence[object]], limit: float | None = 1.0,
) -> None:  # fmt: skip
    """Figures side by side with their 95% intervals as lines, and the same as a file."""
    rows = list(dict.fromkeys(row for one in series for row in one.values))
    axis = {"title": {"text": unit}, "rangemode": "tozero"} | ({"range": [0, limit]} if limit else {})
    drawn = charts.figure(
        [_dots(one) for one in series], "", 150 + 52 * len(rows), showlegend=True, xaxis=axis, scattermode="group",
        scattergap=0.55,
        yaxis={"type": "category", "autorange": "reversed", "categoryarray": [charts.escaped(r) for r in rows]},
    )  # fmt: skip
    told = "; ".join(
        f"{row}: " + ", ".join(f"{one.name} {one.values[row][0]:.2f}" for one in series if row in one.values)
        for row in rows
    )
    chart_card(key, heading, says, drawn, f"Dot plot: {heading}. {told}.", head, list(map(Row, table)))


def _dots(one: Dots) -> charts.Figure:
    colour = charts.colour(one.colour)
    spans = {row: interval or (value, value) for row, (value, interval) in one.values.items()}
    return {
        "type": "scatter", "mode": "markers", "orientation": "h", "offsetgroup": one.name, "name": one.name,
        "y": [charts.escaped(row) for row in one.values],
        "x": [value for value, _ in one.values.values()],
        "error_x": {
            "type": "data", "symmetric": False, "thickness": 2, "width": 5, "color": colour,
            "array": [max(0.0, spans[row][1] - value) for row, (value, _) in one.values.items()],
            "arrayminus": [max(0.0, value - spans[row][0]) for row, (value, _) in one.values.items()],
        },
        "marker": {"size": 12, "symbol": one.symbol, "color": colour},
        "hovertext": [
            f"{charts.escaped(row)}<br>{one.name} {value:.3f}"
            + (f", 95% interval {interval[0]:.3f} to {interval[1]:.3f}" if interval else "")
            for row, (value, interval) in one.values.items()
        ],
        "hovertemplate": "%{hovertext}<extra></extra>",
    }  # fmt: skip


def confusion_card(
    key: str, heading: str, says: str, confusion: Confusion, axes: tuple[str, str] = ("expected", "found")
) -> None:
    """Expected against found: the share of each row as shade, count and share as text."""
    expected = list(confusion)
    found = list(dict.fromkeys([*expected, *sorted({to for row in confusion.values() for to in row})]))
    shares, texts = [], []
    for row in confusion.values():
        total = sum(row.values()) or 1
        shares.append([row.get(to, 0) / total for to in found])
        texts.append([f"<b>{row.get(to, 0):,}</b><br>{row.get(to, 0) / total:.0%}" for to in found])
    low, high = ("#1d2127", "#2f5f93") if charts.dark() else ("#f3f0e9", "#7fa8d4")
    cells = {
        "type": "heatmap", "z": shares, "x": [charts.escaped(class_of(to)) for to in found],
        "y": [charts.escaped(class_of(label)) for label in expected], "text": texts, "texttemplate": "%{text}",
        "textfont": {"color": charts.colour("text"), "size": 13},
        "colorscale": [[0, low], [1, high]], "zmin": 0, "zmax": 1, "showscale": False, "xgap": 3, "ygap": 3,
        "hovertemplate": f"{axes[0]} %{{y}}, {axes[1]} %{{x}}<br>%{{text}}<extra></extra>",
    }  # fmt: skip
    drawn = charts.figure(
        [cells], "", 130 + 64 * len(expected), xaxis={"title": {"text": axes[1]}, "side": "bottom"},
        yaxis={"title": {"text": axes[0]}, "autorange": "reversed"},
    )  # fmt: skip
    told = "; ".join(
        f"{axes[0]} {class_of(label)}: " + ", ".join(f"{class_of(to)} {n:,}" for to, n in row.items())
        for label, row in confusion.items()
    )
    rows = [Row((class_of(a), class_of(b), n)) for a, row in confusion.items() for b, n in row.items()]
    chart_card(key, heading, says, drawn, f"Confusion matrix. {told}.", (*axes, "number"), rows, linked=16)


def provenance(result: Result) -> None:
    """The command of a result, and below it the models, versions and machine."""
    st.code(result.command, language=None, wrap_lines=True)
    part = ", on a sample of the rows" if result.limit else ""
    seed = f" with seed {result.seed}" if "seed" in result.model_fields_set else ""
    st.caption(f"Measured on {plain(result.date[:10])}{seed}{part}.")
    with st.expander("Models, versions and machine", icon=":material/memory:", type="compact"):
        for name, values in (
            ("Models", [f"{ROLES.get(r, r)}: {m.name}, sha256 {m.sha256[:16]}" for r, m in result.models.items()]),
            ("Versions", [f"{package} {number}" for package, number in result.versions.items() if number]),
            ("Machine", [f"{k.replace('_', ' ')} {v}" for k, v in result.machine.items() if v is not None]),
            ("Changed settings", [f"{k} = {v}" for k, v in result.settings.items()] or ["none"]),
            ("Code", [result.code[:16] or "unknown"]),
        ):
            st.markdown(f"**{name}** {plain('; '.join(values))}")
