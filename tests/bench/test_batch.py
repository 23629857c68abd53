"""What is worked out from a measurement of claims side by side."""

from typing import Any

from bench.at_scale import at_scale, markdown
from bench.batch import table

FOUND: dict[str, Any] = {
    "command": "python -m ghost bench batch", "machine": {"cores": 2, "cpu": "a processor", "load_average": 0.1},
    "passages": 5_000, "claims": 96, "equal_results": 96,
    "single": {"wall_ms": 700.0, "cpu_ms": 1200.0, "per_second_and_core": 0.7, "per_cpu_second": 0.83},
    "batch": {"wall_ms": 500.0, "cpu_ms": 990.0, "per_second_and_core": 1.0, "per_cpu_second": 1.01},
    "times_per_second_and_core": 1.43, "times_per_cpu_second": 1.21,
    "batch_cpu_ms": {"screener": 200.0, "stance": 750.0, "search": 8.0, "rest": 32.0},
    "encoding_ms": 4.0, "writing": {"worker_ms": 10.0, "command_ms": 0.5, "bytes": 5_000, "plan_ms": 0.3},
    "on_ray": [
        {"workers": 1, "claims": 96, "per_second": 0.9, "per_cpu_second": 1.0},
        {"workers": 2, "claims": 96, "per_second": 1.7, "per_cpu_second": 0.9},
    ],
}  # fmt: skip


def test_a_million_claims() -> None:
    found = at_scale(FOUND)
    assert found["worker_per_second"] == 1.0
    assert found["all_workers_per_second"] == 1_600
    assert found["core_hours"] == 1_000_000 / 3_600
    assert (found["server_per_second"], found["server_full_at_workers"]) == (4_000, 4_000)
    assert (found["writer_per_second"], found["writer_full_at_workers"]) == (2_000, 2_000)
    assert round(found["hours"] * 60, 1) == 10.4
    assert round(at_scale(FOUND, machines=1_000)["hours"] * 60, 1) == 8.3  # the command that writes is full


def test_what_is_shown() -> None:
    page = markdown(FOUND)
    assert "96 of 96 results were equal to the last digit." in page
    assert "| full first | the command that writes the files | at 2,000 workers |" in page
    assert "| 2 | 1.70 | 0.90 |" in page
    assert "claims a CPU second       0.83        1.01          1.21" in table(FOUND)
