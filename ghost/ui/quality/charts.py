"""Charts of the Quality page, and the lines that say how a result was measured."""

from collections.abc import Sequence
from dataclasses import dataclass

import streamlit as st

from bench.stored import Confusion, Result
from ghost.ui.shared import charts
from ghost.ui.shared.text import plain

SETS = {
    "check_covid": "Check-COVID", "climate_fever": "CLIMATE-FEVER", "scifact": "SciFact",
    "fever_symmetric": "FEVER Symmetric", "xnli_en": "XNLI English",
}  # fmt: skip
CLASSES = {"SUPPORTS": "Supported", "REFUTES": "Refuted", "NEI": "Not enough", "CONFLICT": "Disputed",
           "failed": "Run failed"}  # fmt: skip
ROLES = {"encoder": "the encoder", "stance": "the stance model", "claim_types": "the claim classifier",
         "relevance": "the relevance model"}  # fmt: skip


def data_set(name: str) -> str:
    """What a data set calls itself."""
    return SETS.get(name, name)


def class_of(label: str) -> str:
    """A label of a data set in a word."""
    return CLASSES.get(label, label)


@dataclass(frozen=True, slots=True)
class Dot:
    """A figure with its interval."""

    row: str
    value: float
    interval: tuple[float, float] | None = None


@dataclass(frozen=True, slots=True)
class Dots:
    """One kind of figure for several rows."""

    name: str
    colour: str
    symbol: str
    dots: Sequence[Dot]


def dot_plot(
    series: Sequence[Dots], rows: Sequence[str], title: str, unit: str, limit: float | None = 1.0
) -> charts.Figure:
    """Figures side by side, with lines as long as their 95% intervals."""
    data = []
    for one in series:
        at = {dot.row: dot for dot in one.dots}
        known = [row for row in rows if row in at]
        spans = [at[row].interval or (at[row].value, at[row].value) for row in known]
        data.append(
            {
                "type": "scatter",
                "mode": "markers",
                "orientation": "h",
                "offsetgroup": one.name,
                "name": one.name,
                "y": [charts.escaped(row) for row in known],
                "x": [at[row].value for row in known],
                "error_x": {
                    "type": "data", "symmetric": False, "thickness": 2, "width": 5,
                    "array": [max(0.0, high - at[row].value) for row, (_, high) in zip(known, spans, strict=True)],
                    "arrayminus": [max(0.0, at[row].value - low) for row, (low, _) in zip(known, spans, strict=True)],
                    "color": charts.colour(one.colour),
                },
                "marker": {"size": 12, "symbol": one.symbol, "color": charts.colour(one.colour)},
                "hovertext": [
                    f"{charts.escaped(row)}<br>{one.name} {at[row].value:.3f}"
                    + (f", 95% interval {low:.3f} to {high:.3f}" if at[row].interval else "")
                    for row, (low, high) in zip(known, spans, strict=True)
                ],
                "hovertemplate": "%{hovertext}<extra></extra>",
            }
        )  # fmt: skip
    axis = {"title": {"text": unit}, "rangemode": "tozero"} | ({"range": [0, limit]} if limit else {})
    return charts.figure(
        data, title, 190 + 52 * len(rows), showlegend=True, xaxis=axis, scattermode="group", scattergap=0.55,
        yaxis={"type": "category", "autorange": "reversed", "categoryarray": [charts.escaped(r) for r in rows]},
    )  # fmt: skip


def heatmap(confusion: Confusion, title: str) -> charts.Figure:
    """Expected against found: the share of each row as shade, count and share as words."""
    wanted = list(confusion)
    found = list(dict.fromkeys([*wanted, *sorted({to for row in confusion.values() for to in row})]))
    shares, texts = [], []
    for label in wanted:
        row = confusion[label]
        total = sum(row.values()) or 1
        shares.append([row.get(to, 0) / total for to in found])
        texts.append([f"<b>{row.get(to, 0):,}</b><br>{row.get(to, 0) / total:.0%}" for to in found])
    low, high = ("#1d2127", "#2f5f93") if charts.dark() else ("#f3f0e9", "#7fa8d4")
    cells = {
        "type": "heatmap", "z": shares, "x": [charts.escaped(class_of(to)) for to in found],
        "y": [charts.escaped(class_of(label)) for label in wanted], "text": texts, "texttemplate": "%{text}",
        "textfont": {"color": charts.colour("text"), "size": 13},
        "colorscale": [[0, low], [1, high]], "zmin": 0, "zmax": 1, "showscale": False, "xgap": 3, "ygap": 3,
        "hovertemplate": "expected %{y}, found %{x}<br>%{text}<extra></extra>",
    }  # fmt: skip
    return charts.figure(
        [cells], title, 170 + 64 * len(wanted), xaxis={"title": {"text": "found"}, "side": "bottom"},
        yaxis={"title": {"text": "expected"}, "autorange": "reversed"},
    )  # fmt: skip


def provenance(result: Result) -> None:
    """The command, and below it with what it was measured."""
    st.code(result.command, language=None, wrap_lines=True)
    part = ", a sample of the rows" if result.limit else ""
    seed = f" with seed {result.seed}" if "seed" in result.model_fields_set else ""
    st.caption(f"Measured on {plain(result.date[:10])}{seed}{part}.")
    with st.expander("Models, versions and machine", icon=":material/memory:"):
        models = [f"{ROLES.get(r, r)}: {m.name}, sha256 {m.sha256[:16]}" for r, m in result.models.items()]
        packages = [f"{name} {number}" for name, number in result.versions.items() if number]
        machine = [f"{name.replace('_', ' ')} {value}" for name, value in result.machine.items() if value is not None]
        settings = [f"{name} = {value}" for name, value in result.settings.items()]
        for name, values in (
            ("Models", models), ("Versions", packages), ("Machine", machine),
            ("Settings that were changed", settings or ["none"]), ("Code", [result.code[:16] or "not kept"]),
        ):  # fmt: skip
            st.markdown(f"**{name}** {plain('; '.join(values))}")
