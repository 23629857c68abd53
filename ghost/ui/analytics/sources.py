"""Where the passages come from: credibility, kinds of source, domains, languages."""

from dataclasses import dataclass
from typing import Any

import streamlit as st

from ghost.knowledge import Bin, SourceFigures
from ghost.ui.shared import charts, theme
from ghost.ui.shared.charts import Row, Table, Target
from ghost.ui.shared.text import count, plain

TILES = 60
"""Domains on the treemap; the others stand together."""
LANGUAGES = {
    "ar": "Arabic", "bg": "Bulgarian", "ca": "Catalan", "cs": "Czech", "da": "Danish", "de": "German", "el": "Greek",
    "en": "English", "es": "Spanish", "et": "Estonian", "fa": "Persian", "fi": "Finnish", "fr": "French",
    "he": "Hebrew", "hi": "Hindi", "hr": "Croatian", "hu": "Hungarian", "id": "Indonesian", "it": "Italian",
    "ja": "Japanese", "ko": "Korean", "lt": "Lithuanian", "lv": "Latvian", "nl": "Dutch", "no": "Norwegian",
    "pl": "Polish", "pt": "Portuguese", "ro": "Romanian", "ru": "Russian", "sk": "Slovak", "sl": "Slovenian",
    "sr": "Serbian", "sv": "Swedish", "th": "Thai", "tr": "Turkish", "uk": "Ukrainian", "vi": "Vietnamese",
    "zh": "Chinese",
}  # fmt: skip


def view(figures: SourceFigures) -> None:
    """The four charts."""
    _credibility(figures)
    _domains(figures)
    left, right = st.columns(2)
    with left:
        _types(figures)
    with right:
        _languages(figures)


def browse(**filters: str) -> Target:
    """The list of the Knowledge base page, filtered."""
    return {"section": "browse", "status": "active", **filters}


def share(part: int, whole: int) -> str:
    """A share in words that never rounds to nothing or to all."""
    if not part or not whole:
        return "none"
    return "under 1%" if part * 100 < whole else theme.percent(part / whole)


def kind(value: str) -> str:
    """What a source type is called."""
    known = {each.value: name for each, name in theme.SOURCE_TYPES.items()}
    return known.get(value, value).capitalize()


def _credibility(figures: SourceFigures) -> None:
    high = sum(b.passages for b in figures.credibility if b.low >= 0.8)
    says = f"**{share(high, figures.active)}** of the passages come from sources rated 0.8 or more"
    if figures.unrated:
        says += f", **{share(figures.unrated, figures.active)}** from sources that nobody has rated"
    with charts.card("analytics_credibility", "Credibility", f"{says}."):
        names = [f"{b.low:.1f}–{b.high:.1f}" for b in figures.credibility]
        places = [_of_bin(b) for b in figures.credibility]
        drawn = charts.columns(
            names, [b.passages for b in figures.credibility], "Active passages by credibility of their source",
            "passages", "credibility, 0 to 1", colours=[_shade(b.low + 0.05) for b in figures.credibility],
            hover=[
                f"Credibility {name}<br>{count(b.passages, 'passage')} of {count(b.domains, 'domain')}"
                for name, b in zip(names, figures.credibility, strict=True)
            ],
        )  # fmt: skip
        alt = f"Bar chart: active passages by credibility in steps of a tenth. {_most(names, figures.credibility)}"
        charts.follow(charts.draw(drawn, "analytics_credibility", alt, charts.nth(places)))
        table = Table("credibility", ("credibility from", "to", "passages", "domains"), [
            Row((b.low, b.high, b.passages, b.domains), f"{name}: {count(b.passages, 'passage')}", place)
            for name, b, place in zip(names, figures.credibility, places, strict=True)
        ])  # fmt: skip
        charts.figures_below(table, "analytics_credibility")


def _of_bin(b: Bin) -> Target | None:
    # The list takes both ends in; a bin, but for the last, ends before the next one begins.
    high = b.high if b.high == 1 else b.high - 0.001
    return browse(credibility_from=f"{b.low:g}", credibility_to=f"{high:g}") if b.passages else None


def _most(names: list[str], bins: tuple[Bin, ...]) -> str:
    best = max(range(len(bins)), key=lambda i: bins[i].passages)
    return f"Most have {names[best]}: {bins[best].passages:,}."


def _shade(value: float) -> str:
    """A colour of the credibility scale."""
    (_, low), (_, middle), (_, high) = charts.scale()
    start, end, part = (low, middle, value * 2) if value < 0.5 else (middle, high, value * 2 - 1)
    pairs = zip(bytes.fromhex(start[1:]), bytes.fromhex(end[1:]), strict=True)
    return "#" + bytes(round(a + (b - a) * min(1.0, part)) for a, b in pairs).hex()


