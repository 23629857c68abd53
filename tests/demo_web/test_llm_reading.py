"""A live investigation in which a language model reads the pages: over the demo web and a scripted server."""

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from config import Settings
from ghost.demo_web import DemoWeb, values
from ghost.reports import left_the_machine
from ghost.testing import Answer, Asked, Scripted, ScriptedLLM
from ghost.types import Claim, Label, Origin, Run
from ghost.web import Links
from ghost.workbench import Workbench, build
from tests.judged import judged
from tests.judges.answers import cited, classified, decided, said, sufficient

CLAIM = "The strongest gust ever measured at Hollin Point reached 201 kilometres per hour."
RECORD = (
    "The strongest gust ever measured at Hollin Point reached 201 kilometres per hour, in the storm of 11 January 2019."
)
PAGE = "http://weather-yearbook.test/stations/hollin-point"


@pytest.fixture(scope="module")
def bench(web: DemoWeb, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workbench]:
    folder: Path = tmp_path_factory.mktemp("llm")
    # Nothing that was read stays for the next run.
    with build(Settings(**values(web, folder), min_credibility=1.0), judge="embedded") as workbench:
        yield workbench


def script(reading: Answer) -> object:
    def answer(asked: Asked) -> Answer:
        if asked.purpose == "classify":
            return classified(CLAIM)
        if asked.purpose == "reading":
            return reading
        rows = [(int(n), text) for n, text in re.findall(r"\[(\d+)\] [^\n]*\n<passage>(.*?)</passage>", asked.words)]
        mine = [(n, text) for n, text in rows if RECORD in text]
        if asked.purpose == "sufficiency":
            return sufficient(1, enough=bool(mine), stances=[{"n": n, "stance": "SUPPORTS"} for n, _ in mine])
        if not mine:
            return decided("Not Enough Evidence")
        n = mine[0][0]
        return decided("True", said(f"The yearbook says so [{n}].", cited(n, RECORD, "SUPPORTS")))

    return answer


def read(bench: Workbench, web: DemoWeb, reading: Answer) -> tuple[Run, ScriptedLLM]:
    with ScriptedLLM.serving(script(reading)) as server, judged(bench, server.url, llm_retries=0):  # type: ignore[arg-type]
        *_, end = bench.verify(Claim(CLAIM), links=Links([web.at(PAGE)]), web=False)
        run = bench.runs.get(end.run_id)  # type: ignore[union-attr]
    assert run
    assert not run.error
    return run, server


def row(run: Run) -> dict:
    return next(r for s in run.steps if s.name == "investigate" for r in s.outputs.get("sources", ()))


def quotes(*texts: str) -> Answer:
    return {"quotes": [{"statement": 1, "quote": t, "stance": "SUPPORTS"} for t in texts]}


def test_what_it_quotes_becomes_the_evidence_and_what_it_invents_does_not(bench: Workbench, web: DemoWeb) -> None:
    run, server = read(bench, web, quotes(RECORD, "The gust was the strongest in the history of Velmark."))
    of_page = [e.passage.text for e in run.evidence if e.passage.origin is Origin.WEB]
    # Beside the quote stands what the page says most plainly to the contrary, whatever the model chose.
    assert RECORD in of_page
    assert len(of_page) <= 2
    assert not any("in the history of Velmark" in text for text in of_page)
    assert run.verdict
    assert run.verdict.label is Label.TRUE
    parts = len([a for a in server.asked if a.purpose == "reading"])
    assert row(run)["reading"] == {
        "by": "local", "chunks": parts, "quotes": 2 * parts, "not_in_page": parts, "verdict": {"1": "supports"},
    }  # fmt: skip
    assert 1 <= parts <= 2, "a page of 5 KB"
    calls = [c["purpose"] for s in run.steps for c in s.outputs.get("calls", ())]
    assert calls.count("reading") == parts
    assert "with text of the pages that were read" in " ".join(left_the_machine(run))
    assert "reading" in run.settings["prompts"]


def test_a_page_in_which_it_finds_nothing_is_no_evidence(bench: Workbench, web: DemoWeb) -> None:
    run, _ = read(bench, web, {"quotes": []})
    assert not [e for e in run.evidence if e.passage.origin is Origin.WEB]
    assert run.verdict
    assert run.verdict.label is Label.NOT_ENOUGH_EVIDENCE


@pytest.mark.parametrize("failure", [Scripted(status=429), "no JSON", Scripted(finish="content_filter")])
def test_a_failure_leaves_the_page_to_the_stance_model_and_the_verdict_to_the_judge(
    bench: Workbench, web: DemoWeb, failure: Answer
) -> None:
    run, _ = read(bench, web, failure)
    assert any(RECORD in e.passage.text for e in run.evidence)
    assert run.judge.name == "local"
    assert run.verdict
    assert run.verdict.label is Label.TRUE
    step = next(s for s in run.steps if s.name == "investigate")
    assert "The stance model reads in place of the local judge" in step.reason
    assert step.outputs["troubles"]["reading_failed"] == 1
    assert "reading" not in row(run)
