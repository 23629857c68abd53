"""One conversation over sockets: what goes well, and that everything a model gets wrong ends in an honest result."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from config import Settings
from ghost.demo_web import DemoWeb, values
from ghost.types import Label
from ghost.workbench import Workbench, build
from tests.pipelines.conversations import GOOD, RECORD, Script, converse


@pytest.fixture(scope="module")
def web() -> Iterator[DemoWeb]:
    with DemoWeb() as running:
        yield running


@pytest.fixture(scope="module")
def bench(web: DemoWeb, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workbench]:
    folder: Path = tmp_path_factory.mktemp("conversation")
    # Nothing that was read stays for the next run.
    with build(Settings(**values(web, folder), min_credibility=1.0), judge="embedded") as workbench:
        yield workbench


def test_it_searches_reads_and_decides(bench: Workbench) -> None:
    done = converse(bench, Script(GOOD))
    run = done.run
    print(done.server.asked[-1].words[-900:])
    print(run.verdict, run.error)
    assert run.verdict
    assert run.verdict.label is Label.TRUE
    assert run.verdict.truth_percentage == 97
    assert not done.fell_back
    assert any(RECORD in e.passage.text for e in run.evidence)
