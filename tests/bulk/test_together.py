"""Runs side by side have the result of single runs, to the last digit."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import date

import pytest

from bench.batch import bare_result
from config import Settings
from ghost.bulk import BulkRuns, collect
from ghost.errors import GhostError, ModelError
from ghost.knowledge import id_of_database
from ghost.testing import ScriptedReader
from ghost.types import Claim, Run, RunStatus, Stance
from ghost.workbench import Workbench, build, open_frozen
from tests.bulk.bench import claims, stance_of
from tests.models_once import open_model


@pytest.fixture
def frozen(monkeypatch: pytest.MonkeyPatch) -> None:
    """Single runs record which passages they used, which the next one weighs; here each sees the same."""
    monkeypatch.setattr("ghost.knowledge.base.record_use", lambda *_: None)


def alone(bench: Workbench, claim: Claim) -> Run:
    return collect(bench.verify(claim, web=False, judge="embedded"))


def test_many_claims_have_the_results_of_single_runs(bench: Workbench, frozen: None) -> None:
    asked = [Claim(text) for text in claims(200)]
    asked += [Claim(text, as_of=date(2020, 1, n + 1)) for n, text in enumerate(claims(10))]
    asked += [Claim("I love it."), Claim("The river bridge opened in 1950, and the market tower closed in 1960.")]
    together = bench.bulk_runs().check([(str(n), claim) for n, claim in enumerate(asked)])
    assert [run.id for run in together] == [str(n) for n in range(len(asked))]
    assert len({run.verdict.label for run in together if run.verdict}) >= 4
    for claim, run in zip(asked, together, strict=True):
        assert bare_result(run) == bare_result(alone(bench, claim))


def test_what_is_told_of_a_run_is_what_the_records_would_tell(bench: Workbench) -> None:
    (claim,) = claims(1)
    events = list(bench.verify(Claim(claim), run_id="told", web=False))
    kept = bench.runs.get("told")
    assert kept is not None
    assert bare_result(collect(events)) == bare_result(kept)


def test_nothing_is_recorded(bench: Workbench) -> None:
    runs, mark = bench.runs.count(), bench.knowledge.watermark()
    used = [p.access_count for p in bench.knowledge.list(limit=500)]
    found = bench.bulk_runs().check([(str(n), Claim(text)) for n, text in enumerate(claims(9))])
    assert any(run.evidence for run in found)
    assert "frozen" in next(step.reason for step in found[0].steps if step.name == "index")
    assert (bench.runs.count(), bench.knowledge.watermark()) == (runs, mark)
    assert [p.access_count for p in bench.knowledge.list(limit=500)] == used


def test_what_claims_share_is_read_once(bench: Workbench) -> None:
    tools = bench.bulk_tools
    counting = ScriptedReader(stance_of)
    runs = BulkRuns(replace(tools, reader=counting, plain=None))
    text = claims(1)[0]
    runs.check([("a", Claim(text))])
    once = counting.pairs_read
    runs.check([("b", Claim(text)), ("c", Claim(text))])
    assert counting.pairs_read == once


class FailingReader(ScriptedReader):
    """Fails at a text, whatever is read beside it."""

    def read(self, pairs: Sequence[tuple[str, str]]) -> list[Stance]:
        if any("1955" in statement for _, statement in pairs):
            raise ModelError("The model failed while reading a text.")
        return super().read(pairs)


def test_a_claim_that_fails_leaves_the_others_alone(bench: Workbench) -> None:
    runs = BulkRuns(replace(bench.bulk_tools, reader=FailingReader(stance_of)))
    found = runs.check([(str(n), Claim(text)) for n, text in enumerate(claims(12))])
    failed = [run for run in found if run.status is RunStatus.FAILED]
    assert [run.claim.text for run in failed] == [text for text in claims(12) if "1955" in text]
    assert "failed while reading" in failed[0].error
    assert all(run.verdict for run in found if run not in failed)


def test_cancelled_runs_end(bench: Workbench) -> None:
    found = bench.bulk_runs().check([(str(n), Claim(text)) for n, text in enumerate(claims(3))], lambda: True)
    assert {run.status for run in found} == {RunStatus.CANCELLED}


@pytest.fixture
def real(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> Iterator[Workbench]:
    monkeypatch.setattr(
        "ghost.inference.session._open", open_model
    )  # what was read is not remembered for the other way
    with build(settings, judge="embedded", web=False) as workbench:
        yield workbench


def test_the_bundled_models_say_the_same_in_any_company(real: Workbench, frozen: None) -> None:
    asked = [Claim(text) for text in REAL]
    together = real.bulk_runs().check([(str(n), claim) for n, claim in enumerate(asked)])
    for claim, run in zip(asked, together, strict=True):
        assert bare_result(run) == bare_result(alone(real, claim))
    assert json.loads(bare_result(together[0]))["verdict"]["label"] == "False"


def test_a_machine_that_may_give_other_verdicts_is_refused(settings: Settings) -> None:
    with build(settings, judge="embedded", web=False) as workbench:
        kept = workbench.tools.settings | {"knowledge_base": id_of_database(workbench.knowledge.database)}
    open_frozen(settings, like=kept).close()
    other = kept | {"odds": {}, "knowledge_base": "another", "threads": 7}
    with pytest.raises(GhostError, match=r"with the list, as these differ: odds, knowledge_base\. Install the same"):
        open_frozen(settings, like=other)


REAL = (
    "The capital of Australia is Sydney.",
    "The Great Wall of China is visible from space with the naked eye.",
    "Water boils at a lower temperature on high mountains.",
    "Mount Everest is 8,849 metres high, and it is in Africa.",
    "Bats are blind.",
    "Most people like chocolate best.",
)
