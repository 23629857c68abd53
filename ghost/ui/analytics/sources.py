"""Where the passages come from: credibility, kinds of source, domains, languages."""

from dataclasses import dataclass
from typing import Any

import streamlit as st

from ghost.knowledge import Bin, SourceFigures
from ghost.ui.analytics.cards import Bar, bar_card, browse, kind, share, untitled
from ghost.ui.shared import charts
from ghost.ui.shared.charts import Row, Table, Target
from ghost.ui.shared.text import count, plain

TILES = 60
"""Domains on the treemap; the others are drawn together."""
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
        bars = [Bar(kind(name), n, browse(source_type=name)) for name, n in figures.types]
        bar_card("analytics_types", "Kinds of source", _leading(bars, figures.active), bars, "passages",
                 ("kind of source", "passages"))  # fmt: skip
    with right:
        violet = charts.colour("violet")
        bars = [
            Bar(LANGUAGES.get(code, code or "unknown"), n, browse(language=code) if code else None, colour=violet)
            for code, n in figures.languages
        ]
        bar_card("analytics_languages", "Languages", _leading(bars, figures.active), bars[:10], "passages",
                 ("language", "passages"))  # fmt: skip


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
    if named:
        top = named[0]
        says += f"The largest is **{plain(top.name)}** with {count(top.passages, 'passage')}"
        says += f" ({share(top.passages, figures.active)}). Click a tile to see its passages."
    with charts.card("analytics_domains", "Domains by kind of source", says):
        if not named:
            st.caption("No passage has an address, so there are no domains to show.")
            return
        drawn = untitled(charts.figure([_tiles(figures)], "", 480, uniformtext={"minsize": 9, "mode": "hide"}))
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


@dataclass(frozen=True, slots=True)
class Tile:
    """One rectangle of the treemap."""

    id: str
    label: str
    parent: str
    passages: int
    text: str
    colour: str = ""


def _tiles(figures: SourceFigures) -> charts.Figure:
    """The treemap: kinds of source, with their domains inside, small ones together."""
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
        "textfont": {"color": [charts.inside() if t.colour else charts.colour("text") for t in tiles]},
        "hovertemplate": "%{label}<br>%{value:,} passages<extra></extra>",
        "tiling": {"pad": 2},
        "pathbar": {"visible": False},
        "root": {"color": "rgba(0,0,0,0)"},
        "marker": {"colors": [t.colour or _frame() for t in tiles], "line": {"width": 1}},
    }


def _frame() -> str:
    """The background of a kind of source, on which its name is written in the colour of text."""
    return "#2b3038" if charts.dark() else "#e6e3dc"


def _clicked(point: dict[str, Any]) -> Target | None:
    what, _, name = str(point.get("id", "")).partition(":")
    return browse(domain=name) if what == "domain" and name else None
