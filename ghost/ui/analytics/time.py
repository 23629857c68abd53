"""How the knowledge base grew, and how old its evidence is."""

from collections import Counter
from datetime import date, timedelta

import streamlit as st

from ghost.knowledge import Age, TimeFigures
from ghost.types import Origin
from ghost.ui.analytics.sources import browse, share
from ghost.ui.shared import charts, theme
from ghost.ui.shared.charts import Row, Table
from ghost.ui.shared.text import count

BY_DAY_UP_TO = 120
"""Days of growth that are drawn one by one; a longer time is drawn by month."""
BARS_UP_TO = 24
"""Points in time that are drawn as bars; more make a band."""
_COLOURS = dict(zip(Origin, ("green", "violet", "blue", "orange", "red"), strict=True))
_PATTERNS = dict(zip(Origin, (".", "x", "", "/", "\\"), strict=True))


def view(figures: TimeFigures, active: int) -> None:
    """The two charts."""
    _growth(figures)
    _ages(figures, active)


def _growth(figures: TimeFigures) -> None:
    by_origin = Counter[str]()
    for _, origin, n in figures.arrivals:
        by_origin[origin] += n
    last, before = _latest(figures)
    says = f"**{count(last, 'passage')}** came in during the last 30 days of the record, {before:,} in the 30 before."
    with charts.card("analytics_growth", "Growth", says):
        step, days, series = cumulated(figures.arrivals)
        bars = len(days) <= BARS_UP_TO
        points = _points(days, step, bars)
        drawn = charts.figure(
            [_layer(origin, points, series[origin.value], bars) for origin in Origin if origin.value in series],
            f"Passages by origin, {step}", 380, showlegend=True,
            hovermode="x", barmode="stack", bargap=0.5,
            yaxis={"title": {"text": "passages"}, "rangemode": "tozero"},
            xaxis={"type": "category" if bars else "date"},
        )  # fmt: skip
        told = ", ".join(f"{theme.ORIGINS[Origin(o)].word} {n:,}" for o, n in by_origin.most_common())
        charts.draw(
            drawn,
            "analytics_growth",
            f"Stacked {'bars' if bars else 'areas'}: passages over time by origin. Now: {told}.",
        )
        table = Table("growth", ("day", "origin", "came in"), [
            *(Row((), f"{theme.ORIGINS[Origin(o)].word}: {count(n, 'passage')}",
                  {"section": "browse", "origin": o}) for o, n in by_origin.most_common()),
            *(Row((day.isoformat(), origin, n)) for day, origin, n in figures.arrivals),
        ])  # fmt: skip
        charts.figures_below(table, "analytics_growth")
        st.caption("Counted are passages that are active or in quarantine.")


def _layer(origin: Origin, points: list[str], totals: list[int], bars: bool) -> charts.Figure:
    """One origin: a part of each bar while there are few points in time, else a band."""
    word = theme.ORIGINS[origin].word
    colour, shape = charts.colour(_COLOURS[origin]), _PATTERNS[origin]
    pattern = {"shape": shape, "size": 7, "solidity": 0.25, "fgopacity": 0.5, "fillmode": "overlay"}
    layer = {
        "name": word,
        "x": points,
        "y": totals,
        "hovertemplate": "%{y:,} until %{x}<extra>%{fullData.name}</extra>",
    }
    if bars:
        return layer | {"type": "bar", "marker": {"color": colour, "pattern": pattern}}
    line = {"width": 1.5, "color": colour, "shape": "hv"}
    return layer | {"type": "scatter", "mode": "lines", "stackgroup": "all", "line": line, "fillpattern": pattern}


def _points(days: list[date], step: str, bars: bool) -> list[str]:
    """The points in time as an axis has them: bars are named, a band is measured."""
    if not bars:
        return [day.isoformat() for day in days]
    return [theme.day(day) if step == "by day" else f"{day:%b %Y}" for day in days]


def _latest(figures: TimeFigures) -> tuple[int, int]:
    """How many came in during the last 30 days of the record, and during the 30 before."""
    if not figures.arrivals:
        return 0, 0
    newest = figures.arrivals[-1][0]
    ages = [((newest - day).days, n) for day, _, n in figures.arrivals]
    return sum(n for age, n in ages if age < 30), sum(n for age, n in ages if 30 <= age < 60)


def cumulated(arrivals: tuple[tuple[date, str, int], ...]) -> tuple[str, list[date], dict[str, list[int]]]:
    """By day or by month: the points in time, and for each origin how many there were at each of them."""
    if not arrivals:
        return "by day", [], {}
    first, newest = arrivals[0][0], arrivals[-1][0]
    by_day = (newest - first).days <= BY_DAY_UP_TO
    came = Counter[tuple[date, str]]()
    for day, origin, n in arrivals:
        came[day if by_day else day.replace(day=1), origin] += n
    days: list[date] = []
    day = first if by_day else first.replace(day=1)
    while day <= newest:
        days.append(day)
        day = day + timedelta(days=1) if by_day else (day.replace(day=28) + timedelta(days=4)).replace(day=1)
    series: dict[str, list[int]] = {}
    for origin in {origin for _, origin in came}:
        total, points = 0, []
        for day in days:
            total += came[day, origin]
            points.append(total)
        series[origin] = points
    return ("by day" if by_day else "by month"), days, series


def _ages(figures: TimeFigures, active: int) -> None:
    says = f"**{share(figures.undated, active)}** of the passages carry no publication date."
    if figures.oldest and figures.newest:
        says += f" The dated ones reach from {theme.day(figures.oldest)} to {theme.day(figures.newest)}."
    with charts.card("analytics_ages", "Age of evidence", says):
        names = [*(age.name for age in figures.ages), "Undated"]
        values = [*(age.passages for age in figures.ages), figures.undated]
        places = [*(_between(age) for age in figures.ages), browse(undated="1") if figures.undated else None]
        drawn = charts.columns(
            names, values, "Active passages by time since publication", "passages",
            colours=[charts.colour("blue")] * len(figures.ages) + [charts.colour("gray")],
            patterns=[""] * len(figures.ages) + ["/"],
        )  # fmt: skip
        alt = "Bar chart of active passages by age: " + ", ".join(
            f"{name} {value:,}" for name, value in zip(names, values, strict=True)
        )
        charts.follow(charts.draw(drawn, "analytics_ages", alt, charts.nth(places)))
        table = Table("age-of-evidence", ("published", "first day", "last day", "passages"), [
            *(Row((a.name, a.first, a.last, a.passages), f"{a.name}: {count(a.passages, 'passage')}", _between(a))
              for a in figures.ages),
            Row(("undated", None, None, figures.undated), f"Undated: {count(figures.undated, 'passage')}", places[-1]),
        ])  # fmt: skip
        charts.figures_below(table, "analytics_ages")
        if figures.undated * 2 > active:
            st.caption("Undated evidence weighs less in a claim about the present.")


def _between(age: Age) -> charts.Target | None:
    if not age.passages:
        return None
    span = {"published_from": age.first, "published_to": age.last}
    return browse(**{name: day.isoformat() for name, day in span.items() if day})
