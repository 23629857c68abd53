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


def near_misses_result() -> dict[str, Any]:
    """Five traps, one of them taken, and three twins, two of them settled."""
    return _result("demo") | {
        "benchmark": "near_misses",
        "command": "python -m ghost bench near-misses",
        "n": 8,
        "all": {"traps": 5, "taken": 1, "twins": 3, "settled": 2},
        "kinds": {
            "cut-quote": {"traps": 2, "taken": 0, "twins": 3, "settled": 2},
            "office-<b>ended": {"traps": 3, "taken": 1, "twins": 0, "settled": 0},
        },
    }


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
