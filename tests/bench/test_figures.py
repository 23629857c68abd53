"""Goals are judged by their figures; what was not measured is neither met nor missed."""

from bench.figures import Goal, goals, markdown, table
from tests.bench.results import result


def test_a_limit_itself_meets_at_least_and_misses_below() -> None:
    assert Goal("a", "a", "<", 4, "s", 4.0).met is False
    assert Goal("a", "a", "<", 4, "s", 3.99).met is True
    assert Goal("a", "a", ">=", 3, "x", 3.0).met is True
    assert Goal("a", "a", ">=", 3, "x", 2.99).met is False
    assert Goal("a", "a", ">=", 3, "x", None).met is None


def test_the_goals_of_a_result() -> None:
    found = {goal.name: goal for goal in goals(result())}
    assert found["verification.p50_ms"].met is True
    assert found["cold.median_seconds"].met is False
    assert found["cold.torch_modules"].met is True
    assert found["page.rss_mb"].met is None
    assert found["encoding.ratio"].as_json()["note"] == "not measured: torch is not installed"


def test_the_table_marks_a_missed_goal_and_says_why_one_is_unknown() -> None:
    lines = table(result()).splitlines()
    assert any(line.startswith("MISSED") and "python -m ghost verify" in line for line in lines)
    assert any(line.startswith("unknown") and "not measured: no /proc" in line for line in lines)
    assert any("recording" in line and "9.0 ms" in line for line in lines)


def test_a_busy_machine_is_mentioned() -> None:
    assert "was busy" not in table(result())
    busy = result()
    busy["machine"]["load_average"] = 2.0
    assert "was busy" in table(busy)
    assert "was busy" in markdown(busy)


def test_markdown_has_a_row_per_goal() -> None:
    rows = [line for line in markdown(result()).splitlines() if line.startswith("|")]
    assert sum("MISSED" in row for row in rows) == 1
    assert sum("not measured" in row for row in rows) == 3
    assert len({row.count("|") for row in rows[:8]}) == 1
