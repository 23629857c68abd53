"""Somebody who does anything that can be done on the pages, in no order: what a browser would send, drawn by a seed."""

import json
import random
from collections import deque
from collections.abc import Callable, Sequence
from datetime import date, timedelta
from typing import Any

from streamlit.proto.WidgetStates_pb2 import WidgetState
from streamlit.testing.v1 import AppTest
from streamlit.testing.v1.element_tree import Widget

from config import PROJECT
from tests.ui.hostile import TEXTS

PAGES = tuple(sorted(f"pages/{file.name}" for file in (PROJECT / "pages").glob("*.py")))
SECONDS = 90.0
TABS = 2
"""Browser tabs of the same visitor, who changes in one what the other still shows."""
WORDS = (
    *TEXTS,
    "", " ", "\n\n", "\x00\x01", "a" * 5_000, "word " * 2_000, "\U0001f468\u200d\U0001f52c",
    "The Great Wall of China is visible from the Moon.", "Honey keeps for 3,000 years.", "0", "-1", "1e400", "nan",
    "nasa.gov", "https://www.nasa.gov/wall", "http://[::1", "javascript:alert(1)", "file:///etc/passwd", "../../etc",
    "'; DROP TABLE runs; --", "%", "_", "\"unbalanced AND (", "2026-02-30", "{}", "[1,", "NULL", "\u202eevil\u200b",
    "Claims\nHoney keeps.\nThe wall is visible.\n\nHoney keeps.", "claim,context\n\"a,b\n", "A. B. C. " * 200,
)  # fmt: skip
FILES = (
    ("empty.csv", b""),
    ("claims.csv", b"claim,context\nHoney keeps.,food\nThe wall is visible from space.,\n"),
    ("claims.txt", "Honig hält sich.\nÄpfel sind Obst.\n".encode("latin-1")),
    ("binary.csv", bytes(range(256)) * 40),
    ("broken.json", b'{"text": "half'),
    ("passages.jsonl", b'{"text": "Honey keeps for years.", "source_url": "https://www.nasa.gov/h"}\n{"a": 1}\n'),
    ("passages.csv", b"text,source_url\nThe sea rose by four centimetres.,https://example.org/sea\n,,,\n"),
    ("ratings.csv", b"domain,credibility\nexample.org,0.3\nno domain,7\n"),
    ("pack.zip", b"PK\x03\x04 not really"),
    ("article.html", b"<html><body><p>Honey keeps.</p><script>x</script>"),
)  # fmt: skip
PARAMS = (
    "run", "with", "article", "case", "batch", "passage", "section", "form", "import", "rate", "q", "status", "origin",
    "source_type", "domain", "topic", "language", "credibility_from", "credibility_to", "published_from",
    "published_to", "undated", "unused", "sort", "page", "judge", "verdict", "from", "to", "order", "step", "nobody",
    "analytics_view", "quality_view",
)  # fmt: skip
VALUES = (
    "browse", "quarantine", "duplicates", "seeds", "import", "domains", "changes", "judge", "sources", "stores", "web",
    "variables", "any", "retired", "1", "0", "-7", "99999999", "0.5", "2024-01-01", "news", "web", "used", "add",
    "edit", "Health", "Map", "Retrieval", "",
)  # fmt: skip
KINDS = (
    "button", "download_button", "button_group", "checkbox", "toggle", "radio", "selectbox", "multiselect", "slider",
    "select_slider", "number_input", "date_input", "text_input", "text_area", "file_uploader", "pagination", "feedback",
)  # fmt: skip


