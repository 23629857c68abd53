"""The benchmark around a language model: its figures come from real runs over a real socket."""

import pytest

from bench import llm as bench_llm
from bench.arguments import parser


def test_it_measures_full_runs_with_few_calls(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bench_llm, "WARM_UP", 0)
    found = bench_llm.llm(2, 1)
    assert found["claims"] == 2
    assert found["calls_at_most"] <= 4
    assert found["run_p50_ms"] >= 3 * found["answer_ms"]
    assert 0 < found["around_calls_share_p50"] < 1
    assert "our code around the calls" in bench_llm.table(found)


def test_its_options() -> None:
    args = parser().parse_args(["llm", "--claims", "3"])
    assert (args.name, args.claims, args.seed) == ("llm", 3, 1)
