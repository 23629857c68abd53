"""One knowledge base that grows, on real parts at tiny sizes; and what is kept when it does not get to the end."""

import json
from pathlib import Path
from typing import Any

import pytest

from bench import growth
from bench.cli import main
from bench.growth import INTERRUPTED, Options, megabytes
from bench.page_block import FIGURES, GROWTH, markers
from ghost.errors import GhostError

QUICK = ["--growth", "220,160,220", "--claims", "2", "--skip", "cold,page"]
TO_PAGE = "\n".join(markers(GROWTH))


@pytest.fixture(scope="module")
def quick(tmp_path_factory: pytest.TempPathFactory) -> tuple[dict[str, Any], str]:
    """The JSON and the page of one quick run."""
    folder = tmp_path_factory.mktemp("growth")
    page = folder / "speed.md"
    page.write_text("\n".join(["top", *markers(FIGURES), *markers(GROWTH), "bottom\n"]), encoding="utf-8")
    assert main(["speed", *QUICK, "--json", str(folder / "out.json"), "--docs", str(page)]) == 0
    return json.loads((folder / "out.json").read_text(encoding="utf-8")), page.read_text(encoding="utf-8")


def test_one_knowledge_base_grows_from_the_smallest_size_to_the_largest(quick: tuple[dict[str, Any], str]) -> None:
    result, _ = quick
    assert result["command"] == ("python -m ghost bench speed --growth 160,220 --claims 2 --seed 1 --skip cold,page")
    small, large = result["growth"]
    assert (small["passages"], large["passages"]) == (160, 220)
    assert large["adding"]["passages"] == 60  # the first 160 were kept
    assert large["adding"]["per_second"] == pytest.approx(60 / large["adding"]["seconds"], rel=0.1)
    assert "stopped" not in result


def test_every_size_has_all_figures(quick: tuple[dict[str, Any], str]) -> None:
    for size in quick[0]["growth"]:
        warm = size["verification"]
        assert warm["claims"] == 2
        assert 0 < warm["p50_ms"] <= warm["p95_ms"]
        assert {"classify", "retrieve", "rerank", "verdict", "recording"} <= set(warm["steps_p50_ms"])
        assert size["database_mb"] > 0.1
        assert size["vectors_mb"] > 0.1
        if Path("/proc/self/status").exists():
            assert size["rss_mb"] > 50
        assert size["cold"] == size["page"] == {"not_measured": "left out with --skip"}


def test_what_it_was_measured_on_is_said(quick: tuple[dict[str, Any], str]) -> None:
    result, _ = quick
    assert result["benchmark"] == "speed"
    assert result["machine"]["cores"] >= 1
    assert result["versions"]["chromadb"]
    assert {len(model["sha256"]) for model in result["growth"][0]["verification"]["models"].values()} == {64}


def test_the_page_gets_the_table_in_a_place_of_its_own(quick: tuple[dict[str, Any], str]) -> None:
    result, page = quick
    begin, end = markers(GROWTH)
    assert page.startswith("top\n" + "\n".join(markers(FIGURES)) + f"\n{begin}\n| passages in the knowledge base |")
    assert page.endswith(f"{end}\nbottom\n")
    assert result["command"] in page


def _ends_at(monkeypatch: pytest.MonkeyPatch, size: int, error: BaseException) -> None:
    """Measure nothing real; at one size the ``error`` comes instead."""

    def warm(_settings: Any, at: int, *_others: Any) -> dict[str, Any]:
        if at == size:
            raise error
        return {
            "passages": at,
            "adding": {"passages": 1, "seconds": 1.0, "per_second": 1.0},
            "verification": {"p50_ms": 111.0, "p95_ms": 222.0},
            "rss_mb": None,
        }

    monkeypatch.setattr(growth, "_warm", warm)


def test_an_interruption_keeps_what_is_measured(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    _ends_at(monkeypatch, 300, KeyboardInterrupt())
    out, page = tmp_path / "out.json", tmp_path / "speed.md"
    page.write_text(TO_PAGE, encoding="utf-8")
    words = ["speed", "--growth", "100,200,300,400", "--skip", "cold,page", "--json", str(out), "--docs", str(page)]
    assert main(words) == 130
    result = json.loads(out.read_text(encoding="utf-8"))
    assert [size["passages"] for size in result["growth"]] == [100, 200]
    assert result["stopped"] == {"before": 300, "why": INTERRUPTED}
    for text in (capsys.readouterr().out, page.read_text(encoding="utf-8")):
        assert "111 ms" in text
        assert "It was stopped before 300 passages were measured." in text


def test_an_error_keeps_what_is_measured_and_is_told(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    _ends_at(monkeypatch, 200, GhostError("The disk is full."))
    assert main(["speed", "--growth", "100,200", "--skip", "cold,page"]) == 1
    out = capsys.readouterr().out
    assert "111 ms" in out
    assert "It was stopped before 200 passages were measured: The disk is full.\n" in out


@pytest.mark.parametrize("error", [KeyboardInterrupt(), GhostError("The disk is full.")])
def test_without_a_single_size_there_is_no_result(monkeypatch: pytest.MonkeyPatch, error: BaseException) -> None:
    _ends_at(monkeypatch, 100, error)
    with pytest.raises(type(error)):
        growth.growth(Options((100, 200), skip=("cold", "page")))


def test_a_size_below_the_seed_facts_is_refused() -> None:
    with pytest.raises(GhostError, match="from the start"):
        growth.growth(Options((1, 200), skip=("cold", "page")))


def test_every_file_counts_and_folders_do_not(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "a").write_bytes(bytes(1_500_000))
    (tmp_path / "in" / "b").write_bytes(bytes(500_000))
    assert megabytes(tmp_path.rglob("*")) == 2.0
