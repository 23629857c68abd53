"""What the knowledge base contains: its sources by credibility, kind, domain and language; its growth and its age."""

from collections import Counter
from datetime import date, timedelta
from itertools import accumulate
from typing import Any

import streamlit as st

from ghost.knowledge import Age, Bin, SourceFigures, TimeFigures
from ghost.types import Origin
from ghost.ui.analytics.bars import Bar, bar_card, browse, kind
from ghost.ui.shared import charts, theme
from ghost.ui.shared.charts import Row, Target
from ghost.ui.shared.parts import chart_card
from ghost.ui.shared.text import count, plain
from ghost.ui.shared.theme import share

TILES = 60
"""Domains on the treemap; the others are drawn together."""
BY_DAY_UP_TO = 120
"""Days of growth that are drawn one by one; a longer time is drawn by month."""
BARS_UP_TO = 24
"""Points in time that are drawn as bars; more are drawn as areas."""
LANGUAGES = {
    "ar": "Arabic", "bg": "Bulgarian", "ca": "Catalan", "cs": "Czech", "da": "Danish", "de": "German", "el": "Greek",
    "en": "English", "es": "Spanish", "et": "Estonian", "fa": "Persian", "fi": "Finnish", "fr": "French",
    "he": "Hebrew", "hi": "Hindi", "hr": "Croatian", "hu": "Hungarian", "id": "Indonesian", "it": "Italian",
    "ja": "Japanese", "ko": "Korean", "lt": "Lithuanian", "lv": "Latvian", "nl": "Dutch", "no": "Norwegian",
    "pl": "Polish", "pt": "Portuguese", "ro": "Romanian", "ru": "Russian", "sk": "Slovak", "sl": "Slovenian",
    "sr": "Serbian", "sv": "Swedish", "th": "Thai", "tr": "Turkish", "uk": "Ukrainian", "vi": "Vietnamese",
    "zh": "Chinese",
}  # fmt: skip
_ORIGINS = {
    Origin.SEED: ("green", "."), Origin.CURATED: ("violet", "x"), Origin.IMPORT: ("blue", ""),
    Origin.WEB: ("orange", "/"), Origin.FACT_CHECK: ("red", "\\"),
}  # fmt: skip
"""Colour and pattern of each origin."""


def source_view(figures: SourceFigures) -> None:
    """Where the passages come from."""
    _credibility(figures)
    _domains(figures)
    violet = charts.colour("violet")
    kinds = [Bar(kind(name), n, browse(source_type=name)) for name, n in figures.types]
    languages = [
        Bar(LANGUAGES.get(code, code or "unknown"), n, browse(language=code) if code else None, colour=violet)
        for code, n in figures.languages
    ]
    for place, key, heading, what, bars in zip(
        st.columns(2), ("analytics_types", "analytics_languages"), ("Kinds of source", "Languages"),
        ("kind of source", "language"), (kinds, languages), strict=True,
    ):  # fmt: skip
        with place:
            bar_card(key, heading, _leading(bars, figures.active), bars[:10], "passages", (what, "passages"))


def _leading(bars: list[Bar], whole: int) -> str:
    if not bars:
        return ""
    first = bars[0]
    return f"**{plain(first.name)}** {'leads with' if len(bars) > 1 else 'is'} {share(int(first.value), whole)}."


def _credibility(figures: SourceFigures) -> None:
    high = sum(b.passages for b in figures.credibility if b.low >= 0.8)
    says = f"**{share(high, figures.active)}** of the passages come from sources rated 0.8 or higher"
    if figures.unrated:
        says += f", **{share(figures.unrated, figures.active)}** from unrated sources"
    if figures.notes:
        says += f". In a verdict **{count(figures.notes, 'note')}** count {figures.library:.2f}, as the starter library"
        if (pages := figures.notes_credibility) is not None:
            says += f"; the chart shows the ratings of the pages they point at, {pages:.2f} on average"
    bars = [
        Bar(
            f"{b.low:.1f}–{b.high:.1f}", b.passages, _of_bin(b), colour=_shade(b.low + 0.05),
            hover=f"{b.low:.1f}–{b.high:.1f}<br>{count(b.passages, 'passage')} from {count(b.domains, 'domain')}",
            cells=(b.low, b.high, b.passages, b.domains),
        )
        for b in figures.credibility
    ]  # fmt: skip
    bar_card("analytics_credibility", "Credibility", f"{says}.", bars, "passages",
             ("credibility from", "to", "passages", "domains"), upright=True,
             x_title="credibility of the source, 0 to 1")  # fmt: skip


