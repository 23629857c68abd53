"""Results of the benchmark as they could be, each a copy of its own."""

import json
from pathlib import Path
from typing import Any

FILE = Path(__file__).parent / "data" / "results.json"


def _result(name: str) -> dict[str, Any]:
    return dict(json.loads(FILE.read_text(encoding="utf-8"))[name])


def result() -> dict[str, Any]:
    """Speed: two goals met, one missed, one unknown."""
    return _result("speed")


def everyday_result() -> dict[str, Any]:
    """Eight claims, five of them decided, four rightly."""
    return _result("everyday")


def demo_result() -> dict[str, Any]:
    """Six claims over the demo web, three of them right."""
    return _result("demo")


def reading_result() -> dict[str, Any]:
    """Ten pages in time, and a language model that hangs for too long."""
    return _result("reading")


def analysts_result() -> dict[str, Any]:
    """Twenty analysts on one server, none of whom met an error."""
    return _result("analysts")


def api_result() -> dict[str, Any]:
    """4,000 requests beside 450 event streams, two of them without an answer."""
    return _result("api")
