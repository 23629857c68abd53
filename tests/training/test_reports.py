"""Events that several pages tell of, and how they are measured."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from config import Settings
from ghost.types import Label, StatementVerdict
from ghost.workbench import build
from training.dossiers import Dossier, DossierClaim, read_dossiers
from training.measure_reports import Decided, Reader, decided, figures
from training.reports import Report, read_reports

PAGES = [{"title": "The tower leans", "sentences": ["The tower of Orlen leans by two metres.", "It is safe."]}]
TOWER = Dossier(
    "leaning tower",
    ("The tower of Orlen was built in 1890.", "It has 240 steps.", "A lift was never built."),
    (
        DossierClaim("The tower of Orlen was built in 1890.", frozenset({0}), frozenset()),
        DossierClaim("The tower of Orlen leans by two metres.", frozenset({0}), frozenset()),
        DossierClaim("The mayor of Orlen collects stamps.", frozenset(), frozenset()),
    ),
)
MARKET = Dossier("fish market", ("The fish market of Brae opens at five.",), ())


@pytest.fixture(scope="module")
def reader(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Reader]:
    settings = Settings(data_dir=tmp_path_factory.mktemp("reports"))
    with build(settings, judge="embedded", web=False) as bench:
        assert bench.tools.encoder
        yield Reader(bench.tools.reader, bench.tools.encoder, bench.tools.rules)


def test_a_claim_may_be_settled_by_any_page_of_its_event(reader: Reader) -> None:
    reports = {TOWER.topic: [Report(p["title"], tuple(p["sentences"])) for p in PAGES], MARKET.topic: []}
    rows = list(decided([TOWER, MARKET], reports, reader))
    assert [(r.label, r.found) for r in rows] == [
        (Label.TRUE, Label.TRUE), (Label.TRUE, Label.TRUE), (Label.NOT_ENOUGH_EVIDENCE, Label.NOT_ENOUGH_EVIDENCE),
    ]  # fmt: skip
    assert [r.claim for r in decided([TOWER], reports, reader, part=2)] == [rows[0].claim, rows[2].claim]
    assert not list(decided([TOWER], {}, reader)), "an event without reports is not measured"


def test_figures_count_what_is_wrong_and_said_as_sure() -> None:
    def verdict(label: Label, confidence: float) -> StatementVerdict:
        return StatementVerdict(1, label, confidence, 0.0, 0.0)

    rows = [
        Decided("a", Label.TRUE, verdict(Label.TRUE, 0.9)),
        Decided("b", Label.TRUE, verdict(Label.FALSE, 0.8)),
        Decided("c", Label.FALSE, verdict(Label.NOT_ENOUGH_EVIDENCE, 0.9)),
        Decided("d", Label.NOT_ENOUGH_EVIDENCE, None),
    ]
    assert figures(rows) == {
        "claims": 4, "accuracy": 0.5, "sure": 2, "sure_and_wrong": 1,
        "found": {
            "True": {"False": 1, "True": 1}, "False": {"Not Enough Evidence": 1},
            "Not Enough Evidence": {"Not Enough Evidence": 1},
        },
    }  # fmt: skip


def test_the_shipped_reports_are_of_pages_that_no_model_learned_from() -> None:
    dossiers = {d.topic: d for d in read_dossiers()}
    reports = read_reports()
    assert len(reports) > 50
    assert all(dossiers[topic].held_back and len(pages) == 3 for topic, pages in reports.items())
    for topic, pages in reports.items():
        assert not {s for page in pages for s in page.sentences} & set(dossiers[topic].page), topic


@pytest.mark.parametrize(
    "bad", ["{", '{"topic": "x"}', json.dumps({"topic": "x", "pages": [{"title": "", "sentences": ["a"]}]})]
)
def test_a_malformed_row_is_named(tmp_path: Path, bad: str) -> None:
    file = tmp_path / "reports.jsonl"
    file.write_text(json.dumps({"topic": "t", "pages": PAGES}) + f"\n{bad}\n", encoding="utf-8")
    with pytest.raises(ValueError, match=r"reports\.jsonl, line 2"):
        read_reports(file)