def _of_bin(b: Bin) -> Target | None:
    # The list includes both ends; a bin, except the last one, ends before the next one starts.
    high = b.high if b.high == 1 else b.high - 0.001
    return browse(credibility_from=f"{b.low:g}", credibility_to=f"{high:g}") if b.passages else None


def _shade(value: float) -> str:
    """A colour of the credibility scale."""
    (_, low), (_, middle), (_, high) = charts.scale()
    start, end, part = (low, middle, value * 2) if value < 0.5 else (middle, high, value * 2 - 1)
    pairs = zip(bytes.fromhex(start[1:]), bytes.fromhex(end[1:]), strict=True)
    return "#" + bytes(round(a + (b - a) * min(1.0, part)) for a, b in pairs).hex()


def _domains(figures: SourceFigures) -> None:
    named = [d for d in figures.domains if d.name]
    says = f"{count(figures.domain_count, 'domain')}. "
    if not named:
        with charts.card("analytics_domains", "Domains by kind of source", says):
            st.caption("No passage has an address, so there are no domains to show.")
        return
    top = named[0]
    says += f"The largest is **{plain(top.name)}** with {count(top.passages, 'passage')}"
    says += f" ({share(top.passages, figures.active)}). Click a tile to see its passages."
    drawn = charts.figure([_treemap(figures)], "", 480, uniformtext={"minsize": 9, "mode": "hide"})
    rows = [
        Row(
            (d.name or "no address", kind(d.source_type), d.passages, round(d.credibility, 3)),
            f"{d.name}: {count(d.passages, 'passage')}, credibility {d.credibility:.2f}",
            browse(domain=d.name) if d.name else None,
        )
        for d in figures.domains
    ]
    chart_card(
        "analytics_domains", "Domains by kind of source", says, drawn,
        f"Treemap of the domains of {figures.active:,} active passages, coloured by credibility.",
        ("domain", "kind of source", "passages", "mean credibility"), rows, targets=_tile_target,
    )  # fmt: skip


def _treemap(figures: SourceFigures) -> charts.Figure:
    """Kinds of source, with their domains inside, small ones together."""
    tiles = [(f"type:{name}", kind(name), "", n, count(n, "passage"), "") for name, n in figures.types]
    rest = dict(figures.types)
    for d in figures.domains[:TILES]:
        rest[d.source_type] = rest.get(d.source_type, 0) - d.passages
        name, text = charts.escaped(d.name or "no address"), f"{d.passages:,} · {d.credibility:.2f}"
        tiles.append((f"domain:{d.name}", name, f"type:{d.source_type}", d.passages, text, _shade(d.credibility)))
    tiles += [
        (f"others:{name}", "smaller domains", f"type:{name}", n, f"{n:,}", "") for name, n in rest.items() if n > 0
    ]
    ids, labels, parents, values, texts, colours = (list(column) for column in zip(*tiles, strict=True))
    frame = "#2b3038" if charts.dark() else "#e6e3dc"  # a kind's name is written on it in the colour of text
    return {
        "type": "treemap", "ids": ids, "labels": labels, "parents": parents, "values": values, "text": texts,
        "branchvalues": "total",
        "texttemplate": "<b>%{label}</b><br>%{text}",
        "textfont": {"color": [charts.inside() if colour else charts.colour("text") for colour in colours]},
        "hovertemplate": "%{label}<br>%{value:,} passages<extra></extra>",
        "tiling": {"pad": 2},
        "pathbar": {"visible": False},
        "root": {"color": "rgba(0,0,0,0)"},
        "marker": {"colors": [colour or frame for colour in colours], "line": {"width": 1}},
    }  # fmt: skip


def _tile_target(point: dict[str, Any]) -> Target | None:
    what, _, name = str(point.get("id", "")).partition(":")
    return browse(domain=name) if what == "domain" and name else None


def time_view(figures: TimeFigures, active: int) -> None:
    """How the knowledge base grew, and how old its evidence is."""
    _growth(figures)
    _ages(figures, active)


