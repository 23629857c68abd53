"""Results of the benchmarks of speed and of live investigation as they could be."""

from typing import Any


def result() -> dict[str, Any]:
    """Two goals met, one missed, the rest unknown."""
    return {
        "date": "2026-01-02T03:04:05+00:00",
        "command": "python -m ghost bench speed",
        "seed": 1,
        "passages": 10_000,
        "machine": {"cpu": "A processor", "cores": 2, "load_average": 0.1},
        "versions": {"python": "3.11.7", "torch": None},
        "verification": {
            "p50_ms": 499.9,
            "steps_p50_ms": {"classify": 0.4, "recording": 9.0},
            "notes": {"p50_ms": "p95"},
        },
        "cold": {"median_seconds": 4.0, "torch_modules": 0},
        "page": {"not_measured": "no /proc"},
    }


def _head(benchmark: str) -> dict[str, Any]:
    return {
        "benchmark": benchmark,
        "date": "2026-01-02T03:04:05+00:00",
        "command": f"python -m ghost bench {benchmark}",
        "machine": {"cores": 2},
        "versions": {"python": "3.11.7"},
        "models": {"stance": {"name": "a model", "sha256": "5ha" * 20}},
        "code": "c0de" * 16,
        "settings": {},
    }


def everyday_result() -> dict[str, Any]:
    """Eight claims, five of them decided, four rightly."""
    return _head("everyday") | {
        "judge": {"name": "embedded", "model": "m"},
        "half": "both",
        "limit": 0,
        "passages": 2_000,
        "n": 8,
        "parts": {
            "all": {"n": 8, "right": 4, "open": 3, "wrong": 1},
            "covered": {"n": 5, "right": 4, "open": 1, "wrong": 0},
            "not covered": {"n": 3, "right": 0, "open": 2, "wrong": 1},
        },
        "halves": {"sealed": {"n": 8, "right": 4, "open": 3, "wrong": 1}},
        "kinds": {"plain": {"n": 8, "right": 4, "open": 3, "wrong": 1}},
        "seconds_p50": 0.5,
        "seconds_p95": 1.25,
        "claims": [{"claim": "the text of a claim", "label": "True", "found": "True", "confidence": 0.9}],
    }


def demo_result() -> dict[str, Any]:
    """Six claims over the demo web, three of them right."""
    return _head("demo") | {
        "seed": 1,
        "limit": 0,
        "n": 6,
        "accuracy": 0.5,
        "intervals": {"accuracy": [0.25, 0.75]},
        "open_though_known": 1,
        "wrong": 2,
        "right_quoting_right_pages": None,
        "seconds_p50": 1.5,
        "seconds_p95": 4.25,
        "confusion": {
            "False > Not Enough Evidence": 1,
            "Not Enough Evidence > Not Enough Evidence": 1,
            "Not Enough Evidence > True": 1,
            "True > False": 1,
            "True > True": 2,
        },
        "claims": [{"id": "c1", "claim": "the text of a claim", "label": "True", "found": "True", "confidence": 0.9}],
    }


def reading_result() -> dict[str, Any]:
    """Ten pages in time, and a language model that hangs for too long."""
    return _head("reading") | {
        "pages": 10,
        "characters": 5_120,
        "seconds_p50": 4.2,
        "seconds_worst": 5.1,
        "processor_p50": 2.4,
        "goal_seconds": 6.0,
        "goal_met": True,
        "limit_seconds": 5.0,
        "over_the_limit": {"search": -0.1, "pages": 0.3, "model": 1.25},
        "over_goal": 1.0,
        "over_goal_met": False,
    }
