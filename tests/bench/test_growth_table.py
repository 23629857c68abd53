"""A row per figure and a column per size; what is missing is said and never shown as a number."""

from typing import Any

from bench.growth_table import cells, markdown, table
from tests.bench.results import result as speed_result


def _size(passages: int, p50: float | None) -> dict[str, Any]:
    warm = {"p50_ms": p50, "p95_ms": 2 * p50, "steps_p50_ms": {"retrieve": p50 / 2}} if p50 else _left_out("no model")
    return {
        "passages": passages,
        "adding": {"passages": passages, "seconds": 2.0, "per_second": passages / 2},
        "verification": warm,
        "database_mb": 3.14159,
        "vectors_mb": 2_718.2,
        "cold": {"median_seconds": 2.345},
        "page": _left_out("no /proc"),
        "rss_mb": None,
    }


def _left_out(reason: str) -> dict[str, str]:
    return {"not_measured": reason}


def _result(*sizes: dict[str, Any]) -> dict[str, Any]:
    return {key: speed_result()[key] for key in ("date", "command", "seed", "machine", "versions")} | {
        "growth": list(sizes)
    }


def test_each_size_is_a_column() -> None:
    rows = {first: others for first, *others in cells(_result(_size(1_000, 40.0), _size(10_000, 123.4)))}
    assert rows["passages in the knowledge base"] == ["1,000", "10,000"]
    assert rows["added per second, since the size before"] == ["500", "5,000"]
    assert rows["verify one claim, warm, median"] == ["40.0 ms", "123 ms"]
    assert rows["verify one claim, warm, 95th percentile"] == ["80.0 ms", "247 ms"]
    assert rows["step retrieve, median"] == ["20.0 ms", "61.7 ms"]
    assert rows["python -m ghost verify, from start to exit, median"] == ["2.35 s", "2.35 s"]
    assert rows["database"] == ["3.1 MB", "3.1 MB"]
    assert rows["vector index (chroma_db)"] == ["2,718 MB", "2,718 MB"]


def test_what_no_size_has_is_no_row_and_what_one_lacks_is_a_dash() -> None:
    found = _result(_size(1_000, None), _size(10_000, 50.0))
    rows = {first: others for first, *others in cells(found)}
    assert not [name for name in rows if "memory" in name]
    assert rows["verify one claim, warm, median"] == ["–", "50.0 ms"]
    for text in (table(found), markdown(found)):
        assert "Not measured at 1,000: verification (no model)." in text
        assert "Not measured at 1,000, 10,000: page (no /proc)." in text


def test_the_columns_of_a_terminal_are_aligned() -> None:
    lines = [line for line in table(_result(_size(1_000, 40.0), _size(10_000, 123.4))).splitlines() if " ms" in line]
    assert len(lines) == 3
    assert len({len(line) for line in lines}) == 1


def test_markdown_has_one_width() -> None:
    text = markdown(_result(_size(1_000, 40.0), _size(10_000, 50.0)))
    rows = [line for line in text.splitlines() if line.startswith("|")]
    assert len(rows) == 9
    assert {row.count("|") for row in rows} == {4}
    assert "    python -m ghost bench speed" in text


def test_a_busy_machine_is_mentioned_once() -> None:
    busy = _result(_size(1_000, 40.0))
    busy["machine"]["load_average"] = 2.0
    assert table(busy).count("was busy") == 1
    assert markdown(busy).count("was busy") == 1