def _growth(figures: TimeFigures) -> None:
    by_origin = Counter[str]()
    for _, origin, n in figures.arrivals:
        by_origin[origin] += n
    counts = [(origin, theme.ORIGINS[Origin(origin)].word, n) for origin, n in by_origin.most_common()]
    newest = max((day for day, _, _ in figures.arrivals), default=None)
    ages = [((newest - day).days, n) for day, _, n in figures.arrivals] if newest else []
    last, before = sum(n for age, n in ages if age < 30), sum(n for age, n in ages if 30 <= age < 60)
    says = f"**{count(last, 'passage')}** added in the last 30 days of the record, {before:,} in the 30 days before."
    step, days, series = cumulated(figures.arrivals)
    bars, drawn = len(days) <= BARS_UP_TO, None
    if len(days) > 1:
        points = [
            day.isoformat() if not bars else theme.day(day) if step == "by day" else f"{day:%b %Y}" for day in days
        ]
        layers = [_layer(origin, points, series[origin.value], bars) for origin in Origin if origin.value in series]
        drawn = charts.figure(
            layers, "", 360, showlegend=len(layers) > 1, hovermode="x", barmode="stack", bargap=0.5,
            yaxis={"title": {"text": "passages"}, "rangemode": "tozero"},
            xaxis={"type": "category" if bars else "date"},
        )  # fmt: skip
    now = ", ".join(f"{word} {n:,}" for _, word, n in counts)
    rows = [Row((), f"{word}: {count(n, 'passage')}", {"section": "browse", "origin": o}) for o, word, n in counts]
    rows += [Row((day.isoformat(), origin, n)) for day, origin, n in figures.arrivals]
    chart_card(
        "analytics_growth", f"Growth {step}" if drawn else "Growth", says, drawn,
        f"Stacked {'bars' if bars else 'areas'}: passages over time by origin. Now: {now}.",
        ("day", "origin", "added"), rows, note="Includes active and quarantined passages.",
    )  # fmt: skip


def _layer(origin: Origin, points: list[str], totals: list[int], bars: bool) -> charts.Figure:
    """One origin: a part of each bar, or an area."""
    name, shape = _ORIGINS[origin]
    colour = charts.colour(name)
    pattern = {"shape": shape, "size": 7, "solidity": 0.25, "fgopacity": 0.5, "fillmode": "overlay"}
    layer = {
        "name": theme.ORIGINS[origin].word, "x": points, "y": totals,
        "hovertemplate": "%{y:,} until %{x}<extra>%{fullData.name}</extra>",
    }  # fmt: skip
    if bars:
        return layer | {"type": "bar", "marker": {"color": colour, "pattern": pattern}}
    line = {"width": 1.5, "color": colour, "shape": "hv"}
    return layer | {"type": "scatter", "mode": "lines", "stackgroup": "all", "line": line, "fillpattern": pattern}


def cumulated(arrivals: tuple[tuple[date, str, int], ...]) -> tuple[str, list[date], dict[str, list[int]]]:
    """The step (``by day`` or ``by month``), the points in time, and the total of each origin at each point."""
    if not arrivals:
        return "by day", [], {}
    first, newest = arrivals[0][0], arrivals[-1][0]
    by_day = (newest - first).days <= BY_DAY_UP_TO
    added = Counter[tuple[date, str]]()
    for day, origin, n in arrivals:
        added[day if by_day else day.replace(day=1), origin] += n
    days: list[date] = []
    day = first if by_day else first.replace(day=1)
    while day <= newest:
        days.append(day)
        day = day + timedelta(days=1) if by_day else (day.replace(day=28) + timedelta(days=4)).replace(day=1)
    origins = {origin for _, origin in added}
    series = {origin: list(accumulate(added[day, origin] for day in days)) for origin in origins}
    return ("by day" if by_day else "by month"), days, series


def _ages(figures: TimeFigures, active: int) -> None:
    says = f"**{share(figures.undated, active)}** of the passages have no publication date."
    if figures.oldest and figures.newest:
        says += f" The others date from {theme.day(figures.oldest)} to {theme.day(figures.newest)}."
    if figures.undated * 2 > active:
        says += " Undated evidence weighs less for a claim about the present."
    blue = charts.colour("blue")
    bars = [
        Bar(age.name, age.passages, _between(age), colour=blue, cells=(age.name, age.first, age.last, age.passages))
        for age in figures.ages
    ]
    undated = browse(undated="1") if figures.undated else None
    bars.append(Bar("Undated", figures.undated, undated, colour=charts.colour("gray"), pattern="/",
                    cells=("undated", None, None, figures.undated)))  # fmt: skip
    bar_card("analytics_ages", "Age of evidence", says, bars, "passages",
             ("published", "first day", "last day", "passages"), upright=True,
             x_title="time since publication")  # fmt: skip


def _between(age: Age) -> Target | None:
    if not age.passages:
        return None
    span = {"published_from": age.first, "published_to": age.last}
    return browse(**{name: day.isoformat() for name, day in span.items() if day})