class Walk:
    """Two tabs on one workbench. ``step`` does one thing and says what it was; nothing is looked at here."""

    def __init__(self, seed: int, ids: Sequence[str]) -> None:
        """``ids`` are what links may lead to: of runs, passages, cases, batches."""
        self._rng = random.Random(f"walk/{seed}")
        self._ids = ids
        self._tabs = [AppTest.from_file(PROJECT / "app.py", default_timeout=SECONDS).run() for _ in range(TABS)]
        self._entered: dict[str, WidgetState] = {}
        self.done: deque[str] = deque(maxlen=12)
        """What was done last, the newest at the end."""

    def step(self) -> AppTest:
        """Do one thing in one of the tabs, and return that tab as it then is."""
        number = self._rng.randrange(TABS)
        at, draw = self._tabs[number], self._rng.random()
        widgets = [w for kind in KINDS for w in at.get(kind) if not getattr(w.proto, "disabled", False)]
        if draw < 0.06:
            what = self._switch(at)
        elif draw < 0.11:
            what = self._follow(at)
        elif draw < 0.13:
            what, at = self._reload(number)
        elif draw < 0.16 and self._charts(at):
            what = self._point(at)
        elif draw < 0.19 or not widgets:
            what = "wait"
            at.run()
        else:
            what = self._use(at, self._rng.choice(widgets))
        self.done.append(f"tab {number}: {what[:300]}")
        return at

    def _switch(self, at: AppTest) -> str:
        page = self._rng.choice(PAGES)
        at.query_params.clear()
        at.switch_page(page).run()
        return f"switch to {page}"

    def _follow(self, at: AppTest) -> str:
        """A link with parameters, some of which nobody would write."""
        page = self._rng.choice(PAGES)
        at.query_params.clear()
        for name in self._rng.sample(PARAMS, self._rng.choice((1, 1, 2, 4))):
            at.query_params[name] = self._rng.choice(
                (self._rng.choice(self._ids), self._rng.choice(VALUES), self._text())
            )
        at.switch_page(page).run()
        return f"link {page} {dict(at.query_params)}"

    def _reload(self, number: int) -> tuple[str, AppTest]:
        """The session is gone, the address stays."""
        old, at = self._tabs[number], AppTest.from_file(PROJECT / "app.py", default_timeout=SECONDS).run()
        at._page_hash = old._page_hash or old._finished_page_script_hash
        for name, value in dict(old.query_params).items():
            at.query_params[name] = value
        self._tabs[number] = at.run()
        return "reload", at

    def _charts(self, at: AppTest) -> list[Any]:
        return [
            proto
            for kind, of in (("plotly_chart", "plotly_chart"), ("arrow_data_frame", "arrow_data_frame"))
            for element in at.get(kind)
            if getattr(proto := getattr(element, "proto", None), "id", "") or getattr(proto, of, None)
        ]

    def _point(self, at: AppTest) -> str:
        """Choose points or rows of a chart or table that can be chosen; perhaps ones that are no longer there."""
        proto = self._rng.choice(self._charts(at))
        rows = self._rng.choice(([], [0], [1], [0, 2], [999]))
        chosen: dict[str, Any] = {"rows": rows, "columns": [], "cells": []}
        if "plotly" in type(proto).__name__.lower():
            points = [{"curve_number": 0, "point_number": r, "point_index": r, "x": "2024-01-01", "y": 1} for r in rows]
            chosen = {"points": points, "point_indices": rows, "box": [], "lasso": []}
        if not proto.id or not proto.selection_mode:
            at.run()
            return "look at a chart"
        self._send(at, WidgetState(id=proto.id, string_value=json.dumps({"selection": chosen})))
        return f"choose {rows} in {proto.id}"

    def _use(self, at: AppTest, widget: Widget) -> str:
        name = f"{widget.type} {getattr(widget, 'key', '') or getattr(widget, 'label', '')}"
        form = getattr(widget.proto, "form_id", "")
        if widget.type in ("button", "download_button"):
            widget.set_value(True)
            entered = list(self._entered.values()) if getattr(widget.proto, "is_form_submitter", False) else []
            self._entered.clear()
            self._send(at, *entered)
            return name
        if widget.type == "file_uploader":
            file = self._rng.choice((None, *FILES))
            widget.set_value(file and (*file, "application/octet-stream"))
            at.run()
            return f"{name} = {file and file[0]}"
        state = _ENTER[widget.type](self, widget)
        if form:  # a browser sends it with the form's button
            self._entered[widget.id] = state
        else:
            self._send(at, state)
        return f"{name} = {str(state).partition(chr(10))[2]!r}"

    def _send(self, at: AppTest, *changed: WidgetState) -> None:
        """Run with all widgets as they are but for these; and press nothing twice."""
        states = at._tree.get_widget_states()
        new = {state.id: state for state in changed}
        there = {state.id for state in states.widgets}
        kept = [new.get(state.id, state) for state in states.widgets]
        del states.widgets[:]
        states.widgets.extend([*kept, *(state for id_, state in new.items() if id_ not in there and _drawn(at, id_))])
        at._run(states)

    def _text(self) -> str:
        return self._rng.choice((self._rng.choice(WORDS), self._rng.choice(WORDS), self._rng.choice(self._ids)))

    def _one(self, widget: Any) -> list[str]:
        options = [getattr(option, "content", option) for option in widget.proto.options]
        return [self._rng.choice(options)] if options else []

    def _group(self, widget: Any) -> WidgetState:
        nothing = self._rng.random() < 0.1 and not widget.proto.required
        return WidgetState(id=widget.id, string_array_value={"data": [] if nothing else self._one(widget)})

    def _some(self, widget: Any) -> WidgetState:
        options = list(widget.proto.options)
        most = widget.proto.max_selections or len(options)
        drawn = self._rng.sample(options, self._rng.randint(0, min(most, len(options))))
        return WidgetState(id=widget.id, string_array_value={"data": drawn})

    def _choice(self, widget: Any) -> WidgetState:
        drawn = self._one(widget)
        return WidgetState(id=widget.id, string_value=drawn[0]) if drawn else WidgetState(id=widget.id)

    def _flag(self, widget: Any) -> WidgetState:
        return WidgetState(id=widget.id, bool_value=self._rng.random() < 0.5)

    def _range(self, widget: Any) -> WidgetState:
        low, high = widget.proto.min, widget.proto.max
        step, count = widget.proto.step or 1.0, len(widget.proto.default)
        drawn = sorted(low + step * self._rng.randint(0, max(0, int((high - low) / step))) for _ in range(count))
        return WidgetState(id=widget.id, double_array_value={"data": drawn})

    def _named_range(self, widget: Any) -> WidgetState:
        options = list(widget.proto.options)
        drawn = sorted(self._rng.randrange(len(options)) for _ in widget.proto.default)
        return WidgetState(id=widget.id, string_array_value={"data": [options[i] for i in drawn]})

    def _number(self, widget: Any) -> WidgetState:
        low = widget.proto.min if widget.proto.has_min else -1e9
        high = widget.proto.max if widget.proto.has_max else 1e9
        drawn = self._rng.choice((low, high, (low + high) / 2))
        return WidgetState(id=widget.id, double_value=drawn)

    def _date(self, widget: Any) -> WidgetState:
        days = sorted(date(2020, 1, 1) + timedelta(days=self._rng.randrange(2_500)) for _ in range(2))
        count = self._rng.choice((0, 1, 2)) if widget.proto.is_range else self._rng.choice((0, 1))
        text = [day.strftime("%Y/%m/%d") for day in days[:count]]
        return WidgetState(id=widget.id, string_array_value={"data": text})

    def _words(self, widget: Any) -> WidgetState:
        text = self._text()
        most = getattr(widget.proto, "max_chars", 0)
        return WidgetState(id=widget.id, string_value=text[:most] if most else text)

    def _page(self, widget: Any) -> WidgetState:
        return WidgetState(id=widget.id, int_value=self._rng.randint(1, max(1, widget.proto.num_pages)))

    def _stars(self, widget: Any) -> WidgetState:
        return WidgetState(id=widget.id, string_value=str(self._rng.randrange(2)))


_ENTER: dict[str, Callable[[Walk, Any], WidgetState]] = {
    "button_group": Walk._group,
    "checkbox": Walk._flag,
    "toggle": Walk._flag,
    "radio": Walk._choice,
    "selectbox": Walk._choice,
    "multiselect": Walk._some,
    "slider": Walk._range,
    "select_slider": Walk._named_range,
    "number_input": Walk._number,
    "date_input": Walk._date,
    "text_input": Walk._words,
    "text_area": Walk._words,
    "pagination": Walk._page,
    "feedback": Walk._stars,
}


def _drawn(at: AppTest, widget_id: str) -> bool:
    """Whether it is on the page: what was entered in a form of another page is gone."""
    return any(getattr(getattr(node, "proto", None), "id", "") == widget_id for node in at._tree)