def _domains(figures: SourceFigures) -> None:
    named = [d for d in figures.domains if d.name]
    says = f"{count(figures.domain_count, 'domain')}. "
    if named:
        top = named[0]
        says += f"The largest is **{plain(top.name)}** with {count(top.passages, 'passage')}"
        says += f" ({share(top.passages, figures.active)}). Click a tile to see its passages."
    with charts.card("analytics_domains", "Domains", says):
        if not named:
            st.caption("No passage has an address, so there are no domains to draw.")
            return
        tiles = _tiles(figures)
        drawn = charts.figure([tiles], "Active passages by kind of source and domain", 480)
        alt = f"Treemap of the domains of {figures.active:,} active passages, coloured by credibility."
        charts.follow(charts.draw(drawn, "analytics_domains", alt, _clicked))
        table = Table("domains", ("domain", "kind of source", "passages", "mean credibility"), [
            Row(
                (d.name or "no address", kind(d.source_type), d.passages, round(d.credibility, 3)),
                f"{d.name}: {count(d.passages, 'passage')}, credibility {d.credibility:.2f}",
                browse(domain=d.name) if d.name else None,
            )
            for d in figures.domains
        ])  # fmt: skip
        charts.figures_below(table, "analytics_domains")


def _tiles(figures: SourceFigures) -> charts.Figure:
    """The treemap: kinds of source, in each its domains, the small ones together."""
    tiles = [Tile(f"type:{name}", kind(name), "", n, count(n, "passage")) for name, n in figures.types]
    rest = dict(figures.types)
    for d in figures.domains[:TILES]:
        rest[d.source_type] = rest.get(d.source_type, 0) - d.passages
        name, text = charts.escaped(d.name or "no address"), f"{d.passages:,} · {d.credibility:.2f}"
        tiles.append(Tile(f"domain:{d.name}", name, f"type:{d.source_type}", d.passages, text, _shade(d.credibility)))
    tiles += [
        Tile(f"others:{name}", "smaller domains", f"type:{name}", n, f"{n:,}") for name, n in rest.items() if n > 0
    ]
    return {
        "type": "treemap",
        "ids": [t.id for t in tiles],
        "labels": [t.label for t in tiles],
        "parents": [t.parent for t in tiles],
        "values": [t.passages for t in tiles],
        "text": [t.text for t in tiles],
        "branchvalues": "total",
        "texttemplate": "<b>%{label}</b><br>%{text}",
        "hovertemplate": "%{label}<br>%{value:,} passages<extra></extra>",
        "tiling": {"pad": 2},
        "pathbar": {"visible": False},
        "root": {"color": "rgba(0,0,0,0)"},
        "marker": {"colors": [t.colour or charts.colour("gray") for t in tiles], "line": {"width": 1}},
    }


@dataclass(frozen=True, slots=True)
class Tile:
    """One rectangle of the treemap."""

    id: str
    label: str
    parent: str
    passages: int
    text: str
    colour: str = ""


def _clicked(point: dict[str, Any]) -> Target | None:
    what, _, name = str(point.get("id", "")).partition(":")
    if what == "domain" and name:
        return browse(domain=name)
    return None


def _types(figures: SourceFigures) -> None:
    with charts.card("analytics_types", "Kinds of source", _leading(figures.types, figures.active, kind)):
        names = [kind(name) for name, _ in figures.types]
        places = [browse(source_type=name) for name, _ in figures.types]
        values = [n for _, n in figures.types]
        drawn = charts.rows(names, values, "Active passages by kind of source", "passages")
        alt = "Bar chart of active passages by kind of source: " + _told(names, values)
        charts.follow(charts.draw(drawn, "analytics_types", alt, charts.nth(places)))
        charts.figures_below(_table("kinds-of-source", "kind of source", names, values, places), "analytics_types")


def _languages(figures: SourceFigures) -> None:
    def name_of(code: str) -> str:
        return LANGUAGES.get(code, code or "unknown")

    with charts.card("analytics_languages", "Languages", _leading(figures.languages, figures.active, name_of)):
        top = figures.languages[:10]
        names = [name_of(code) for code, _ in top]
        places = [browse(language=code) if code else None for code, _ in figures.languages]
        drawn = charts.rows(
            names,
            [n for _, n in top],
            "Active passages by language",
            "passages",
            colours=[charts.colour("violet")] * len(top),
        )
        alt = "Bar chart of active passages by language: " + _told(names, [n for _, n in top])
        charts.follow(charts.draw(drawn, "analytics_languages", alt, charts.nth(places)))
        names = [name_of(code) for code, _ in figures.languages]
        values = [n for _, n in figures.languages]
        charts.figures_below(_table("languages", "language", names, values, places), "analytics_languages")


def _leading(counts: tuple[tuple[str, int], ...], whole: int, name: Any) -> str:
    if not counts:
        return ""
    top, n = counts[0]
    return f"**{plain(name(top))}** leads with {share(n, whole)}."


def _told(names: list[str], values: list[int]) -> str:
    return ", ".join(f"{name} {value:,}" for name, value in zip(names, values, strict=True)) + "."


def _table(name: str, column: str, names: list[str], values: list[int], places: Any) -> Table:
    return Table(name, (column, "passages"), [
        Row((label, value), f"{label}: {count(value, 'passage')}", place)
        for label, value, place in zip(names, values, places, strict=True)
    ])  # fmt: skip
