"""Results as tables: complete, aligned, and nothing in a file's name can break a page."""

import json
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from bench.cli import main
from bench.quality import terminal
from bench.quality_page import markdown
from bench.retrieval import FIGURES, ORDERS
from bench.rows import ClaimRow, Labels, PairRow
from bench.speed_tables import FIGURES as BLOCK
from bench.speed_tables import GROWTH, PAGES, has_block, markers, put
from bench.stance import figures as stance_figures
from bench.verdicts import figures as verdict_figures
from config import PROJECT
from ghost.testing import SUPPORTING
from tests.bench.corpora import CLAIMS, PAIRS
from tests.bench.results import analysts_result, api_result, demo_result, everyday_result, reading_result

BEGIN, END = markers(BLOCK)


def _head(benchmark: str, name: str) -> dict[str, Any]:
    return {
        "benchmark": benchmark, "date": "2026-01-02T03:04:05+00:00", "command": f"python -m ghost bench {benchmark}",
        "seed": 1, "limit": 0, "workers": 2, "settings": {"top_k_rerank": 7}, "code": "c0de" * 16,
        "models": {"stance": {"name": "a model", "sha256": "5ha" * 20}},
        ("pairs" if benchmark == "stance" else "claims"): {"name": name},
    }  # fmt: skip


@cache
def _verdict_figures() -> dict[str, Any]:
    answer = {"label": "True", "confidence": 0.75, "error": "", "seconds": 0.5, "cost_usd": 0.0, "evidence": [],
              "citations": []}  # fmt: skip
    rows = [ClaimRow(**claim) for claim in CLAIMS]
    return verdict_figures(rows, [answer] * 4, Labels(own=False), 1)


def _verdicts(name: str = "tiny") -> dict[str, Any]:
    return {
        **_head("verdicts", name),
        "judge": {"name": "embedded", "model": "m"},
        "corpus": {"passages": 1_234},
        **_verdict_figures(),
    }


@cache
def _stance() -> dict[str, Any]:
    rows = [PairRow(**pair) for pair in PAIRS]
    return _head("stance", "tiny") | stance_figures(rows, [SUPPORTING] * 4, False, 1)


def _retrieval() -> dict[str, Any]:
    values = {order: dict.fromkeys(FIGURES, 0.5) for order in ORDERS}
    bounds = {order: {name: [0.25, 0.75] for name in FIGURES} for order in ORDERS}
    return _head("retrieval", "tiny") | {"n": 3, "corpus": {"passages": 6}, **values, "intervals": bounds}


def test_the_terminal_shows_each_benchmark() -> None:
    shown = terminal(_verdicts())
    assert "Verdicts: tiny, 4 claims over 1,234 passages" in shown
    assert "accuracy                                 0.500" in shown
    assert "stance agrees with gold  unknown of 0" in shown
    assert shown.index("decided") < shown.index("accuracy"), "what matters most comes first"
    assert "Judge: embedded (m). Settings: top_k_rerank = 7." in shown
    assert "trap: negation    1  0.000" in terminal(_stance())
    assert "reranked  0.500    0.500     0.500      0.500       0.500  0.250 to 0.750" in terminal(_retrieval())
    (wrong,) = [line for line in terminal(demo_result()).splitlines() if line.startswith("wrong verdicts")]
    assert wrong.split() == ["wrong", "verdicts", "2", "none,", "missed"]
    assert "6.25 s (model)" in terminal(reading_result())
    assert "none, missed" in terminal(api_result())
    shown = terminal(analysts_result())
    assert "20 at work for 40 s on one server" in shown
    assert "0 errors, met" in shown
    assert "server        659       660         662" in shown


def test_every_row_of_a_table_has_as_many_cells_as_its_head() -> None:
    others = [demo_result(), reading_result(), api_result(), analysts_result()]
    page = markdown([everyday_result(), _verdicts("a|b\\c"), _stance(), _retrieval(), *others])
    assert page.count("\n## ") + page.startswith("## ") == 9
    for block in page.split("\n\n"):
        if block.startswith("|"):
            assert len({line.replace("\\|", "").count("|") for line in block.splitlines()}) == 1


def test_a_page_begins_with_plain_sentences() -> None:
    page = markdown([everyday_result(), _verdicts()])
    assert "On 8 everyday claims, with only the starter library and no web, Ghost decided 5" in page
    assert "got 4 of them right" in page
    assert "Of the 5 that the library covers, 4 came out right." in page
    assert "the text of a claim" not in page


def test_sets_share_a_table_and_the_models_are_said_once() -> None:
    other = _verdicts("other") | {"models": {"stance": {"name": "new", "sha256": "abc" * 20}}}
    other |= {"judge": {"name": "local", "model": "small"}, "limit": 4}
    page = markdown([_verdicts(), _stance(), other])
    assert page.count("## Verdicts on public sets") == 1
    assert "| tiny, 4 claims over 1,234 passages | other, 4 claims over 1,234 passages, a sample, local judge" in page
    assert "| decided | 100.0%, 0.500 of them rightly | 100.0%, 0.500 of them rightly |" in page
    assert "| trap: negation | 0.000, 0.000 of 1 |" in page
    assert page.count("a model 5ha5ha5h") == 1
    assert page.count("stance new abcabcab, top_k_rerank = 7") == 1


def test_results_are_put_into_a_page(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(f"top\n{BEGIN}\nold\n{END}\n", encoding="utf-8")
    files = []
    for number, result in enumerate((_stance(), _retrieval(), everyday_result())):
        files.append(tmp_path / f"{number}.json")
        files[-1].write_text(json.dumps(result), encoding="utf-8")
    assert main(["page", *map(str, files), "--docs", str(page)]) == 0
    text = page.read_text(encoding="utf-8")
    assert text.index("## Everyday claims: 8") < text.index("## Stance") < text.index("## Retrieval: tiny")
    assert "old" not in text
    assert main(["page", "--docs", str(page)]) == 0
    assert "check_covid" in page.read_text(encoding="utf-8")


@pytest.mark.parametrize("content", ["", "[]", "{}", '{"benchmark": "speed"}', '{"benchmark": "retrieval", "n": 1}'])
def test_a_file_that_is_no_result_is_named_and_the_page_stays(
    content: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    page, file = tmp_path / "page.md", tmp_path / "out.json"
    page.write_text(f"{BEGIN}\nold\n{END}\n", encoding="utf-8")
    file.write_text(content, encoding="utf-8")
    assert main(["page", str(file), "--docs", str(page)]) == 2
    assert f"{file} is not a result of bench everyday, near-misses, verdicts, " in capsys.readouterr().err
    assert "old" in page.read_text(encoding="utf-8")


def test_the_parts_of_a_page_are_kept_apart(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    assert not has_block(page)
    begin, end = markers(GROWTH)
    page.write_text(f"{BEGIN}\nfigures\n{END}\nbetween\n{begin}\nold\n{end}\n", encoding="utf-8")
    put("new\n\nstill", page, GROWTH)
    assert page.read_text(encoding="utf-8") == f"{BEGIN}\nfigures\n{END}\nbetween\n{begin}\nnew\n\nstill\n{end}\n"
    page.write_text(f"{END}\n{BEGIN}\n", encoding="utf-8")
    assert not has_block(page)
    assert has_block(PROJECT / "docs" / "quality.md")
    assert all(has_block(PROJECT / "docs" / "speed.md", name) for name in (BLOCK, GROWTH, PAGES))
