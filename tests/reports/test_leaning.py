"""What an abstention leans to, in every report: said once and quietly, and never taken for the verdict."""

import csv
import io
import json
import re
from dataclasses import replace

import pytest

from ghost.reports import CaseExport, Publisher, result, terminal, unpublishable
from ghost.reports.bundle import bundle
from ghost.reports.html import html
from ghost.reports.markdown import markdown
from ghost.types import ClaimType, Classification, Label, Leaning, Statement, StatementVerdict, Verdict, as_drawn
from tests.reports.runs import NOON, finished, leaning
from tests.reports.test_bundle import case, unpack

WORDS = "leans towards false"


def test_the_page_says_it_in_small_grey_text_below_the_verdict() -> None:
    text = html(leaning())
    assert f'<p class="meta">({WORDS})</p>' in text
    assert text.count(WORDS) == 1
    assert "<title>Not Enough Evidence: " in text
    assert 'class="verdict gray"' in text
    assert not re.search(r'class="verdict (red|green|orange)', text)
    assert not re.search(r"<h\d>[^<]*(leans|False)", text)
    assert "%" not in text[text.index("<main>") : text.index("Evidence</h2>")]


def test_the_markdown_report_says_it_beside_no_heading() -> None:
    text = markdown(leaning())
    assert f"\n({WORDS})\n" in text
    assert "**False**" not in text
    assert not re.search(r"^#.*(leans|False)", text, re.MULTILINE)


@pytest.mark.parametrize("color", [True, False])
def test_the_terminal_says_it_without_a_colour(color: bool) -> None:
    lines = terminal(leaning(), 100, color).splitlines()
    assert "Not Enough Evidence" in lines[0]
    assert "confidence" not in lines[0]
    assert f"  ({WORDS})" in lines
    assert "\x1b[1;31m" not in "\n".join(lines)


def test_programs_get_it_beside_a_label_that_abstains() -> None:
    verdict = result(leaning())["verdict"]
    assert (verdict["label"], verdict["confidence"]) == ("Not Enough Evidence", None)
    assert verdict["leaning"] == {"label": "False", "probability": 0.52}
    assert verdict["statements"][0]["leaning"] == {"label": "False", "probability": 0.52}
    assert result(finished())["verdict"]["leaning"] is None


def test_no_list_table_or_claim_review_has_it() -> None:
    export = CaseExport(case(), Publisher("Somebody"))
    export.add(leaning())
    files = unpack(export.finish())
    summary, table = files["summary.md"].decode(), files["checks.csv"].decode("utf-8-sig")
    assert WORDS not in summary
    assert "Ghost's own verdict: **Not Enough Evidence**\n" in summary
    row = next(csv.DictReader(io.StringIO(table)))
    assert (row["ghost's verdict"], row["final verdict"], row["confidence"]) == ("Not Enough Evidence",) * 2 + ("",)
    assert unpublishable(leaning())
    packed = unpack(bundle(leaning(), Publisher("Somebody")))
    assert "claimreview.json" not in packed
    assert json.loads(packed["manifest.json"])["label"] == "Not Enough Evidence"


def test_each_statement_has_its_own_words() -> None:
    open_one = StatementVerdict(2, Label.NOT_ENOUGH_EVIDENCE, None, 0.1, 0.4, leaning=Leaning(Label.TRUE, 0.5))
    sure_one = StatementVerdict(1, Label.FALSE, 0.91, 0.02, 0.9)
    said = Classification(ClaimType.FACTUAL, 0.9, (Statement(1, "One."), Statement(2, "Two.")), "Both can be checked.")
    run = finished(
        classification=said, verdict=Verdict(Label.FALSE, 0.7, "", statements=(sure_one, open_one)), finished_at=NOON
    )
    assert "1. One. **False** · High confidence (91%)\n" in markdown(run)
    assert "2. Two. **Not Enough Evidence** · leans towards true\n" in markdown(run)
    assert '<strong> Not Enough Evidence</strong><span class="meta"> · leans towards true</span>' in html(run)


def test_an_old_verdict_below_the_bound_is_drawn_as_open() -> None:
    run = finished()
    assert run.verdict
    old = replace(run.verdict, confidence=0.45, statements=(replace(run.verdict.statements[0], confidence=0.45),))
    drawn = replace(run, verdict=as_drawn(old))
    assert drawn.label is Label.NOT_ENOUGH_EVIDENCE
    for report in (markdown(drawn), html(drawn), terminal(drawn, 200)):
        assert WORDS in report
        assert "45%" not in report
        assert "too often wrong" in report
    assert drawn.verdict
    assert drawn.verdict.reasons[1:] == run.verdict.reasons
