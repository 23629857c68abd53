"""The benchmark of reading: real pages over real sockets, and servers that never answer."""

import pytest

from bench import reading as bench_reading
from bench.arguments import parser
from bench.stored import Reading


def test_it_reads_all_pages_and_runs_end_though_servers_hang(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GHOST_WEB", "true")
    monkeypatch.setattr(bench_reading, "LIMIT", 2.0)
    found = bench_reading.reading(1)
    assert found["pages"] == 10
    assert found["characters"] > 4_500
    assert {"encoder", "stance"} <= set(found["models"])
    assert Reading.model_validate(found | {"command": "python -m ghost bench reading"}).longest > 0
    assert 0 < found["seconds_p50"] <= found["seconds_worst"]
    assert set(found["over_the_limit"]) == {"search", "pages", "model"}
    assert all(seconds > -2 for seconds in found["over_the_limit"].values())
    assert "fetched, read and judged in" in bench_reading.table(found)


def test_its_options() -> None:
    args = parser().parse_args(["reading", "--repeats", "2"])
    assert (args.name, args.repeats, args.docs) == ("reading", 2, None)
