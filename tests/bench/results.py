"""A result of the benchmark of speed as it could be."""

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
        "encoding": {"not_measured": "torch is not installed"},
        "reranking": {"not_measured": "torch is not installed"},
    }
