"""What stands on each page of a filled workbench: headings, captions, buttons, widgets, tables and messages."""

import json
import os
import re
import tempfile
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import streamlit as st
from streamlit.testing.v1 import AppTest

from tests.golden.doors import PROJECT, DemoWeb, demo_environment
from tests.golden.filled import Filled, fill, research, search
from tests.golden.results import environment

FOLDER = Path(__file__).parent / "pages"
SECONDS = 120
CHARACTERS = 160
"""Of a text; the rest is cut off."""
_KINDS = {
    "title": "headings", "header": "headings", "subheader": "headings", "caption": "captions", "markdown": "texts",
    "html": "texts", "text": "texts", "button": "buttons", "download_button": "buttons", "link_button": "buttons",
    "page_link": "links", "metric": "metrics", "expander": "expanders", "tab": "tabs", "popover": "popovers",
    "success": "messages", "info": "messages", "warning": "messages", "error": "messages", "exception": "exceptions",
}  # fmt: skip
_VALUED = {"headings", "captions", "texts", "messages", "exceptions"}
_TABLES = {"arrow_data_frame", "dataframe", "table", "data_editor"}
_PASSED = (
    (re.compile(r"\b\d{1,2} [A-Z][A-Za-z]{2} \d{4}, \d\d:\d\d UTC"), "TIME"),
    (re.compile(r"\b\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d)?(\.\d+)?(\+00:00|Z| UTC)?"), "TIME"),
    (re.compile(r"(< )?\b\d+(\.\d+)? (s|ms|seconds?|min)\b"), "N s"),
    (re.compile(r"\b\d[\d,]*(\.\d+)? (bytes|[kKMG]i?B)\b"), "N B"),
    (re.compile(r"\b[0-9a-f]{12,64}\b"), "ID"),
    (re.compile(r"(Independent origin) \d+"), r"\1"),  # sources of one weight are numbered as they came in
    (re.compile(r"(127\.0\.0\.1|localhost|\.test)(:|%3A)\d+"), r"\1"),
    (re.compile(r"(Measured on) \d{4}-\d\d-\d\d"), r"\1 DAY"),  # for two days it would be today or yesterday
    (re.compile(r"(pages were asked for at) .*"), r"\1 …"),  # in the order in which they answered
)
"""What changes from run to run or from machine to machine."""

Shown = dict[str, list[str]]
Pages = Mapping[str, Mapping[str, Mapping[str, str]]]
"""For each page its addresses, by a name for people, as what stands behind the question mark."""


def _stored_places(made: Filled) -> Pages:
    """What is looked at without the web: pages that list what came in at one time do so in no lasting order."""
    return {
        "batch": {"list": {}, "one": {"batch": made.batch}},
        "cases": {"list": {}, "one": {"case": made.case}},
        "knowledge": {
            **{name: {"section": name} for name in
               ("browse", "quarantine", "duplicates", "seeds", "import", "domains", "readings", "changes")},
            "search": {"section": "browse", "q": "Great Wall"},
            "passage": {"passage": made.passage},
            "add": {"form": "add"},
        },
        "analytics": {view: {"analytics_view": view} for view in ("Sources", "Time", "Use", "Map", "Health")},
        "quality": {
            view: {"quality_view": view}
            for view in ("Everyday claims", "Near misses", "Confidence", "Verdicts", "Live investigation", "Stance",
                         "Retrieval", "Speed", "Your verdicts")
        },
    }  # fmt: skip


def _searched_places(made: Filled, searched: str, researched: str) -> Pages:
    """What is looked at with the web switched on and a run that has searched it."""
    return {
        "verify": {
            "start": {},
            "report, searched": {"run": searched},
            **{f"report, {name}": {"run": run} for name, run in made.runs.items()},
            "report, unknown": {"run": "nothing"},
            "article": {"article": made.article},
        },
        "trace": {
            "list": {},
            **{tab: {"run": searched, "tab": tab} for tab in ("steps", "candidates")},
            "what if": {"run": made.runs["mixed"], "tab": "what-if"},
            "compare": {"run": searched, "with": made.runs["open"]},
        },
        "research": {
            "topics": {},
            "report": {"research": researched},
            "unknown": {"research": "nothing"},
            "skills": {"section": "skills"},
        },
        "settings": {
            name: {"section": name} for name in ("judge", "models", "stores", "web", "sources", "connect", "all")
        },
    }


