"""Somebody who does anything that can be done on the pages, in no order: what a browser would send, drawn by a seed."""

import json
import random
from collections import deque
from collections.abc import Sequence
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
    "analytics_view", "quality_view", "conversation", "card", "list", "mode", "wrong", "research",
)  # fmt: skip
VALUES = (
    "browse", "quarantine", "duplicates", "seeds", "import", "domains", "changes", "judge", "sources", "stores", "web",
    "variables", "any", "retired", "1", "0", "-7", "99999999", "0.5", "2024-01-01", "news", "web", "used", "add",
    "cards", "questions", "talk", "novel_claim", "exact_match", "edit", "Health", "Map", "Retrieval", "",
    "research", "facts", "pages", "skills", "topics",
)  # fmt: skip
KINDS = (
    "button", "download_button", "button_group", "checkbox", "toggle", "radio", "selectbox", "multiselect", "slider",
    "select_slider", "number_input", "date_input", "text_input", "text_area", "chat_input", "file_uploader",
    "pagination", "feedback",
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
        found = [element.proto for kind in ("plotly_chart", "arrow_data_frame") for element in at.get(kind)]
        return [proto for proto in found if getattr(proto, "id", "")]

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
        state = self._enter(widget)
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

    def _enter(self, widget: Any) -> WidgetState:
        """Something that a browser could send for this widget."""
        rng, proto, state = self._rng, widget.proto, WidgetState(id=widget.id)
        options = [getattr(option, "content", option) for option in getattr(proto, "options", ())]
        match widget.type:
            case "checkbox" | "toggle":
                state.bool_value = rng.random() < 0.5
            case "radio" | "selectbox":
                if options:
                    state.string_value = rng.choice(options)
            case "button_group":
                nothing = not options or (rng.random() < 0.1 and not proto.required)
                state.string_array_value.data.extend([] if nothing else [rng.choice(options)])
            case "multiselect":
                most = min(proto.max_selections or len(options), len(options))
                state.string_array_value.data.extend(rng.sample(options, rng.randint(0, most)))
            case "slider":
                step, steps = proto.step or 1.0, int((proto.max - proto.min) / (proto.step or 1.0))
                drawn = sorted(proto.min + step * rng.randint(0, max(0, steps)) for _ in proto.default)
                state.double_array_value.data.extend(drawn)
            case "select_slider":
                drawn = sorted(rng.randrange(len(options)) for _ in proto.default)
                state.string_array_value.data.extend(options[i] for i in drawn)
            case "number_input":
                low, high = proto.min if proto.has_min else -1e9, proto.max if proto.has_max else 1e9
                state.double_value = rng.choice((low, high, (low + high) / 2))
            case "date_input":
                days = sorted(date(2020, 1, 1) + timedelta(days=rng.randrange(2_500)) for _ in range(2))
                number = rng.choice((0, 1, 2)) if proto.is_range else rng.choice((0, 1))
                state.string_array_value.data.extend(day.strftime("%Y/%m/%d") for day in days[:number])
            case "pagination":
                state.int_value = rng.randint(1, max(1, proto.num_pages))
            case "chat_input":
                state.chat_input_value.data = self._text()[: proto.max_chars]
            case "feedback":
                state.string_value = str(rng.randrange(2))
            case _:
                text, most = self._text(), getattr(proto, "max_chars", 0)
                state.string_value = text[:most] if most else text
        return state


def _drawn(at: AppTest, widget_id: str) -> bool:
    """Whether it is on the page: what was entered in a form of another page is gone."""
    return any(getattr(getattr(node, "proto", None), "id", "") == widget_id for node in at._tree)