def shown_pages() -> Iterator[tuple[str, dict[str, Shown]]]:
    """Each page with what stands at each of its addresses."""
    with tempfile.TemporaryDirectory() as folder, DemoWeb() as web:
        data = Path(folder) / "data folder"
        with environment(data, GHOST_JUDGE="embedded"):
            made = fill(Path(folder))
            yield from _opened(_stored_places(made))
        with environment(data, **demo_environment(web, data), GHOST_JUDGE="embedded"):
            yield from _opened(_searched_places(made, search(), research()))


def _opened(pages: Pages) -> Iterator[tuple[str, dict[str, Shown]]]:
    _close()
    try:
        for page, addresses in pages.items():
            yield page, {name: _shown(page, address) for name, address in addresses.items()}
    finally:
        _close()


def _close() -> None:
    """Let go of the workbench that the pages keep open."""
    st.cache_resource.clear()
    st.cache_data.clear()


def read_page(page: str) -> dict[str, Any]:
    """What is stored of a page; nothing where it is new."""
    file = FOLDER / f"{page}.json"
    return json.loads(file.read_text(encoding="utf-8")) if file.exists() else {}


def write_page(page: str, shown: Mapping[str, Shown]) -> None:
    """Store what stands on a page."""
    FOLDER.mkdir(exist_ok=True)
    text = json.dumps(shown, indent=1, ensure_ascii=False)
    (FOLDER / f"{page}.json").write_text(text + "\n", encoding="utf-8")


def _shown(page: str, address: Mapping[str, str]) -> Shown:
    at = AppTest.from_file(PROJECT / "app.py", default_timeout=SECONDS).run()
    at.switch_page(f"pages/{page}.py")
    for name, value in address.items():
        at.query_params[name] = value
    at.run()
    found: Shown = {}
    for part in (at.main, at.sidebar):
        for node in part:
            for kind, text in _words(node):
                # Each text once: how often "Open" stands in a list says how long the list is.
                if text and text not in found.setdefault(kind, []):
                    found[kind].append(text)
    return found


def _words(node: Any) -> Iterator[tuple[str, str]]:
    """What an element says, with the kind of thing it is."""
    if node.type in _TABLES:
        yield "tables", " | ".join(_normal(str(column)) for column in node.value.columns)
    elif kind := _KINDS.get(node.type):
        yield kind, _normal(_value(node) if kind in _VALUED else _label(node))
    elif label := _label(node):
        options = " | ".join(map(str, getattr(node, "options", ())))
        yield "widgets", _normal(f"{node.type}: {label}" + (f" ({options})" if options else ""))


def _value(node: Any) -> str:
    if node.type == "exception":
        return f"{node.message}"
    return str(getattr(node, "value", "") or getattr(node.proto, "body", ""))


def _label(node: Any) -> str:
    return str(getattr(node, "label", "") or getattr(getattr(node, "proto", None), "label", ""))


def _normal(text: str) -> str:
    text = text.replace(":small[]", "").replace("\\", "")  # both keep Markdown from reading a sign as its own
    text = text.replace(os.environ["GHOST_DATA_DIR"], "DATA").replace(str(PROJECT), "PROJECT")
    for pattern, instead in _PASSED:
        text = pattern.sub(instead, text)
    for day in (datetime.now(UTC).date() - timedelta(days=days) for days in (0, 1)):
        text = text.replace(f"{day:%-d %b %Y}", "TODAY").replace(day.isoformat(), "TODAY")
    text = " ".join(text.split())
    return text if len(text) <= CHARACTERS else f"{text[:CHARACTERS]}…"
